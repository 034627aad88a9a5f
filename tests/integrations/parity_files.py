"""The patches of the shared parity cases, which the reference wrote."""

from collections.abc import Callable

import pytest

from jelly_spark import codec, patches
from jelly_spark.codec import PatchRow
from jelly_spark.core.terms import parse_term
from jelly_spark.errors import InvalidTermError, PatchError
from tests.shared import SHARED

FILES = sorted((SHARED / "parity").glob("*.jellyp"))

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
"""Runs a test with each file as `path`."""


def test_the_shared_cases_are_there() -> None:
    if not FILES:
        pytest.skip("no shared cases: set JELLY_SPARK_SHARED")
    assert len(FILES) > 50


def committed_rows(data: bytes) -> list[PatchRow]:
    """Return the rows of a file, without the transactions that are still open at its end."""
    rows = list(codec.read(data, format="jelly_patch"))
    try:
        patches.state(rows)
    except PatchError:
        return patches.squash(rows, on_open="ignore")
    return rows


def holdable(rows: list[PatchRow], convert: Callable[[str], object]) -> list[PatchRow]:
    """Return the rows without the statements of which a library cannot hold a term."""
    return [row for row in rows if row.op not in ("A", "D") or _converts(row, convert)]


def _converts(row: PatchRow, convert: Callable[[str], object]) -> bool:
    try:
        for term in row[1:5]:
            if term is not None:
                parse_term(term)
                convert(term)
    except InvalidTermError:
        return False
    return True
