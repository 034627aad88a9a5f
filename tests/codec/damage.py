"""Damaged files, and what a reader may make of them."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from jelly_spark.errors import MalformedInputError
from jelly_spark.formats import FORMATS


@st.composite
def damaged(draw: st.DrawFn, samples: Sequence[bytes]) -> bytes:
    """Draw one of the files with one to four bytes changed, cut off anywhere."""
    data = bytearray(draw(st.sampled_from(samples)))
    for _ in range(draw(st.integers(1, 4))):
        if data:
            data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(0, len(data)))])


def check_reading(format: str, data: bytes, **options: Any) -> MalformedInputError | None:
    """Read any bytes, and check that a `MalformedInputError` within them is all that is raised.

    Strict reading must give the same rows, or the first of them.

    Returns:
        The error of lenient reading; None if there is none.
    """
    found: list[list[Any]] = []
    errors: list[MalformedInputError | None] = []
    for strict in (False, True):
        rows: list[Any] = []
        error = None
        try:
            rows.extend(FORMATS[format].reader(data, strict=strict, **options))
        except MalformedInputError as raised:
            error = raised
            assert 0 <= error.offset <= len(data)
        found.append(rows)
        errors.append(error)
    lenient, strictly = found
    assert strictly == lenient[: len(strictly)]
    # What lenient reading takes for malformed is malformed.
    assert errors[0] is None or errors[1] is not None
    # Rows are missing only behind an error.
    assert errors[1] is not None or strictly == lenient
    return errors[0]
