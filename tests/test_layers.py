"""The layers of the Python package, as ARCHITECTURE.md draws them: no arrow points up, no circles.

All imports count: those at the top of a module, in functions, and under `TYPE_CHECKING`.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from jelly_spark.formats import WRITTEN
from tests.shared import ROOT

PACKAGE = "jelly_spark"
FOLDER = ROOT / "python" / PACKAGE

_JELLY = ("errors", "core", "_proto", "jelly/lookup_ids", "jelly/options", "jelly/wire")
_CODEC = ("errors", "core", "jelly", "lines", "_proto")

LAYERS: dict[str, tuple[str, ...]] = {
    "_proto": (),
    "_version": (),
    "errors": (),
    "core": ("errors",),
    "jelly": (),
    "jelly/lookup_ids": (),
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
    "streams": ("core", "_schema"),
    "engines": ("core", "formats"),
    "_reader_options": ("core", "jelly/options"),
    "datasource": (
        *("errors", "core", "jelly/frames", "lines", "formats", "_schema", "_reader_options"),
    ),
    "jvm": ("errors", "core"),
    "session": ("errors", "jvm", "_version"),
    "python_functions": ("errors", "core", "formats", "_schema", "_reader_options"),
    "functions": ("errors", "core", "jvm", "python_functions"),
    "algebra": ("errors", "core", "formats", "patches", "functions"),
    "report": ("errors", "core", "patches"),
    "log": (
        *("errors", "core", "formats", "codec", "_schema"),
        *("functions", "patches", "algebra", "report"),
    ),
    "cost": ("errors", "log"),
    "stores": ("_version", "errors", "core", "formats", "codec", "patches", "log"),
    "_bridge": ("errors", "core", "formats", "codec", "jvm", "_version", "_reader_options"),
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
            "_reader_options",
            "_bridge",
            "_parity",
        ),
    ),
}
"""What each part may import besides itself, lowest parts first; a part allowed includes its parts.

A part is a module, or a folder with all that is in it, by its path below the package. A module
belongs to the part with the longest path. `__init__` is the package itself.
"""

Graph = dict[str, list[str]]


def name_of(path: Path) -> str:
    """Return a module's name: its path below the package; an `__init__` has its folder's name."""
    relative = path.relative_to(FOLDER).with_suffix("")
    in_folder = relative.name == "__init__" and len(relative.parts) > 1
    return (relative.parent if in_folder else relative).as_posix()


def module_paths() -> dict[str, Path]:
    """Return the modules that we write, by name: all but those that protoc generates."""
    paths = sorted(FOLDER.rglob("*.py"))
    return {name_of(path): path for path in paths if not path.stem.endswith("_pb2")}


def imports_of(source: str, modules: Mapping[str, object]) -> Iterator[str]:
    """Yield the names of the package's modules that a module imports.

    Args:
        source: the module's text.
        modules: all modules, by name: they tell `from package import module` from other names.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            package, _, path = target.replace(".", "/").partition("/")
            if package != PACKAGE:
                continue
            parent = path.rpartition("/")[0]
            if path in modules:
                yield path
            elif isinstance(node, ast.ImportFrom) and parent:
                yield parent
            else:
                yield "__init__"


def part_of(module: str) -> str:
    """Return the part that a module belongs to."""
    parts = [part for part in LAYERS if is_within(module, part)]
    assert parts, f"{module} belongs to no part: add it to LAYERS, and to ARCHITECTURE.md"
    return max(parts, key=len)


def is_within(path: str, part: str) -> bool:
    return f"{path}/".startswith(f"{part}/")


def upward_arrows(graph: Graph) -> list[str]:
    """Return the imports that LAYERS does not allow."""
    return [
        f"{module} -> {target}: {part} may not use {part_of(target)}"
        for module, targets in graph.items()
        for part in (part_of(module),)
        for target in targets
        if part_of(target) != part
        and not any(is_within(part_of(target), allowed) for allowed in LAYERS[part])
    ]


def circle(graph: Graph) -> list[str]:
    """Return the modules of a circle of imports, the first one again at the end; [] if none."""
    done: set[str] = set()

    def search(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        for target in graph.get(module, ()):
            if found := search(target, [*path, module]):
                return found
        done.add(module)
        return []

    return next((found for module in graph if (found := search(module, []))), [])


@pytest.fixture(scope="module")
def graph() -> Graph:
    """The modules that each module imports."""
    paths = module_paths()
    return {name: [*imports_of(path.read_text("utf-8"), paths)] for name, path in paths.items()}


def test_no_arrow_points_up(graph: Graph) -> None:
    assert len(graph) > len(LAYERS)
    assert upward_arrows(graph) == []


def test_no_circles(graph: Graph) -> None:
    assert " -> ".join(circle(graph)) == ""


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


MODULES = dict.fromkeys(("__init__", "core", "core/rows", "jelly", "jelly/wire", "formats"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import jelly_spark", ["__init__"]),
        ("import jelly_spark.core.rows as r", ["core/rows"]),
        ("from jelly_spark import __version__, core", ["__init__", "core"]),
        ("from jelly_spark.jelly import wire", ["jelly/wire"]),
        ("from jelly_spark.core.rows import PatchRow", ["core/rows"]),
        ("from jelly_spark._proto.rdf_pb2 import RdfIri", ["_proto/rdf_pb2"]),
        ("def f():\n    from jelly_spark.core.rows import A", ["core/rows"]),
        ("if TYPE_CHECKING:\n    from jelly_spark.core.rows import A", ["core/rows"]),
        ("import json\nfrom pyspark.sql import jelly_spark", []),
    ],
)
def test_all_imports_count(source: str, expected: list[str]) -> None:
    assert [*imports_of(source, MODULES)] == expected


def test_arrows_are_found() -> None:
    found = upward_arrows(
        {
            "core/rows": ["errors", "core/terms", "jelly/wire"],
            "jelly/wire": ["core/rows", "jelly/frames/frame_reader"],
            "formats/jelly_patch/reader": ["jelly/frames/frame_reader", "formats/rdf_patch/reader"],
            "_bridge": ["formats/jelly_patch/options", "session"],
        }
    )
    assert found == [
        "core/rows -> jelly/wire: core may not use jelly/wire",
        "jelly/wire -> jelly/frames/frame_reader: jelly/wire may not use jelly/frames",
        "formats/jelly_patch/reader -> formats/rdf_patch/reader: "
        "formats/jelly_patch may not use formats/rdf_patch",
        "_bridge -> session: _bridge may not use session",
    ]
    with pytest.raises(AssertionError, match="extra belongs to no part"):
        upward_arrows({"extra": []})


def test_circles_are_found() -> None:
    assert circle({"a": ["b", "c"], "b": [], "c": ["d"], "d": ["b", "c"]}) == ["c", "d", "c"]
    assert circle({"a": ["a"]}) == ["a", "a"]
    assert circle({"a": ["b", "c"], "b": ["c"], "c": ["d"]}) == []
