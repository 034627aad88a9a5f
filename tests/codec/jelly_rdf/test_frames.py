"""Frames, one at a time and with their metadata, read and written."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jelly_spark._proto.rdf_pb2 import RdfStreamFrame
from jelly_spark.codec import (
    JellyRdfOptions,
    JellyRdfReader,
    JellyRdfWriter,
    LogicalType,
    PhysicalType,
    RdfFrame,
    RdfRow,
)
from jelly_spark.errors import MalformedInputError, UnwritableRowError
from tests.codec.jelly_rdf.helpers import (
    frame,
    frames_of,
    kinds,
    options_row,
    quad_row,
    read,
    triple_row,
)
from tests.codec.jelly_rdf.strategies import options, rows

A = RdfRow("<s>", "<p>", "<o>")


def read_frames(data: bytes) -> list[RdfFrame]:
    return list(JellyRdfReader(io.BytesIO(data), namespaces=True).frames())


def encode(frames: list[RdfFrame], options: JellyRdfOptions) -> bytes:
    out = io.BytesIO()
    with JellyRdfWriter(out, options) as writer:
        for rows_, metadata in frames:
            for row in rows_:
                writer.write(row)
            writer.end_frame(metadata)
    return out.getvalue()


def test_frames() -> None:
    data = (
        frame(a=b"1", b=b"\xff")
        + frame(options_row(), triple_row(), triple_row())
        + frame()
        + frame(triple_row(), a=b"")
    )
    found = read_frames(data)
    assert [[(row.frame, row.seq) for row in one.rows] for one in found] == [
        *([], [(1, 0), (1, 1)], [], [(3, 2)])
    ]
    assert [one.metadata for one in found] == [{"a": b"1", "b": b"\xff"}, {}, {}, {"a": b""}]
    # Reading rows gives the same rows.
    assert [row for one in found for row in one.rows] == read(data)


def test_an_undelimited_stream_is_one_frame() -> None:
    message = RdfStreamFrame(rows=[options_row(), triple_row()], metadata={"a": b"b"})
    (found,) = read_frames(message.SerializeToString())
    assert (len(found.rows), found.metadata) == (1, {"a": b"b"})


def test_a_frame_comes_as_soon_as_it_is_complete() -> None:
    first = frame(options_row(), triple_row())
    frames = JellyRdfReader(io.BytesIO(first + frame(quad_row()))).frames()
    assert len(next(frames).rows) == 1
    with pytest.raises(MalformedInputError, match=f"frame at byte {len(first)}, row 0"):
        next(frames)


def test_a_first_frame_of_ten_bytes_of_metadata() -> None:
    first = frame(abcd=b"")
    assert first[:3] == b"\x0a\x7a\x08"
    assert [one.metadata for one in read_frames(first + frame(options_row()))] == [
        {"abcd": b""},
        {},
    ]


def test_rows_or_frames(tmp_path: Path) -> None:
    path = tmp_path / "a.jelly"
    path.write_bytes(frame(options_row(), triple_row()) + frame(triple_row()))
    with JellyRdfReader(path) as reader:
        frames = reader.frames()
        assert reader.frames() is frames
        assert len(next(frames).rows) == 1
        with pytest.raises(ValueError, match="not over both"):
            list(reader)
    assert list(frames) == []
    with JellyRdfReader(path) as reader:
        next(iter(reader))
        with pytest.raises(ValueError, match="not over both"):
            reader.frames()


_ENTRIES = st.dictionaries(st.text(max_size=3), st.binary(max_size=3), max_size=3)
_METADATA = st.lists(_ENTRIES, min_size=1, max_size=4)
_ONE_METADATA = st.lists(_ENTRIES, min_size=1, max_size=1)


@settings(max_examples=100)
@given(st.data())
def test_frames_come_back(data: st.DataObject) -> None:
    # Frames of a flat stream that are longer than their size would be split.
    written = replace(data.draw(options()), frame_size=10_000)
    drawn = data.draw(rows(written))
    metadata = data.draw(_METADATA if written.delimited else _ONE_METADATA)
    size = len(drawn) // len(metadata) + 1
    frames = [
        RdfFrame([row._replace(frame=i) for row in drawn[i * size : (i + 1) * size]], entries)
        for i, entries in enumerate(metadata)
    ]
    file = encode(frames, written)
    found = read_frames(file)
    # An undelimited stream of nothing is an empty file, which has no frame.
    expected = frames if file else []
    assert file or (frames == [RdfFrame([], {})] and not written.delimited)
    assert [_content(one) for one in found] == [_content(one) for one in expected]
    assert encode(found, written) == file


def _content(one: RdfFrame) -> tuple[list[RdfRow], list[tuple[str, bytes]]]:
    return [row._replace(seq=None) for row in one.rows], list(one.metadata.items())


def test_metadata_comes_after_the_rows_in_the_order_given() -> None:
    data = encode([RdfFrame([A], {"b": b"1", "a": b"", "": b"\x00"})], JellyRdfOptions())
    assert data.endswith(
        b"\x7a\x06\x0a\x01b\x12\x011" + b"\x7a\x03\x0a\x01a" + b"\x7a\x03\x12\x01\x00"
    )
    (message,) = frames_of(data)
    assert dict(message.metadata) == {"b": b"1", "a": b"", "": b"\x00"}


def test_a_stream_that_begins_with_metadata_begins_with_its_options() -> None:
    """Otherwise its first bytes could look like those of an undelimited stream."""
    data = encode([RdfFrame([], {"abcd": b""}), RdfFrame([A], {})], JellyRdfOptions())
    assert [kinds(message)[:1] for message in frames_of(data)] == [["options"], ["prefix"]]
    assert [one.metadata for one in read_frames(data)] == [{"abcd": b""}, {}]


def test_empty_frames_need_no_options() -> None:
    assert encode([RdfFrame([], {})] * 2, JellyRdfOptions()) == b"\x00\x00"
    assert encode([RdfFrame([], {})], JellyRdfOptions(delimited=False)) == b""


def test_a_frame_that_was_ended_does_not_end_again() -> None:
    out = io.BytesIO()
    grouped = JellyRdfOptions(physical_type=PhysicalType.TRIPLES, logical_type=LogicalType.GRAPHS)
    with JellyRdfWriter(out, grouped) as writer:
        writer.write(A._replace(frame=0))
        writer.end_frame()
        writer.write(A._replace(frame=1))
        writer.write(A._replace(frame=2))
        writer.end_frame()
        writer.end_frame()
    assert [len(one.rows) for one in read_frames(out.getvalue())] == [1, 1, 1, 0]


@pytest.mark.parametrize("logical", [LogicalType.FLAT_QUADS, LogicalType.DATASETS])
def test_a_graph_ends_with_its_frame(logical: LogicalType) -> None:
    graphs = JellyRdfOptions(physical_type=PhysicalType.GRAPHS, logical_type=logical)
    data = encode([RdfFrame([A], {}), RdfFrame([A], {})], graphs)
    assert [kinds(message)[-1] for message in frames_of(data)] == ["graph_end", "graph_end"]


def test_an_undelimited_stream_ends_with_its_frame() -> None:
    undelimited = JellyRdfOptions(physical_type=PhysicalType.GRAPHS, delimited=False)
    data = encode([RdfFrame([A], {"a": b"b"})], undelimited)
    assert data.endswith(b"\x2a\x00\x7a\x06\x0a\x01a\x12\x01b")
    assert read_frames(data)[0].metadata == {"a": b"b"}
    with pytest.raises(UnwritableRowError, match="only one frame"):
        encode([RdfFrame([A], {}), RdfFrame([A], {})], undelimited)
    with pytest.raises(UnwritableRowError, match="only one frame"):
        encode([RdfFrame([A], {}), RdfFrame([], {"a": b"b"})], undelimited)


@pytest.mark.parametrize(
    ("metadata", "rule"),
    [
        ({1: b""}, "the keys of metadata must be strings, and its values bytes"),
        ({"a": "b"}, "the keys of metadata must be strings, and its values bytes"),
        (
            {"\ud800": b""},
            "a key of metadata must not hold a lone surrogate, which UTF-8 cannot encode",
        ),
    ],
)
def test_wrong_metadata_is_rejected(metadata: dict[str, bytes], rule: str) -> None:
    out = io.BytesIO()
    writer = JellyRdfWriter(out)
    writer.write(A)
    with pytest.raises(UnwritableRowError) as error:
        writer.end_frame(metadata)
    assert str(error.value) == rule
    with pytest.raises(ValueError, match="an earlier write failed"):
        writer.end_frame()
    assert out.getvalue() == b""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x02\x7a\x05", "a field that ends within its frame, found a field of 5 bytes"),
        (
            b"\x03\x7a\x01\x0a",
            "an entry of the metadata of a frame, found 1 bytes that are not an entry",
        ),
        (
            b"\x05\x7a\x03\x0a\x01\xff",
            "an entry of the metadata of a frame, found 3 bytes that are not an entry",
        ),
    ],
)
def test_malformed_metadata(data: bytes, message: str) -> None:
    first = frame(options_row(), triple_row())
    with pytest.raises(MalformedInputError) as error:
        read_frames(first + data)
    assert str(error.value) == f"<stream>: frame at byte {len(first)}: expected {message}"


def test_malformed_metadata_is_ignored_when_rows_are_read() -> None:
    data = frame(options_row(), triple_row()) + b"\x03\x7a\x01\x0a"
    assert len(read(data)) == 1
    with pytest.raises(MalformedInputError):
        read(data + b"\x02\x7a\x05")
