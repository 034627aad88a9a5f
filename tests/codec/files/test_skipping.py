"""Filters in the index, and conditions with which readers skip restart ranges."""

import io
from collections.abc import Iterator
from random import Random
from typing import Any
from zlib import crc32

import pytest

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyPatchWriter,
    JellyRdfOptions,
    JellyRdfReader,
    JellyRdfWriter,
    PatchRow,
    RdfRow,
    read_jelly_patch,
)
from jelly_spark.core.bloom_filter import build_filter, may_contain
from jelly_spark.core.xxhash64 import xxhash64
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError
from jelly_spark.jelly.frames import term_filters
from jelly_spark.jelly.frames.restart_index import (
    RestartPoint,
    encode_points,
    index_field_size,
    read_index,
)
from jelly_spark.jelly.frames.term_filters import TermFilters, read_filters
from jelly_spark.jelly.options import TERM_COLUMNS, JellyOptions
from jelly_spark.jelly.wire import sized
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

ALL = ", ".join(TERM_COLUMNS)
PATCH = JellyPatchOptions(restart_interval=1400, frame_size=20, index_columns=ALL)
EX = "http://example.org/item/"
ROWS = [
    PatchRow("A", f"<{EX}{n // 4}>", f"<urn:p{n % 7}>", f'"{n % 50}"', f"<urn:g{n // 400}>")
    for n in range(1600)
]
DATA = write(ROWS, PATCH)
FILTERS_END = len(DATA) - index_field_size(len(points_of(DATA)))
"""The offset of the index, before which the filters end."""


class CountedFile(io.BytesIO):
    """A file that counts the bytes that are read from it."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        # A small file does not fill the buffer of a reader.
        data = super().read(size if size is None else min(size, 512))
        self.count += len(data)
        return data


def filters_of(data: bytes) -> TermFilters | None:
    stream = io.BytesIO(data)
    return read_filters(stream, 0, read_index(stream, 0))


def matching(rows: list[Any], where: dict[str, Any]) -> list[Any]:
    def allows(value: object, given: object) -> bool:
        single = given is None or isinstance(given, (str, int))
        return value == given if single else value in given  # type: ignore[operator]

    return [row for row in rows if all(allows(getattr(row, at), where[at]) for at in where)]


def conditions(random: Random, rows: list[Any]) -> dict[str, Any]:
    """Return a random condition, mostly on values that the rows have."""
    where: dict[str, Any] = {}
    for name in random.sample(rows[0]._fields, random.choice((1, 1, 2))):
        values = [getattr(row, name) for row in random.choices(rows, k=random.choice((1, 2, 5)))]
        number = random.randrange(len(rows))
        if name in ("patch", "tx", "frame", "seq"):
            span = range(number - 2, number + 9, random.choice((1, 3)))
            where[name] = random.choice([values, span, number, set(values), None])
        else:
            where[name] = random.choice([values, values[0], [*values, "<urn:none>"], "_:none"])
    return where


@pytest.mark.parametrize("options", list(all_options(100)), ids=name_of)
def test_skipping_gives_the_same_rows(options: JellyOptions) -> None:
    random = Random(name_of(options))
    for columns in ("graph, SUBJECT", ALL):
        given = type(options)(**{**vars(options), "index_columns": columns})
        data = write(rows_for(options), given)
        assert points_of(data)
        rows = read(data, options)
        cut = points_of(data)[3].offset
        for _ in range(4):
            where = conditions(random, rows)
            expected = matching(rows, where)
            assert read(data, options, where=where) == expected, where
            parts = [read(data, options, where=where, part=p) for p in ((0, cut), (cut, 1 << 40))]
            assert parts[0] + parts[1] == expected, where
            if options.format == "jelly_rdf" and "name" not in where and "value" not in where:
                shown = read(data, options, namespaces=False)
                found = read(data, options, namespaces=False, where=where)
                assert found == matching(shown, where), where


@pytest.mark.parametrize(
    ("where", "most"),
    [
        ({"subject": f"<{EX}17>"}, 0.15),
        ({"subject": {f"<{EX}17>", f"<{EX}317>"}}, 0.3),
        ({"subject": "<urn:none>"}, 0.15),
        ({"graph": "<urn:g2>"}, 0.45),
        ({"graph": "<urn:g1>", "object": '"77"'}, 0.15),
        ({"seq": range(500, 520)}, 0.15),
        ({"seq": [3, 1500]}, 0.2),
        # The last range may have any patch. It has the filters, too.
        ({"patch": 1}, 0.4),
        ({"tx": 0}, 0.4),
        ({"predicate": []}, 0.15),
    ],
)
def test_other_ranges_are_not_read(where: dict[str, Any], most: float) -> None:
    assert len(points_of(DATA)) > 15
    file = CountedFile(DATA)
    assert list(read_jelly_patch(file, where=where)) == matching(read(DATA, PATCH), where)
    assert file.count < most * len(DATA)


def test_files_that_cannot_seek_are_read_from_the_start() -> None:
    class Pipe(io.RawIOBase):
        data = io.BytesIO(DATA)

        def read(self, size: int = -1) -> bytes:
            return self.data.read(size)

    where = {"subject": f"<{EX}17>"}
    assert list(read_jelly_patch(Pipe(), where=where)) == matching(read(DATA, PATCH), where)


def test_the_file_without_its_filters_is_the_one_without_the_option() -> None:
    plain = write(ROWS, JellyPatchOptions(restart_interval=1400, frame_size=20))
    points = points_of(plain)
    assert points_of(DATA) == points
    frames = frame_contents(without_index(DATA))
    size = filters_size(DATA)
    assert term_filters.KEY.encode() in frames[-1][-size - 60 :]
    cut = b"".join(map(sized, [*frames[:-1], frame_contents(without_index(plain))[-1]]))
    assert with_index(cut, points) == plain
    assert filters_of(plain) is None
    # A shorter file has no index, so it has no filters.
    assert write(ROWS, JellyPatchOptions(index_columns=ALL)) == write(ROWS, JellyPatchOptions())


def filters_size(data: bytes) -> int:
    end = len(data) - index_field_size(len(points_of(data)))
    return int.from_bytes(data[end - 24 : end - 16], "little")


def test_the_layout_of_the_filters() -> None:
    """As the page on formats describes it."""
    options = JellyPatchOptions(restart_interval=1, frame_size=1, index_columns="predicate,object")
    rows = [PatchRow("A", "<urn:s>", "<urn:p>", f'"{n}"') for n in range(2)]
    data = write([*rows, PatchRow("H", name="n", value="<urn:v>")], options)
    points = points_of(data)
    end = len(data) - index_field_size(len(points))
    value = data[end - filters_size(data) : end]
    blocks, rest = value[: 4 * 32], value[4 * 32 :]
    assert blocks[:32] == blocks[32:64] == build_filter({xxhash64(b"<urn:p>")}, 10)
    assert blocks[64:] == b"".join(build_filter({xxhash64(b'"%d"' % n)}, 10) for n in range(2))
    counts = [1, 1, 0, 1, 1, 0]
    checks = [crc32(blocks[32 * n : 32 * n + 32]) for n in range(4)]
    checks[2:2] = [0]
    sizes = b"".join(
        n.to_bytes(4, "little") + check.to_bytes(4, "little")
        for n, check in zip(counts, [*checks, 0], strict=True)
    )
    assert rest[: len(sizes)] == sizes
    numbers = [int.from_bytes(rest[at : at + 8], "little") for at in range(len(sizes), 88, 8)]
    index = data[end:]
    summed = index[index.index(b"jelly-spark.index") + 17 :]
    summed = summed[summed.index((1).to_bytes(8, "little")) + 8 :][: 56 * len(points)]
    check = crc32(summed + rest[: len(sizes) + 32])
    assert numbers == [1, 0b0110, 3, len(value), check]
    assert rest[len(sizes) + 40 :] == b"JellyFl\xff"


def test_damaged_filters_lose_no_rows() -> None:
    """One byte of the filters is changed."""
    size = filters_size(DATA)
    where = {"subject": f"<{EX}17>"}
    expected = matching(read(DATA, PATCH), where)
    random = Random(1)
    ends = range(FILTERS_END - 48, FILTERS_END)
    for at in [*ends, *random.sample(range(FILTERS_END - size, FILTERS_END), 50)]:
        damaged = bytearray(DATA)
        damaged[at] ^= 1 << random.randrange(8)
        assert list(read_jelly_patch(bytes(damaged), where=where)) == expected


def test_filters_of_other_files_are_ignored() -> None:
    other = write(ROWS[1:] + ROWS[:1], PATCH)
    frames = frame_contents(without_index(DATA))
    foreign = frame_contents(without_index(other))[-1]
    at = foreign.index(term_filters.KEY.encode())
    data = with_index(without_index(DATA), points_of(DATA))
    assert filters_of(data) is not None
    joined = b"".join(map(sized, [*frames[:-1], frames[-1] + foreign[at - 16 :]]))
    moved = with_index(joined[: len(joined)], points_of(DATA))
    assert len(points_of(moved)) == len(points_of(DATA))
    assert filters_of(moved) is None


def test_literals_that_end_as_filters() -> None:
    """No literal has the byte FF, with which filters end."""
    assert term_filters._MAGIC[-1:] == b"\xff"
    with pytest.raises(UnicodeDecodeError):
        term_filters._MAGIC.decode()


def test_counts_that_decrease_are_found() -> None:
    points = points_of(DATA)
    forged = [points[0]._replace(rows=points[0].rows + 900), *points[1:]]
    data = with_index(without_index(DATA), forged)
    with pytest.raises(MalformedInputError, match="the counts in the index"):
        list(read_jelly_patch(data, where={"seq": 2}))


def test_counts_of_the_last_range_are_verified() -> None:
    """It has no counts at its own end."""
    *points, last = points_of(DATA)
    data = with_index(without_index(DATA), [*points, last._replace(rows=last.rows - 1)])
    with pytest.raises(MalformedInputError, match="the counts in the index"):
        list(read_jelly_patch(data, where={"seq": len(ROWS) - 2}))


def forgeries(points: list[RestartPoint]) -> Iterator[list[RestartPoint]]:
    """Yield the points with one number changed."""
    for at, point in enumerate(points):
        changed = [point._replace(in_transaction=not point.in_transaction)]
        for name in RestartPoint._fields[1:-1]:
            for change in (-1, 1, 2**40):
                changed.append(point._replace(**{name: getattr(point, name) + change}))
        for one in changed:
            yield [*points[:at], one, *points[at + 1 :]]


def conditions_of_one_row(row: Any) -> Iterator[dict[str, Any]]:
    """Yield conditions on one or two columns that a row satisfies."""
    values = {name: value for name, value in row._asdict().items() if value is not None}
    ordinals = [name for name in ("seq", "patch", "tx", "frame") if name in values]
    for name in (*ordinals, "object"):
        if name in values:
            yield {name: values[name]}
            yield {name: values[name], ordinals[0]: values[ordinals[0]]}
    yield {name: values[name] for name in ordinals}


OPS = ["TX", *"AAA", "TC", "A", "END", "A", "TX", *"AAAA", "END", "TX", *"DD", "TX", *"AAAAA"]
TOLD: dict[str, tuple[JellyOptions, list[Any]]] = {
    "patch": (
        JellyPatchOptions(restart_interval=1, frame_size=3, index_columns="object"),
        numbered(
            PatchRow(op, "<urn:s>", "<urn:p>", f'"{n}"') if op in "AD" else PatchRow(op)
            for n, op in enumerate(OPS)
        ),
    ),
    "rdf": (
        JellyRdfOptions(restart_interval=1, frame_size=3, index_columns="object", namespaces=True),
        [
            RdfRow("<urn:s>", "<urn:p>", f'"{n}"', frame=n // 3)
            if n % 4
            else RdfRow(name="n", value="<urn:n>", frame=n // 3)
            for n in range(24)
        ],
    ),
}


@pytest.mark.parametrize("kind", TOLD)
def test_one_wrong_number_in_the_index_never_changes_rows(kind: str) -> None:
    """It is found, or makes no difference, whatever is asked."""
    random = Random(kind)
    options, rows_written = TOLD[kind]
    data = write(rows_written, options)
    points = points_of(data)
    assert len(points) > 5
    bare = without_index(data)
    found = skipped = 0
    for how in [{}] if kind == "patch" else [{"namespaces": False}, {"namespaces": True}]:
        rows = read(data, options, **how)
        asked = [where for row in rows for where in conditions_of_one_row(row)]
        for forged in forgeries(points):
            file = with_filters(bare, forged)
            for where in random.sample(asked, 3):
                try:
                    assert read(file, options, where=where, **how) == matching(rows, where), where
                except MalformedInputError:
                    found += 1
                else:
                    skipped += 1
    assert found > 50 and skipped > 50


def with_filters(bare: bytes, points: list[RestartPoint]) -> bytes:
    """Return a file without its index with one of these points, which its filters fit."""
    sizes = 8 * (len(points) + 1)
    summed = encode_points(points) + bare[-48 - sizes : -16]
    checked = bare[:-16] + crc32(summed).to_bytes(8, "little") + bare[-8:]
    data = with_index(checked, points)
    assert filters_of(data) is not None
    return data


@pytest.mark.parametrize("where", [{"subject": "<urn:none>"}, {"seq": []}])
def test_other_formats_are_found_if_all_ranges_are_skipped(where: dict[str, Any]) -> None:
    rdf = JellyRdfOptions(restart_interval=1, frame_size=1, index_columns=ALL)
    data = write([RdfRow("<urn:s>", "<urn:p>", f'"{n}"') for n in range(9)], rdf)
    with pytest.raises(MalformedInputError, match="byte 0"):
        list(read_jelly_patch(data, where=where))
    with pytest.raises(MalformedInputError, match="byte 0"):
        list(JellyRdfReader(DATA, where=where))
    # Another part of the file has no rows, and is not opened.
    assert list(read_jelly_patch(data, where=where, part=(1, 1 << 40))) == []


def test_too_many_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    """A range with more terms than writers hold has no filter, and is read."""
    monkeypatch.setattr(term_filters, "_MAX_TERMS", 10)
    data = write(ROWS, PATCH)
    filters = filters_of(data)
    assert filters is not None
    assert filters.sizes("subject")[1] is None
    assert filters.sizes("predicate")[1] is not None
    where = {"subject": f"<{EX}17>"}
    assert list(read_jelly_patch(data, where=where)) == matching(read(data, PATCH), where)
    monkeypatch.setattr(term_filters, "_MAX_SIZE", 1000)
    data = write(ROWS, PATCH)
    assert list(read_jelly_patch(data, where=where)) == matching(read(data, PATCH), where)


@pytest.mark.parametrize(("bits", "most"), [(4, 0.4), (10, 0.015), (32, 0.0005)])
def test_false_positives(bits: int, most: float) -> None:
    random = Random(bits)
    values = {random.getrandbits(64) for _ in range(5000)}
    blocks = build_filter(values, bits)
    assert len(blocks) == -(-5000 * bits // 256) * 32
    assert all(may_contain(blocks, value) for value in values)
    found = sum(may_contain(blocks, random.getrandbits(64)) for _ in range(10_000))
    assert found <= most * 10_000


@pytest.mark.parametrize(
    ("text", "hashed"),
    [
        ("", 0xEF46DB3751D8E999),
        ("a", 0xD24EC4F1A98C6E5B),
        ("abc", 0x44BC2CF5AD770999),
        ("Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1),
    ],
)
def test_xxhash64(text: str, hashed: int) -> None:
    """The values of the reference implementation."""
    assert xxhash64(text.encode()) == hashed


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"frame": 1}, "where must have columns that are one of: op, subject"),
        ({"seq": "1"}, "where: seq must be int, None or a collection of them, not '1'"),
        ({"seq": True}, "where: seq must be int"),
        ({"subject": 1}, "where: subject must be str, None or a collection of them, not 1"),
        ({"subject": [b"<a>"]}, "where: subject must be str"),
        ("subject", "where must be a mapping of columns to values"),
        ({"subject": f"{EX}7"}, "where: subject must be a term in N-Triples syntax, such as <ht"),
        ({"object": ['"1"', "1"]}, "where: object must be a term .* not '1'"),
        ({"value": '"\\u0078"'}, 'where: value must be a term in canonical form: "x", not'),
    ],
)
def test_wrong_conditions(where: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        list(read_jelly_patch(DATA, where=where))


@pytest.mark.parametrize(("column", "count"), [("seq", 30), ("tx", 0)])
def test_long_ranges(column: str, count: int) -> None:
    """They are not gone through, also where a row has no number."""
    stream = io.BytesIO()
    with JellyPatchWriter(stream, JellyPatchOptions(frame_size=10, restart_interval=100)) as writer:
        for number in range(40):
            writer.write(PatchRow("A", "<urn:s>", "<urn:p>", f'"{number}"'))
    stream.seek(0)
    assert len([*read_jelly_patch(stream, where={column: range(10, 2**62)})]) == count


@pytest.mark.parametrize("columns", ["?", "op", "subject,", "subject;graph"])
def test_wrong_index_columns(columns: str) -> None:
    with pytest.raises(OptionError, match="index_columns must be a comma-separated list of: subj"):
        JellyPatchOptions(index_columns=columns)


def test_frames_are_not_filtered() -> None:
    data = write([RdfRow("<urn:s>", "<urn:p>", "<urn:o>")], JellyRdfOptions())
    reader = JellyRdfReader(data, where={"subject": "<urn:s>"})
    with reader, pytest.raises(ValueError, match="iterates over rows, not frames"):
        reader.frames()


def test_the_metadata_of_frames_has_no_filters() -> None:
    options = JellyRdfOptions(restart_interval=1, frame_size=1, index_columns="subject")
    data = write([RdfRow("<urn:s>", "<urn:p>", f'"{n}"') for n in range(3)], options)
    assert term_filters.KEY.encode() in data
    with JellyRdfReader(data) as reader:
        assert [frame.metadata for frame in reader.frames()] == [{}] * 3
    with pytest.raises(UnwritableRowError, match="is reserved"), JellyRdfWriter(io.BytesIO()) as w:
        w.end_frame({term_filters.KEY: b""})
