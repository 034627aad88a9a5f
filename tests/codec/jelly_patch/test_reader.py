"""Reading: ordinals, files and streams, limits, memory, hostile input."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyPatchReader,
    PatchRow,
    ReadLimits,
    StreamType,
    read_jelly_patch,
)
from jelly_spark.errors import MalformedInputError
from tests.codec.damage import check_reading, damaged
from tests.codec.jelly_patch.helpers import CASES, OPTIONS, encode, frame, read
from tests.codec.streams import Trickle, peak_memory
from tests.shared import SHARED

SAMPLES = [
    data
    for folder in (CASES, SHARED / "parity")
    for path in sorted(folder.rglob("*.jellyp"))
    if len(data := path.read_bytes()) < 4000
]


def test_rows_carry_ordinals() -> None:
    ops = ["H", "TX", "A", "TX", "END", "TC", "TC", "TX", "TA", "END", "H"]
    messages = {
        "H": b"\x72\x02\x1a\x00",
        "TX": b"\x32\x00",
        "TC": b"\x3a\x00",
        "TA": b"\x42\x00",
        "END": b"\x7a\x00",
        "A": b"\x12\x06\x12\x00\x32\x00\x52\x00",
    }
    rows = read(frame(OPTIONS, *(messages[op] for op in ops)))
    assert [(row.op, row.patch, row.tx) for row in rows] == [
        ("H", 0, None),
        ("TX", 0, 0),
        ("A", 0, 0),
        ("TX", 0, 1),
        ("END", 0, 1),
        ("TC", 1, None),
        ("TC", 1, None),
        ("TX", 1, 2),
        ("TA", 1, 2),
        ("END", 1, None),
        ("H", 2, None),
    ]
    assert [row.seq for row in rows] == list(range(len(rows)))


def test_options_are_known_after_the_first_row() -> None:
    options = JellyPatchOptions(
        stream_type=StreamType.FLAT, max_prefix_table_size=0, delimited=False
    )
    reader = JellyPatchReader(io.BytesIO(encode([PatchRow("TX"), PatchRow("TC")], options)))
    assert reader.options is None
    assert [row.op for row in reader] == ["TX", "TC"]
    assert reader.options == options


def test_paths_and_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    path.write_bytes(frame(OPTIONS, b"\x32\x00", b"\x09"))
    with pytest.raises(MalformedInputError) as error:
        list(read_jelly_patch(path))
    assert str(error.value).startswith(f"{path}: frame at byte 0, row 2: expected ")
    with path.open("rb") as stream:
        with pytest.raises(MalformedInputError) as error:
            list(read_jelly_patch(stream))
        assert not stream.closed
    assert error.value.file == str(path)


def test_a_reader_closes_its_file_when_left_early(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    path.write_bytes(frame(OPTIONS, b"\x32\x00", b"\x3a\x00"))
    with JellyPatchReader(path) as reader:
        rows = iter(reader)
        assert next(rows).op == "TX"
    assert list(rows) == []
    with pytest.raises(ValueError, match="is closed"):
        next(reader)


def test_streams_that_return_one_byte_at_a_time() -> None:
    for data in SAMPLES[:20]:
        expected: list[PatchRow] | str
        try:
            expected = read(data)
        except MalformedInputError as error:
            expected = str(error)
        found: list[PatchRow] | str
        try:
            found = list(read_jelly_patch(Trickle(data)))
        except MalformedInputError as error:
            found = str(error)
        assert found == expected


def test_limits() -> None:
    data = encode([PatchRow("TX"), PatchRow("TC")])
    assert len(read(data)) == 2
    with pytest.raises(
        MalformedInputError,
        match=r"a prefix table of 0 to 149 entries \(option maxPrefixTableSize\)",
    ):
        list(read_jelly_patch(io.BytesIO(data), limits=ReadLimits(max_prefix_table_size=149)))


@pytest.mark.parametrize(
    "announced",
    [
        b"\xff\xff\xff\xff\x07" + b"\x0a\x12" + OPTIONS[:9],
        b"\x0a\xff\xff\xff\xff\x07" + OPTIONS,
        b"\xff\xff\xff\xff\x07" + b"\x12\xf0\xff\xff\xff\x07x",
    ],
)
def test_an_announced_length_reserves_no_memory(announced: bytes) -> None:
    def work() -> None:
        with pytest.raises(MalformedInputError, match="expected"):
            read(announced)

    assert peak_memory(work) < 2_000_000


@settings(max_examples=400)
@given(damaged(SAMPLES))
def test_damaged_files_raise_nothing_else(data: bytes) -> None:
    check_reading("jelly_patch", data)


@given(st.binary(max_size=300))
def test_random_bytes_raise_nothing_else(data: bytes) -> None:
    check_reading("jelly_patch", data)
