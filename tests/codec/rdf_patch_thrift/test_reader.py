"""Reading: round trips, damage, and what a reader takes and gives."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark.codec import PatchRow, RdfPatchThriftReader, RdfPatchThriftWriter
from jelly_spark.errors import MalformedInputError
from tests.codec.damage import check_reading
from tests.codec.rdf_patch_thrift.helpers import encode, read
from tests.codec.rdf_patch_thrift.strategies import patches
from tests.codec.streams import Trickle, peak_memory
from tests.numbering import numbered

_STATEMENT = PatchRow("A", "<urn:s>", "<urn:p>", '"o"')


@given(patches())
def test_round_trip(rows: list[PatchRow]) -> None:
    data = encode(rows)
    assert read(data) == rows
    assert encode(read(data)) == data


@given(patches(), st.data())
def test_cut_off(rows: list[PatchRow], data: st.DataObject) -> None:
    whole = encode(rows)
    length = data.draw(st.integers(0, len(whole)))
    ends = [len(encode(rows[:count])) for count in range(len(rows) + 1)]
    row = max(count for count, end in enumerate(ends) if end <= length)
    if ends[row] == length:
        assert read(whole[:length]) == rows[:row]
        return
    with pytest.raises(MalformedInputError) as raised:
        read(whole[:length])
    error = raised.value
    assert (error.offset, error.row, error.expected) == (ends[row], row, "the rest of the row")
    assert error.found == f"the end of the input at byte {length}"


@given(patches(), st.lists(st.tuples(st.integers(0, 1 << 20), st.binary(min_size=1, max_size=2))))
def test_changed_bytes(rows: list[PatchRow], changes: list[tuple[int, bytes]]) -> None:
    data = bytearray(encode(numbered([_STATEMENT, *rows])))
    for at, change in changes:
        at %= len(data)
        data[at : at + len(change)] = change
    _check(bytes(data))


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    _check(data)


def _check(data: bytes) -> None:
    if check_reading("rdf_patch_thrift", data) is None:
        rows = read(data)
        assert read(encode(rows)) == rows


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("1c188080808004" + "61" * 100, id="a name of 1 GiB"),
        pytest.param("79f3ffffffff7f" + "00" * 100, id="a list of 2^35 - 1 elements"),
    ],
)
def test_announced_lengths(data: str) -> None:
    def work() -> None:
        with pytest.raises(MalformedInputError, match="expected"):
            read(bytes.fromhex(data))

    assert peak_memory(work) < 1_000_000


def test_rows_before_an_error() -> None:
    reader = RdfPatchThriftReader(io.BytesIO(encode([_STATEMENT, _STATEMENT]) + b"\x00"))
    found: list[PatchRow] = []
    with pytest.raises(MalformedInputError, match="row 2 at byte"):
        found.extend(reader)
    assert [row.seq for row in found] == [0, 1]


def test_stream_of_single_bytes() -> None:
    rows = numbered([_STATEMENT, PatchRow("END")])
    assert list(RdfPatchThriftReader(Trickle(encode(rows)))) == rows


def test_rows_over_many_buffers() -> None:
    rows = numbered(
        PatchRow("A", f"<urn:{number}>", "<urn:p>", f'"{"x" * (number % 300)}"')
        for number in range(5000)
    )
    assert read(encode(rows)) == rows


def test_long_row() -> None:
    rows = numbered([PatchRow("H", name="long", value=f'"{"é" * 3_000_000}"'), _STATEMENT])
    assert read(encode(rows)) == rows


def test_path(tmp_path: Path) -> None:
    path = tmp_path / "patch.trp"
    with RdfPatchThriftWriter(path) as writer:
        writer.write(_STATEMENT)
    with RdfPatchThriftReader(path) as reader:
        assert list(reader) == numbered([_STATEMENT])
    path.write_bytes(b"\x00")
    with pytest.raises(MalformedInputError, match=rf"^{path}: row 0 at byte 0: expected a row "):
        list(RdfPatchThriftReader(path))
