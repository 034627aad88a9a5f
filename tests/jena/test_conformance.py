"""Jelly-JVM in Spark passes the cases that this project's own codecs pass."""

import pytest

from tests.case_runner import Suite, run
from tests.codecs import JellyJvmCodec
from tests.conformance.cases import find_cases
from tests.conformance.suites import SUITES
from tests.parity.cases import find_cases as find_patch_cases
from tests.shared import ROOT


@pytest.mark.parametrize("suite", SUITES[:2], ids=lambda suite: suite.title)
def test_jelly_rdf(
    suite: Suite, jelly_jvm: JellyJvmCodec, capsys: pytest.CaptureFixture[str]
) -> None:
    if not suite.folder.is_dir():
        pytest.skip(f"no suite at {suite.folder}: set JELLY_SPARK_SHARED")
    cases = list(find_cases(suite.folder))
    assert run(suite.folder, cases, [jelly_jvm], suite.exceptions) == 0
    exceptions = sum(map(len, suite.exceptions.values()))
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("EXCEPTION ") for line in lines) == exceptions
    assert lines[-1] == f"{len(cases) - exceptions} passed, 0 failed"


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
