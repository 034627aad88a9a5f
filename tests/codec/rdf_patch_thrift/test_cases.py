"""The cases of `tests/cases_thrift`, which the JVM's tests hold against Jena.

`NAME.trp` is what Jena writes for the operations in `NAME.jsonl`. `recorded.trp` is what it records
while a dataset changes, where it names the default graph. A line of `accepted.jsonl` is
why, a file in hexadecimal digits, the operations in it; one of `malformed.jsonl` why, a file, and
the place, what is expected and what is found of the error in it, read strictly.
"""

from pathlib import Path
from typing import Any

import pytest

from jelly_spark.errors import MalformedInputError
from tests.codec.rdf_patch_thrift.helpers import encode, read
from tests.parity.oplines import op_from_row, read_json_lines, rows_from_ops

_CASES = Path(__file__).resolve().parents[2] / "cases_thrift"


def _params(name: str) -> list[Any]:
    return [
        pytest.param(*line[1:2], line[2:], id=line[0]) for line in read_json_lines(_CASES / name)
    ]


@pytest.mark.parametrize("name", ["headers", "statements", "prefixes", "transactions", "lengths"])
def test_bytes_of_jena(name: str) -> None:
    rows = list(rows_from_ops(read_json_lines(_CASES / f"{name}.jsonl")))
    data = (_CASES / f"{name}.trp").read_bytes()
    assert encode(rows) == data
    assert read(data) == rows


def test_recorded_by_jena() -> None:
    ops = [op_from_row(row) for row in read((_CASES / "recorded.trp").read_bytes())]
    assert ops == list(read_json_lines(_CASES / "recorded.jsonl"))


@pytest.mark.parametrize(("data", "ops"), _params("accepted.jsonl"))
def test_accepted(data: str, ops: list[list[str]]) -> None:
    assert [op_from_row(row) for row in read(bytes.fromhex(data))] == ops


@pytest.mark.parametrize(("data", "error"), _params("malformed.jsonl"))
def test_malformed(data: str, error: list[str]) -> None:
    with pytest.raises(MalformedInputError) as raised:
        read(bytes.fromhex(data), strict=True)
    found = raised.value
    assert [found.place, found.expected, found.found] == error
    place, expected, what = error
    hint = "" if found.hint is None else f" ({found.hint})"
    assert str(found) == f"<stream>: {place}: expected {expected}, found {what}{hint}"
