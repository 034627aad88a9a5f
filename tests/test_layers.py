"""The layers that ARCHITECTURE.md draws: none uses one above it, and no format knows another."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from jelly_spark.formats import FORMATS
from tests.shared import ROOT

PACKAGE = ROOT / "python/jelly_spark"

BELOW: dict[str, set[str]] = {
    "errors": set(),
    "core": {"errors"},
    "jelly": {"errors", "core", "_proto"},
    **{f"formats/{name}": {"errors", "core", "jelly", "_proto"} for name in FORMATS},
    "codec": {"errors", "core", "jelly", "formats"},
    "terms": {"errors", "core"},
    "_schema": {"errors", "core", "formats"},
    "jvm": set(),
}
"""The parts of the package that each part may use, besides itself."""


def modules_of(part: str) -> list[Path]:
    folder = PACKAGE / part
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def imported(module: Path) -> Iterator[str]:
    """The modules of this package that a module imports, below the package, with slashes."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "jelly_spark":
                yield rest.replace(".", "/")


@pytest.mark.parametrize("part", BELOW)
def test_nothing_uses_what_is_above_it(part: str) -> None:
    allowed = {part, *BELOW[part]}
    modules = modules_of(part)
    assert modules
    for module in modules:
        for name in imported(module):
            assert any(f"{name}/".startswith(f"{below}/") for below in allowed), (module, name)
