"""What a package index shows of the README: the wheel's description."""

import re
import runpy
import shutil
import sys
from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from jelly_spark._version import __version__
from tests.shared import ROOT

RELATIVE_LINK = re.compile(r"\]\((?!https?://)")


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], str]:
    """Returns the description that a build gives with these lines at the end of pyproject.toml."""

    def describe(lines: str) -> str:
        for name in ("setup.py", "pyproject.toml", "README.md"):
            shutil.copy(ROOT / "python" / name, tmp_path)
        with (tmp_path / "pyproject.toml").open("a") as settings:
            settings.write(lines)
        found: list[str] = []
        # In place of setuptools, which runs the build.
        package, command = ModuleType("setuptools"), ModuleType("setuptools.command.build_py")
        package.__dict__["setup"] = lambda **given: found.append(given["long_description"])
        command.__dict__["build_py"] = object
        monkeypatch.setitem(sys.modules, "setuptools", package)
        monkeypatch.setitem(sys.modules, "setuptools.command.build_py", command)
        runpy.run_path(str(tmp_path / "setup.py"))
        return found[0]

    return describe


def test_without_a_repository_there_are_no_relative_links(
    described: Callable[[str], str],
) -> None:
    text = described("")
    assert RELATIVE_LINK.search(text) is None
    assert "![" not in text
    assert "- Quickstart\n" in text
    assert "(https://w3id.org/jelly/dev/specification/patch)" in text


def test_with_a_repository_links_lead_there(described: Callable[[str], str]) -> None:
    text = described('\n[project.urls]\nSource = "https://example.org/repository"\n')
    assert RELATIVE_LINK.search(text) is None
    assert "[Quickstart](https://example.org/repository/blob/main/docs/quickstart.md)" in text
    assert "](https://example.org/repository/raw/main/benchmarks/speed.svg)" in text


def test_the_wheel_has_it() -> None:
    name = f"jelly_spark-{__version__}"
    path = ROOT / f"dist/{name}-py3-none-any.whl"
    if not path.is_file():
        pytest.skip("no wheel: run `make wheel`")
    metadata = message_from_bytes(ZipFile(path).read(f"{name}.dist-info/METADATA"))
    assert metadata["Description-Content-Type"] == "text/markdown"
    text = str(metadata.get_payload())
    assert text.lstrip().startswith("# Jelly Spark\n")
    assert RELATIVE_LINK.search(text) is None
