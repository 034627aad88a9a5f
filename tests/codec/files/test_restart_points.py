"""Restart points and their index: writing them, reading parts, and wrong indexes."""

import io
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyPatchReader,
    JellyRdfOptions,
    JellyRdfReader,
    JellyRdfWriter,
    LogicalType,
    PatchRow,
    PhysicalType,
    RdfRow,
    StreamType,
    read_jelly_patch,
    read_jelly_rdf,
)
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError
from jelly_spark.jelly.frames.restart_index import (
    KEY,
    RestartPoint,
    encode_index,
    has_room,
    index_field,
    index_size,
)
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.wire import sized
from jelly_spark.terms import Literal, format_term
from tests.codec.files.restart_files import (
    all_options,
    name_of,
    points_of,
    read,
    rows_for,
    with_index,
    without_index,
    write,
)
from tests.frames import frame_contents
from tests.numbering import numbered

INTERVALS = [1, 100, 700]

RDF_STREAMS = [option for option in all_options(200) if isinstance(option, JellyRdfOptions)]

streams = pytest.mark.parametrize("options", list(all_options(200)), ids=name_of)
every_stream = pytest.mark.parametrize(
    "options",
    [
        pytest.param(options, id=f"{name_of(options)}-{interval}")
        for interval in INTERVALS
        for options in all_options(interval)
    ],
)


def without(rows: list[Any], column: str) -> list[Any]:
    return [row._replace(**{column: None}) if hasattr(row, column) else row for row in rows]


@every_stream
def test_rows_are_the_same_with_and_without_restart_points(options: JellyOptions) -> None:
    rows = rows_for(options)
    data = write(rows, options)
    plain = write(rows, type(options)(**{**vars(options), "restart_interval": 0}))
    assert points_of(data)
    assert not points_of(plain)
    expected, found = read(plain, options), read(data, options)
    if isinstance(options, JellyRdfOptions) and not options.logical_type.grouped:
        # A restart point ends a frame early, so frames that end by their size have other numbers.
        expected, found = without(expected, "frame"), without(found, "frame")
    assert found == expected
    assert read(data, options, strict=isinstance(options, JellyRdfOptions)) == read(data, options)


@every_stream
def test_parts_have_all_rows(options: JellyOptions) -> None:
    data = write(rows_for(options), options)
    whole = read(data, options)
    points = points_of(data)
    random = Random(0)
    for size in (1 << 40, len(data), 1000, 333, 64):
        ends = [*range(size, len(data), size), len(data)]
        starts = [0, *ends[:-1]]
        parts = zip(starts, ends, strict=True)
        assert [row for part in parts for row in read(data, options, part=part)] == whole
    cuts = {point.offset + shift for point in points[:3] + points[-3:] for shift in (-1, 0, 1)}
    for cut in [*cuts, *random.choices(range(len(data)), k=5)]:
        before, after = (read(data, options, part=part) for part in ((0, cut), (cut, 1 << 50)))
        assert before + after == whole


@streams
def test_restart_points_are_an_interval_apart(options: JellyOptions) -> None:
    data = write(rows_for(options), options)
    ends = [0, *(point.offset for point in points_of(data))]
    assert len(ends) > 3
    for begin, end in pairwise(ends):
        frames = frame_contents(data[begin:end])
        # Only the last frame may exceed the interval; empty frames may follow it.
        while not frames[-1]:
            frames.pop()
        size = sum(len(sized(frame)) for frame in frames)
        assert size - len(sized(frames[-1])) < options.restart_interval <= size + 4


@pytest.mark.parametrize("options", RDF_STREAMS, ids=name_of)
def test_namespaces_that_are_left_out_still_count_in_the_index(options: JellyRdfOptions) -> None:
    """A reader that leaves namespaces out still counts them: the index has their number."""
    data = write(rows_for(options), options)
    points = points_of(data)
    whole = read(data, options, namespaces=False)
    assert {row.name for row in whole} == {None}
    hidden = len(read(data, options)) - len(whole)
    assert (hidden > 0) == (points[-1].namespaces > 0) == options.namespaces
    found = []
    for part in pairwise([0, *(point.offset for point in points), len(data)]):
        found += read(data, options, namespaces=False, part=part)
    assert found == whole


@streams
def test_a_file_shorter_than_the_interval_has_no_restart_points(options: JellyOptions) -> None:
    rows = rows_for(options)
    plain = write(rows, type(options)(**{**vars(options), "restart_interval": 0}))
    long = write(rows, type(options)(**{**vars(options), "restart_interval": len(plain) + 9}))
    assert long == plain
    assert write(rows, type(options)(**{**vars(options), "restart_interval": 32 << 20})) == plain


@streams
def test_undelimited_files_have_no_restart_points(options: JellyOptions) -> None:
    given = {**vars(options), "delimited": False}
    # There is one frame.
    rows = [
        row if isinstance(row, PatchRow) else row._replace(frame=0) for row in rows_for(options)
    ]
    plain = write(rows, type(options)(**{**given, "restart_interval": 0}))
    data = write(rows, type(options)(**given))
    assert data == plain
    half = len(data) // 2
    assert read(data, options, part=(0, half)) == read(data, options)
    assert read(data, options, part=(half, len(data))) == []


def test_no_restart_point_after_the_last_row() -> None:
    options = JellyPatchOptions(stream_type=StreamType.FRAME, restart_interval=1)
    end = PatchRow("END")
    data = write([PatchRow("TX"), PatchRow("TC"), end, end, end], options)
    assert points_of(data) == []
    assert len(frame_contents(data)) == 3


def test_a_restart_point_comes_after_empty_frames() -> None:
    options = JellyPatchOptions(stream_type=StreamType.FRAME, restart_interval=1)
    mark, end = PatchRow("TX"), PatchRow("END")
    data = write(list(numbered([end, mark, end, end, end, mark, mark])), options)
    first, second = points_of(data)
    # The end of the first frame, before the options, is no row.
    assert first == RestartPoint(1, 1)
    assert second._replace(offset=0) == RestartPoint(0, 4, 4, 0, 3, 1)
    assert [row.op for row in read(data, options)] == ["TX", "END", "END", "END", "TX", "TX", "END"]


def test_the_last_frame_holds_the_index_behind_metadata() -> None:
    options = JellyRdfOptions(restart_interval=1)
    out = io.BytesIO()
    with JellyRdfWriter(out, options) as writer:
        for number in range(4):
            writer.write(RdfRow("_:s", "<p>", f'"{number}"'))
            writer.end_frame({"a": b"1", "z": b"2"})
    data = out.getvalue()
    assert len(points_of(data)) == 3
    assert data.endswith(b"JellyIdx")
    frames = list(JellyRdfReader(io.BytesIO(data)).frames())
    assert [frame.metadata for frame in frames] == [{"a": b"1", "z": b"2"}] * 4
    in_parts = [
        frame
        for part in ((0, 40), (40, 1 << 30))
        for frame in JellyRdfReader(io.BytesIO(data), part=part).frames()
    ]
    assert in_parts == frames


def test_the_key_of_the_index_is_reserved() -> None:
    with (
        pytest.raises(UnwritableRowError, match=r"the key 'jelly-spark.index' of metadata is res"),
        JellyRdfWriter(io.BytesIO()) as writer,
    ):
        writer.end_frame({KEY: b""})


def test_the_size_of_an_index_is_limited() -> None:
    most = (2**24 - index_size(0)) // 56
    assert has_room(most - 1)
    assert not has_room(most)
    assert len(encode_index([RestartPoint()] * 3, 0)) == index_size(3)


@pytest.mark.parametrize("interval", [-1, 2**63, True, None])
def test_wrong_restart_intervals_are_rejected(interval: Any) -> None:
    with pytest.raises(OptionError, match="restart_interval must be a whole number from 0 to 9223"):
        JellyPatchOptions(restart_interval=interval)


def test_the_option_by_name() -> None:
    options = JellyRdfOptions.from_strings({"RESTARTINTERVAL": "5"})
    assert options.restart_interval == 5
    assert options.to_strings()["restartInterval"] == "5"
    assert JellyPatchOptions().restart_interval == 33554432


@pytest.mark.parametrize("part", [(0,), (0, 1, 2), (-1, 5), (0, 1.0), (True, 5), [0, 5], 5])
def test_wrong_parts_are_rejected(part: Any) -> None:
    for reader in (JellyPatchReader, JellyRdfReader):
        with pytest.raises(
            OptionError, match="part must be None or a pair of byte offsets 0 <= start <= end, not "
        ):
            reader(io.BytesIO(), part=part)


def test_files_and_streams(tmp_path: Path) -> None:
    options = JellyPatchOptions(restart_interval=100, frame_size=3)
    data = write(rows_for(options), options)
    path = tmp_path / "log.jellyp"
    path.write_bytes(data)
    half = len(data) // 2
    stream = io.BytesIO(b"before" + data)
    for part in ((0, half), (half, len(data))):
        expected = read(data, options, part=part)
        assert list(read_jelly_patch(path, part=part)) == expected
        stream.seek(6)
        assert list(read_jelly_patch(stream, part=part)) == expected
    assert list(read_jelly_rdf(io.BytesIO(), part=(0, 9))) == []
    with JellyPatchReader(path, part=(len(data), len(data) + 1)) as reader:
        assert list(reader) == []
        assert reader.options is None


def rows_or_error(data: bytes, options: JellyOptions, **how: Any) -> list[Any] | str:
    """Return the rows, or what is wrong: where, what was expected and what found."""
    try:
        return read(data, options, **how)
    except MalformedInputError as error:
        return f"{error.offset}, {error.row}: {error.expected}; {error.found}"


@streams
def test_forged_counts(options: JellyOptions) -> None:
    data = without_index(write(rows_for(options), options))
    points = points_of(write(rows_for(options), options))
    number = len(points) // 2
    point = points[number]
    for count in RestartPoint._fields[1:]:
        wrong = point._replace(**{count: not point.in_transaction})
        if count != "in_transaction":
            wrong = point._replace(**{count: getattr(point, count) + 1})
        forged = with_index(data, [*points[:number], wrong, *points[number + 1 :]])
        assert read(forged, options) == read(data, options)
        found = rows_or_error(forged, options, part=(0, point.offset))
        assert found == (
            f"{point.offset}, None: the counts in the index: {wrong.counts()}; {point.counts()}"
        )


@streams
def test_shifted_offsets(options: JellyOptions) -> None:
    written = write(rows_for(options), options)
    data, points = without_index(written), points_of(written)
    number = len(points) // 2
    point = points[number]
    frames = {0}
    for frame in frame_contents(written):
        frames.add(max(frames) + len(sized(frame)))
    for shift in (-7, -1, 1, 7):
        offset = point.offset + shift
        forged = with_index(data, [*points[:number], point._replace(offset=offset)])
        begin = max(frame for frame in frames if frame < offset)
        end = min(frame for frame in frames if frame >= offset)
        found = rows_or_error(forged, options, part=(0, offset))
        if offset in frames:
            assert isinstance(found, str) and found.startswith(f"{offset}, None: what the index")
        else:
            assert found == (
                f"{begin}, None: a frame that ends by byte {offset}, where the index has a restart "
                f"point; a frame that ends at byte {end}"
            )


@streams
def test_restart_points_forged_at_other_frames_are_rejected(options: JellyOptions) -> None:
    """Such frames need rows before them; reading all parts always finds that."""
    plain = type(options)(**{**vars(options), "restart_interval": 0})
    data = write(rows_for(options), plain)
    at = rows = tried = 0
    for number, frame in enumerate(frame_contents(data)):
        if at:
            tried += 1
            # The error tells the right counts, which the second forgery then uses.
            forged = with_index(data, [RestartPoint(at, number, rows)])
            found = rows_or_error(forged, options, part=(0, at))
            assert isinstance(found, str)
            if "; " in found and "frames, " in found:
                right = found.rsplit("; ", 1)[1]
                numbers = [int(word) for word in right.split() if word.isdigit()]
                point = RestartPoint._make([at, *numbers[:5], right.endswith("open")])
                forged = with_index(data, [point])
                found = rows_or_error(forged, options, part=(0, at))
                first = (
                    "None: an options row first; no row" if not frame else "0: an options row fi"
                )
                assert isinstance(found, str) and found.startswith(f"{at}, {first}")
            else:
                assert found.endswith("the end of the graph; a restart point")
        at += len(sized(frame))
    assert tried > 2


@pytest.mark.parametrize("has_key", [False, True])
def test_literals_that_end_as_an_index(has_key: bool) -> None:
    """The last literal holds a whole index, of this file: it is text, and nothing else."""
    options = JellyRdfOptions(restart_interval=0)
    point = RestartPoint(offset=100, frames=1, rows=10)

    def forged(padding: int, length: int) -> bytes:
        index = index_field([point], length) if has_key else encode_index([point], length)
        rows = [RdfRow("<s>", "<p>", f'"{i}{"x" * padding}"') for i in range(9)]
        literal = format_term(Literal(index.decode("latin-1")))
        return write([*rows, RdfRow("<s>", "<p>", literal)], options)

    # The index must be UTF-8.
    files = (forged(padding, len(forged(padding, 0))) for padding in range(99))
    data = next(data for data in files if data[-24:].isascii())
    whole = read(data, options)
    assert len(whole) == 10
    for end in range(1, len(data), 50):
        parts = [read(data, options, part=part) for part in ((0, end), (end, len(data)))]
        assert parts == [whole, []]


def test_indexes_of_other_files() -> None:
    options = JellyPatchOptions(restart_interval=100, frame_size=3)
    data = write(rows_for(options), options)
    whole = read(data, options)
    other = write(rows_for(options, seed=1), options)
    foreign = frame_contents(other)[-1][-index_size(len(points_of(other))) :]
    cut = without_index(data)
    *frames, last = frame_contents(cut)
    damaged = [
        b"".join(map(sized, [*frames, last + b"\x7a" + sized(foreign)])),
        data[:-8] + b"JellyIdy",
        data[:-16] + (56).to_bytes(8, "little") + data[-8:],
        data[:-16] + (2**63).to_bytes(8, "little") + data[-8:],
        with_index(cut, [*points_of(data)[1:], points_of(data)[0]]),
        with_index(cut, [RestartPoint(0)]),
        with_index(cut, [RestartPoint(1 << 40)]),
        with_index(cut, []),
    ]
    for file in damaged:
        assert points_of(file) == []
        assert read(file, options, part=(0, 1)) == whole
        assert read(file, options, part=(1, len(file))) == []


def test_versions_of_the_index() -> None:
    options = JellyPatchOptions(restart_interval=100, frame_size=3)
    data = write(rows_for(options), options)
    version = len(data) - index_size(len(points_of(data)))
    later = data[:version] + b"\x02" + data[version + 1 :]
    assert points_of(later) == []
    assert read(later, options, part=(0, 1)) == read(data, options)


def test_concatenated_files() -> None:
    options = JellyRdfOptions(restart_interval=100, frame_size=3, namespaces=True)
    data = write(rows_for(options), options)
    both = data + data
    assert read(both, options, part=(0, 1)) == read(both, options)
    assert read(both, options, part=(1, 1 << 30)) == []


def test_truncated_files() -> None:
    options = JellyPatchOptions(restart_interval=100, frame_size=3)
    data = write(rows_for(options), options)
    whole = read(data, options)
    for size in range(len(data) - 200, len(data), 7):
        found: list[PatchRow] = []
        with (
            pytest.raises(MalformedInputError, match="the end of the input at byte"),
            JellyPatchReader(io.BytesIO(data[:size]), part=(0, size)) as reader,
        ):
            for row in reader:
                found.append(row)
        assert len(found) > len(whole) // 2
        assert found == whole[: len(found)]
        assert read(data[:size], options, part=(1, size)) == []


@pytest.mark.parametrize("logical", [LogicalType.FLAT_QUADS, LogicalType.DATASETS])
def test_graphs_end_before_a_point(logical: LogicalType) -> None:
    options = JellyRdfOptions(
        physical_type=PhysicalType.GRAPHS, logical_type=logical, frame_size=4, restart_interval=50
    )
    rows = [RdfRow("_:s", "<p>", f'"{number}"', "<g>", frame=number // 3) for number in range(30)]
    data = write(rows, options)
    assert len(points_of(data)) > 3
    assert [row[:4] for row in read(data, options, part=(0, 1 << 40))] == [row[:4] for row in rows]
