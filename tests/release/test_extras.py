"""The lower bounds in pyproject.toml: each extra's tests with the oldest versions that it allows.

They run with the oldest Python, in an environment that has the wheel, the oldest versions, and the
tools of the tests.
"""

import re
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from tests.packaging.dist import NAME, WHEEL, built
from tests.release.environments import create, run
from tests.shared import ROOT

# The tests of each extra, and what they need besides it.
TESTS: dict[str, tuple[list[str], list[str]]] = {
    "spark": (["tests/versions"], ["pandas", "pyarrow"]),
    "zstd": (["tests/codec/test_files.py", "tests/codec/test_codec.py", "-k", "zst"], ["fsspec"]),
    "fsspec": (["tests/codec/test_files.py", "-k", "urls"], ["zstandard"]),
    # The screens are those of one version of rich.
    "cli": (["tests/cli", "-k", "not screens and not test_spark and not verify"], ["zstandard"]),
    "rdf": (["tests/codec/rdf", "tests/integrations/wikidata"], ["zstandard"]),
    "rdflib": (["tests/integrations/rdflib"], []),
    "oxigraph": (
        ["tests/integrations/test_oxigraph.py", "tests/integrations/test_oxigraph_recording.py"],
        [],
    ),
    "arrow": (["tests/integrations/test_arrow.py"], ["pandas", "polars"]),
    "pyjelly": (["tests/integrations/test_pyjelly.py"], []),
}


def metadata(field: str) -> list[str]:
    """The values of a field of the wheel's metadata."""
    text = ZipFile(built(WHEEL)).read(f"{NAME}.dist-info/METADATA")
    return message_from_bytes(text).get_all(field, [])


def lowest(extra: str) -> list[str]:
    """The oldest versions that the package and an extra allow: `click>=8.2` as `click==8.2`."""
    versions = []
    for requirement in map(Requirement, metadata("Requires-Dist")):
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            (bound,) = [each.version for each in requirement.specifier if each.operator == ">="]
            versions.append(f"{requirement.name}=={bound}")
    return versions


def test_each_extra_has_tests() -> None:
    assert {*TESTS, "all"} == {*metadata("Provides-Extra")}


@pytest.mark.parametrize("extra", TESTS)
def test_lowest_versions(extra: str, tmp_path: Path) -> None:
    tests, tools = TESTS[extra]
    versions = lowest(extra)
    requirements = (ROOT / "requirements-dev.txt").read_text()
    pinned = dict(re.findall(r"^([\w-]+)\S*?==(\S+)", requirements, re.MULTILINE))
    tools = [f"{tool}=={pinned[tool]}" for tool in ["pytest", "hypothesis", *tools]]
    python = create(tmp_path / "venv", "3.10", f"{built(WHEEL)}[{extra}]", *versions, *tools)
    report = run(python, "-m", "pytest", "--quiet", *tests, cwd=ROOT)
    assert " passed" in report
    print(", ".join(versions), report.splitlines()[-1])
