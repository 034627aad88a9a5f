"""What is written comes back, in both styles, however the text is laid out and arrives."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark.codec import PatchRow, Style, read_rdf_patch
from jelly_spark.errors import UnwritableRowError
from tests.codec.rdf_patch.helpers import encode, read
from tests.codec.rdf_patch.strategies import jena_patches, v1_patches
from tests.codec.streams import Trickle
from tests.numbering import numbered
from tests.parity.oplines import canonical_op, read_json_lines, rows_from_ops
from tests.shared import ROOT, SHARED


@given(jena_patches())
def test_jena(rows: list[PatchRow]) -> None:
    text = encode(rows)
    assert read(text) == rows
    assert encode(read(text)) == text
    assert text.count("\n") == len(rows)


@given(v1_patches())
def test_v1(rows: list[PatchRow]) -> None:
    text = encode(rows, Style.V1)
    # No row comes of a prefix.
    assert read(text) == numbered(row for row in rows if row.op != "PA")
    assert text.count("\n") == len(rows)


@given(v1_patches())
def test_both_styles_hold_the_same(rows: list[PatchRow]) -> None:
    statements = [row for row in rows if row.op != "PA"]
    assert read(encode(rows, Style.V1)) == read(encode(statements))


@given(st.one_of(jena_patches().map(encode), v1_patches().map(lambda rows: encode(rows, Style.V1))))
def test_any_layout(text: str) -> None:
    # No space stands before a row's end, or two anywhere: such rows are not read the fast way.
    assert read(text.replace(" .\n", "\n# .\n.")) == read(text)
    assert read(text.replace(" .\n", " .\r\n")) == read(text)


@given(jena_patches().map(encode), st.lists(st.integers(1, 40), min_size=1, max_size=5))
def test_any_pieces(text: str, sizes: list[int]) -> None:
    data = text.replace(" .\n", " . \n").encode()
    assert list(read_rdf_patch(Trickle(data, sizes))) == read(data)


@settings(max_examples=20)
@given(jena_patches(), st.integers(0, 1 << 16))
def test_any_place_in_the_first_read(rows: list[PatchRow], size: int) -> None:
    text = encode(rows)
    found = read(f"#{'x' * size}\n{text}")
    assert found == rows


_PARITY = [*(ROOT / "tests" / "cases").rglob("*.jsonl"), *(SHARED / "parity").rglob("*.jsonl")]


@pytest.mark.parametrize("path", sorted(_PARITY), ids=lambda path: path.stem)
def test_parity_cases(path: Path) -> None:
    rows = list(rows_from_ops(map(canonical_op, read_json_lines(path))))
    if path.stem == "labels-and-escapes":
        # The one whose IRIs would be read as blank nodes.
        with pytest.raises(UnwritableRowError, match="an IRI must not begin with '_:'"):
            encode(rows)
    else:
        assert read(encode(rows)) == rows
