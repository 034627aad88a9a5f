"""Jelly-JVM in Spark passes the cases that this project's own codecs pass."""

from pathlib import Path

import pytest

from tests.case_runner import run
from tests.codecs import JellyJvmCodec
from tests.conformance.cases import find_cases
from tests.conformance.known import KNOWN
from tests.conformance.test_suite import OFFICIAL, OWN
from tests.parity.cases import find_cases as find_patch_cases
from tests.shared import ROOT


@pytest.mark.parametrize(("folder", "known"), [(OWN, 1), (OFFICIAL, 0)], ids=["own", "official"])
def test_jelly_rdf(
    folder: Path, known: int, jelly_jvm: JellyJvmCodec, capsys: pytest.CaptureFixture[str]
) -> None:
    if not folder.is_dir():
        pytest.skip(f"no suite at {folder}: set JELLY_SPARK_SHARED")
    cases = list(find_cases(folder))
    assert run(folder, cases, [jelly_jvm], KNOWN) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("KNOWN ") for line in lines) == known
    assert lines[-1] == f"{len(cases) - known} passed, 0 failed"


def test_cases_of_another_format_are_counted(
    jelly_jvm: JellyJvmCodec, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ROOT / "tests/cases"
    cases = list(find_patch_cases(folder))
    assert run(folder, cases, [jelly_jvm]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"jelly-jvm: {len(cases)} cases are of a format that it does not have",
        "0 passed, 0 failed",
    ]
