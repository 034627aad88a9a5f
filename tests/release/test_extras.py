"""The extras in pyproject.toml, alone and together, with the oldest and the newest versions.

Each extra's tests run with the oldest Python and the oldest versions that it allows, and with the
newest of both, in an environment that has the wheel and the tools of the tests.
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

FILES = "tests/codec/files/test_files.py"

# The tests of each extra, and what they need besides it.
TESTS: dict[str, tuple[list[str], list[str]]] = {
    "spark": (["tests/versions", "-m", "not long"], ["pandas", "pyarrow"]),
    "zstd": ([FILES, "tests/codec/test_codec.py", "-k", "zst"], ["fsspec"]),
    "fsspec": ([FILES, "-k", "urls"], ["zstandard"]),
    # The screens are those of one version of rich.
    "cli": (
        ["tests/cli", "-k", "not screens and not test_spark and not verify"],
        ["zstandard", "pyoxigraph"],
    ),
    "rdf": (["tests/codec/rdf", "tests/integrations/wikidata"], ["zstandard"]),
    "rdflib": (["tests/integrations/rdflib"], ["pyjelly"]),
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


def lowest(*extras: str) -> list[str]:
    """The oldest versions that the package and extras allow: `click>=8.2` as `click==8.2`."""
    versions = []
    for requirement in map(Requirement, metadata("Requires-Dist")):
        marker = requirement.marker
        if requirement.name != NAME.partition("-")[0].replace("_", "-") and (
            marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)
        ):
            (bound,) = [each.version for each in requirement.specifier if each.operator == ">="]
            versions.append(f"{requirement.name}=={bound}")
    return versions


def test_each_extra_has_tests() -> None:
    assert {*TESTS, "all"} == {*metadata("Provides-Extra")}


BOUNDS = {"lowest": "3.10", "highest": "3.13"}
"""The versions of Python with which the bounds of the extras are tested."""


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("extra", TESTS)
def test_alone(extra: str, bound: str, tmp_path: Path) -> None:
    tests, tools = TESTS[extra]
    versions = lowest(extra) if bound == "lowest" else []
    files = ("requirements.txt", "requirements-dev.txt")
    requirements = "".join((ROOT / file).read_text() for file in files)
    pinned = dict(re.findall(r"^([\w-]+)\S*?==(\S+)", requirements, re.MULTILINE))
    tools = [f"{tool}=={pinned[tool]}" for tool in ["pytest", "hypothesis", *tools]]
    python = create(tmp_path / "venv", BOUNDS[bound], f"{built(WHEEL)}[{extra}]", *versions, *tools)
    report = run(python, "-m", "pytest", "--quiet", *tests, cwd=ROOT)
    assert " passed" in report
    print(", ".join(versions), report.splitlines()[-1])


TOGETHER = """
import jelly_spark
from jelly_spark import Log, codec, integrations, patches
from jelly_spark.integrations import arrow, oxigraph, pyjelly, rdflib
open("a.ttl", "w").write("<http://e/s> <http://e/p> 1 .")
codec.write("a.nt.zst", [row[:3] for row in codec.read("a.ttl")])
Log("log").commit(codec.read("a.nt.zst"))
print(codec.open_reader("log/" + "0" * 20 + ".jellyp").to_arrow().read_all().num_rows)
"""


@pytest.mark.parametrize("bound", BOUNDS)
def test_together(bound: str, tmp_path: Path) -> None:
    versions = lowest(*TESTS) if bound == "lowest" else []
    python = create(tmp_path / "venv", BOUNDS[bound], f"{built(WHEEL)}[all]", *versions)
    assert int(run(python, "-c", TOGETHER, cwd=tmp_path)) > 0
    run(python, "-m", "pip", "check", cwd=tmp_path)
