"""The cases with the reference implementation's bytes, and this checkout's own."""

import time
from pathlib import Path

import pytest

from jelly_spark.errors import MalformedInputError
from tests.codec.jelly_patch.helpers import CASES, read
from tests.codecs import PythonCodec
from tests.parity.cases import Case, find_cases
from tests.shared import SHARED

PARITY = SHARED / "parity"
# Plenty for each malformed file, however hostile.
SECONDS = 1.0


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


@pytest.mark.parametrize("path", sorted(PARITY.glob("bad/*.jellyp")), ids=lambda path: path.stem)
def test_malformed_files_end_soon(path: Path) -> None:
    data = path.read_bytes()
    start = time.monotonic()
    try:
        read(data)
    except MalformedInputError as error:
        assert error.offset <= len(data)
    assert time.monotonic() - start < SECONDS
