"""The official suite, and this checkout's own, through both codecs."""

from pathlib import Path

import pytest

from jelly_spark.errors import MalformedInputError
from tests.conformance.cases import Case, find_cases
from tests.conformance.codecs import Codec
from tests.shared import ROOT, SHARED

OWN = ROOT / "tests/cases_conformance"
OFFICIAL = SHARED / "conformance/jelly-rdf"
# Their entries name the files of other cases.
FORGOTTEN = ("from_jelly/graphs_rdf_1_1/neg_001", "from_jelly/graphs_rdf_1_1/neg_002")

cases = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.path.relative_to(folder)}-{case.what}")
        for folder in (OWN, OFFICIAL)
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


@cases
def test_case(case: Case, codec: Codec) -> None:
    case.check(codec)


@pytest.mark.parametrize("name", FORGOTTEN)
def test_files_that_the_official_manifest_forgets(official: Path, name: str, codec: Codec) -> None:
    with pytest.raises(MalformedInputError):
        codec.decode(official / name / "in.jelly")
