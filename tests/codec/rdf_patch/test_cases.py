"""The cases of `tests/cases_text`, whose README says what is what; the JVM's codec has them too.

They hold every example of the two texts on RDF Patch.
"""

from pathlib import Path
from typing import Any

import pytest

from jelly_spark.codec import Style, read_rdf_patch
from jelly_spark.errors import MalformedInputError, UnwritableRowError
from tests.codec.rdf_patch.helpers import encode, read
from tests.parity.oplines import op_from_row, read_json_lines, rows_from_ops

_CASES = Path(__file__).resolve().parents[2] / "cases_text"


def _params(name: str) -> list[Any]:
    lines = read_json_lines(_CASES / name)
    return [pytest.param(case, id=f"{name}:{i}") for i, case in enumerate(lines, 1)]


def test_the_cases_are_there() -> None:
    assert list(_CASES.glob("spec-*.rdfp"))
    assert list(_CASES.glob("v1-*.rdfp"))


@pytest.mark.parametrize("path", sorted(_CASES.glob("*.rdfp")), ids=lambda path: path.stem)
def test_rows(path: Path) -> None:
    assert [op_from_row(row) for row in read_rdf_patch(path)] == read_json_lines(
        path.with_suffix(".jsonl")
    )


@pytest.mark.parametrize("case", _params("malformed.jsonl"))
def test_malformed(case: dict[str, Any]) -> None:
    text = case["text"] if "text" in case else bytes.fromhex(case["hex"])
    with pytest.raises(MalformedInputError) as raised:
        read(text)
    _check(raised.value, case)


@pytest.mark.parametrize("case", _params("strict.jsonl"))
def test_malformed_if_strict(case: dict[str, Any]) -> None:
    read(case["text"])
    with pytest.raises(MalformedInputError) as raised:
        list(read_rdf_patch(case["text"].encode(), strict=True))
    _check(raised.value, case)


def _check(error: MalformedInputError, case: dict[str, Any]) -> None:
    assert error.place == f"line {case['line']} (row {case['row']}, byte {case['offset']})"
    found = error.row, error.offset, error.expected, error.found
    assert found == (case["row"], case["offset"], case["expected"], case["found"])


@pytest.mark.parametrize("case", _params("written.jsonl"))
def test_written(case: dict[str, Any]) -> None:
    style = Style[case["style"].upper()]
    try:
        text = encode(rows_from_ops(case["rows"]), style)
    except UnwritableRowError as error:
        assert error.rule == case["rule"]
    else:
        assert text == case["text"]
