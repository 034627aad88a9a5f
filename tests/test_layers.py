"""The layers of the Python package, as ARCHITECTURE.md draws them: no arrow points up, no circles.

All imports count: those at the top of a module, in functions, and under `TYPE_CHECKING`. Nor does a
module outside `formats` know a format by its name: what differs between formats, they say.
"""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import jelly_spark
from jelly_spark.formats import READ, WRITTEN

PACKAGE = "jelly_spark"

_JELLY = ("errors", "core", "_proto", "jelly/lookup_ids", "jelly/options", "jelly/wire")
_CODEC = ("errors", "core", "jelly", "lines", "_proto")

LAYERS: dict[str, tuple[str, ...]] = {
    "_proto": (),
    "_version": (),
    "errors": (),
    "core": ("errors",),
    "jelly": (),
    "jelly/lookup_ids": (),
    "jelly/beginnings": ("core",),
    "jelly/options": ("errors", "core"),
    "jelly/wire": ("core", "_proto"),
    "jelly/frames": _JELLY,
    "jelly/decoding": (*_JELLY, "jelly/frames"),
    "jelly/encoding": _JELLY,
    "jelly/reader": (*_JELLY, "jelly/frames", "jelly/decoding"),
    "jelly/writer": ("errors", "core", "jelly/options", "jelly/frames", "jelly/reader"),
    "lines": ("errors", "core"),
    **{f"formats/{name}": _CODEC for name in WRITTEN},
    "formats": ("errors", "core"),
    "terms": ("errors", "core"),
    "patches": ("errors", "core"),
    "codec": ("errors", "core", "jelly", "lines", "formats"),
    "integrations": ("errors", "core", "formats", "terms", "patches", "codec"),
    "_schema": ("errors", "core", "formats"),
    "engines": ("core", "formats"),
    "_format_options": ("core", "jelly/options"),
    "streams": ("core", "formats", "_schema", "_format_options"),
    "datasource": (
        *("errors", "core", "jelly/frames", "lines", "formats", "_schema", "_format_options"),
    ),
    "jvm": ("errors", "core"),
    "session": ("errors", "jvm", "_version"),
    "python_functions": ("errors", "core", "formats", "_schema", "_format_options"),
    "functions": ("errors", "core", "jvm", "python_functions"),
    "algebra": ("errors", "core", "formats", "patches", "jvm", "functions"),
    "report": ("errors", "core", "patches"),
    "log/entries": ("errors", "core", "codec", "patches"),
    "log/index": ("errors", "core", "formats", "log/entries"),
    "log/upkeep": ("errors", "core", "codec", "patches", "log/entries", "log/index"),
    "log/engines": (
        *("errors", "core", "codec", "_schema", "patches", "algebra"),
        *("log/entries", "log/index", "log/upkeep"),
    ),
    "log/chains": (
        *("errors", "core", "functions", "patches", "algebra"),
        *("log/entries", "log/index", "log/upkeep", "log/engines"),
    ),
    "log": (
        *("errors", "core", "patches", "algebra", "functions", "report"),
        *("log/entries", "log/engines", "log/chains"),
    ),
    "cost": ("errors", "log"),
    "stores": ("_version", "errors", "core", "formats", "codec", "patches", "log"),
    "_bridge": ("errors", "core", "formats", "codec", "jvm", "_version", "_format_options"),
    "_parity": ("errors", "core", "formats", "codec", "_schema", "integrations", "_bridge"),
    "__init__": (
        *("_version", "errors", "terms", "patches", "codec", "_schema", "streams", "engines"),
        *("datasource", "session", "functions", "algebra", "log", "_parity"),
    ),
    "cli": (
        *("_version", "_proto", "errors", "core", "jelly", "lines", "formats", "codec"),
        *(
            "patches",
            "integrations",
            "session",
            "log",
            "stores",
            "report",
            "_format_options",
            "_bridge",
            "_parity",
        ),
    ),
}
"""What each part may import besides itself, lowest parts first; a part allowed includes its parts.

A part is a module, or a folder with all that is in it, by its path below the package. A module
belongs to the part with the longest path. `__init__` is the package itself.
"""

NAMING = (
    # The overloads, by which type checkers know the rows of a format.
    "codec.py",
    # The default of `parity`, which `help` shows.
    "_parity.py",
    # Spark pickles the class of a data source by its name, so each is an attribute of the module.
    "datasource/sources.py",
)
"""The modules outside `formats` that may name formats, since users or Spark see the names there."""

Graph = dict[str, set[str]]


def part_of(module: str) -> str:
    """Return the part that a module belongs to."""
    parts = [part for part in LAYERS if is_within(module, part)]
    assert parts, f"{module} belongs to no part: add it to LAYERS, and to ARCHITECTURE.md"
    return max(parts, key=len)


def is_within(path: str, part: str) -> bool:
    return f"{path}/".startswith(f"{part}/")


@pytest.fixture(scope="module")
def graph() -> Graph:
    """The modules that each module imports, but for those that protoc generates."""
    found = grimp.build_graph(PACKAGE, cache_dir=None)
    return {
        _path(module): {*map(_path, found.find_modules_directly_imported_by(module))}
        for module in found.modules
        if not module.endswith("_pb2")
    }


def _path(module: str) -> str:
    """Return a module's path below the package."""
    return module.partition(".")[2].replace(".", "/") or "__init__"


def test_no_arrow_points_up(graph: Graph) -> None:
    assert len(graph) > len(LAYERS)
    arrows = [
        f"{module} -> {target}: {part} may not use {part_of(target)}"
        for module, targets in graph.items()
        for part in (part_of(module),)
        for target in targets
        if part_of(target) != part
        and not any(is_within(part_of(target), allowed) for allowed in LAYERS[part])
    ]
    assert arrows == []


def test_no_circles(graph: Graph) -> None:
    # An error names the modules of a circle.
    TopologicalSorter(graph).prepare()


def test_no_format_imports_another(graph: Graph) -> None:
    arrows = [
        f"{module} -> {target}"
        for module, targets in graph.items()
        for target in targets
        if module.startswith("formats/")
        and is_within(target, "formats")
        and module.split("/")[1] != target.partition("/")[2].partition("/")[0]
    ]
    assert arrows == []


def test_layers_are_in_order() -> None:
    """Each part uses only parts before it, so LAYERS itself draws no circle and no arrow up."""
    seen: list[str] = []
    for part, allowed in LAYERS.items():
        assert {*allowed} <= {*seen}, part
        seen.append(part)


def test_only_formats_know_their_names() -> None:
    package = Path(jelly_spark.__file__).parent
    modules = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
    naming = {
        name: [
            f"{name}:{node.lineno}: {node.value}"
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and node.value in {*READ, *WRITTEN}
        ]
        for name, path in modules.items()
        if not is_within(name, "formats")
    }
    assert all(naming[name] for name in NAMING)
    assert [line for name, found in naming.items() if name not in NAMING for line in found] == []
