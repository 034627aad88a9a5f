"""The cases with the reference implementation's bytes, and this checkout's own."""

import sys
from pathlib import Path

import pytest

from jelly_spark.errors import MalformedInputError
from tests.case_runner import Case
from tests.codec.jelly_patch.helpers import CASES, read
from tests.codecs import PythonCodec
from tests.parity.cases import find_cases
from tests.shared import SHARED

PARITY = SHARED / "parity"
MOST_CALLS = 200
"""A bound on the function calls that a reader makes for each byte of any file."""


def case_name(case: Case) -> str:
    return f"{case.path.parent.name}/{case.path.stem}-{case.what}"


def cases(folder: Path) -> list[Case]:
    return list(find_cases(folder))


def test_the_shared_cases_are_there() -> None:
    if not PARITY.is_dir():
        pytest.skip(f"no shared cases at {PARITY}: set JELLY_SPARK_SHARED")
    assert cases(PARITY)


@pytest.mark.parametrize("case", cases(CASES) + cases(PARITY), ids=case_name)
def test_case(case: Case) -> None:
    case.check(PythonCodec())


@pytest.mark.parametrize(
    "path",
    [path for folder in (CASES, PARITY) for path in sorted(folder.glob("bad/*.jellyp"))],
    ids=lambda path: path.stem,
)
def test_malformed_files_end_soon(path: Path) -> None:
    """The work grows with the bytes, not with what they announce."""
    data = path.read_bytes()
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        read(data)
    except MalformedInputError as error:
        assert error.offset <= len(data)
    finally:
        sys.setprofile(None)
    assert 0 < calls < 2000 + MOST_CALLS * len(data)
