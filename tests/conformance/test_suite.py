"""The suites, through both codecs."""

from pathlib import Path

import pytest

from jelly_spark.errors import MalformedInputError
from tests.case_runner import Case, Suite
from tests.codecs import Codec
from tests.conformance.cases import RejectsTriples, decode, find_cases, only
from tests.conformance.suites import OFFICIAL, SUITES, W3C

CASES = {suite.title: list(find_cases(suite.folder)) for suite in SUITES}

COUNTS = {
    "Jelly-RDF": 187,
    "Jelly-RDF, more cases": 6,
    "RDF 1.1 N-Triples": 70,
    "RDF 1.1 N-Quads": 87,
    "RDF 1.2 N-Triples, syntax": 29,
    "RDF 1.2 N-Triples, canonical form": 41,
    "RDF 1.2 N-Quads, syntax": 27,
    "RDF 1.2 N-Quads, canonical form": 41,
}
"""How many cases the suites have, so that none is missed."""


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.title)
def test_the_cases_are_there(suite: Suite) -> None:
    if not suite.folder.is_dir():
        pytest.skip(f"no suite at {suite.folder}: set JELLY_SPARK_SHARED")
    assert len(CASES[suite.title]) == COUNTS[suite.title]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.path.relative_to(suite.folder.parent)}-{case.what}")
        for suite in SUITES
        for case in CASES[suite.title]
    ],
)
def test_case(case: Case, codec: Codec) -> None:
    case.check(codec)


# The tool reads positive cases leniently, negative ones strictly.


@pytest.fixture
def official() -> Path:
    if not OFFICIAL.is_dir():
        pytest.skip(f"no suite at {OFFICIAL}: set JELLY_SPARK_SHARED")
    return OFFICIAL


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


def test_lenient_reading_rejects_what_is_not_rdf_11(codec: Codec) -> None:
    if not W3C.is_dir():
        pytest.skip(f"no suites of the W3C at {W3C}: set JELLY_SPARK_SHARED")
    cases = [case for case in find_cases(W3C) if isinstance(case, RejectsTriples)]
    assert cases
    for case in cases:
        with pytest.raises(MalformedInputError):
            codec.decode(only(case.entry.action), case.format)
