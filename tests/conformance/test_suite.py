"""The official suites, and this checkout's own, through both codecs."""

from pathlib import Path

import pytest

from jelly_spark.errors import MalformedInputError
from tests.case_runner import Case
from tests.codecs import Codec
from tests.conformance.cases import decode, find_cases
from tests.shared import ROOT, SHARED

OWN = ROOT / "tests/cases_conformance"
OFFICIAL = SHARED / "conformance/jelly-rdf"
W3C = SHARED / "conformance/w3c"

cases = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.path.relative_to(folder)}-{case.what}")
        for folder in (OWN, OFFICIAL, W3C)
        for case in find_cases(folder)
    ],
)


@pytest.fixture
def official() -> Path:
    if not OFFICIAL.is_dir():
        pytest.skip(f"no official suite at {OFFICIAL}: set JELLY_SPARK_SHARED")
    return OFFICIAL


def test_the_official_cases_are_there(official: Path) -> None:
    assert len(list(find_cases(official))) == 187


@pytest.mark.skipif(not W3C.is_dir(), reason=f"no suites of the W3C at {W3C}")
def test_the_cases_of_the_w3c_are_there() -> None:
    assert len(list(find_cases(W3C))) == 70 + 87


@cases
def test_case(case: Case, codec: Codec) -> None:
    case.check(codec)


# The tool reads positive cases leniently, negative ones strictly.


def test_strict_reading_accepts_the_positive_cases(official: Path, codec: Codec) -> None:
    files = sorted(official.glob("from_jelly/*/pos_*/in.jelly"))
    assert files
    for file in files:
        assert decode(codec, file, strict=True) == decode(codec, file)


def test_lenient_reading_rejects_the_negative_cases(official: Path, codec: Codec) -> None:
    files = sorted(official.glob("from_jelly/*/neg_*/in.jelly"))
    assert files
    for file in files:
        with pytest.raises(MalformedInputError):
            decode(codec, file)
