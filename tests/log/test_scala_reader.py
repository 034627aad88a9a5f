"""The reader of managed logs on the JVM: it finds in every log what plain Python finds."""

from __future__ import annotations

import gzip
import random
import re
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from jelly_spark.log.entries import packs
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.files import Files
from jelly_spark.log.entries.patch_files import format_of
from jelly_spark.log.index.block import block_of, file_of
from jelly_spark.log.index.index_files import SEGMENTS, TAIL
from jelly_spark.log.index.index_writer import create
from jelly_spark.log.index.indexed_view import IndexedView
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.settings import settings_file
from jelly_spark.log.upkeep import snapshots
from tests.log.patches import headers, id_of, made_up, write_foreign
from tests.log.test_managed import patches
from tests.log.test_versions import random_changes

NOW = timedelta(0)


class Reader:
    """The JVM's view of a log, as text."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        assert spark._jvm is not None
        jvm: Any = spark._jvm
        self._parse = jvm.java.time.Instant.parse
        conf = jvm.org.apache.hadoop.conf.Configuration(False)
        self.folder = jvm.org.jellyspark.log.LogFolder(str(folder), conf)

    def open(self) -> Any:
        """The log as it is now."""
        return self.folder.open()

    def content(self, view: Any = None) -> str:
        """What a log holds: its patches, and the last snapshot."""
        view = view or self.open()
        begin, end = view.begin(), view.next()
        parts = [view.entries(begin, end).mkString("\n"), view.files(begin, end).mkString("\n")]
        parts.append(view.snapshot(end - 1).toString())
        # Scala's sequences of several kinds.
        text = "\n".join(parts).replace("Vector(", "List(")
        return f"{begin} {end} {view.head().toString()} {view.before().toString()}\n{text}"

    def place(self, view: Any, name: str | int | datetime) -> Callable[[], int]:
        """Returns the position of a version in a view."""
        if isinstance(name, datetime):
            time = self._parse(_shown(name))
            return lambda: view.positionAt(time)
        return lambda: view.position(name)


def content(folder: Path) -> str:
    """What `Reader.content` returns, as plain Python finds it."""
    files = Files(folder)
    index = LogIndex.open(files)
    assert index is not None
    index.look()
    view = IndexedView(index)
    entries, sizes, by_file = [], dict[str, int](), dict[str, list[str]]()
    filters = dict[str, str]()
    for entry in view.all():
        entries.append(_entry(entry))
        places = by_file.setdefault(entry.source, [])
        places.append(f"({entry.ordinal},{entry.position})")
        filters[entry.source] = _filter(entry) if len(places) == 1 else "None"
        sizes[entry.source] = entry.size if entry.pack is None else entry.pack.size
    found = [
        f"PatchFile({name},file:{folder}/{name},{format_of(name)},List({', '.join(places)}),"
        f"{sizes[name]},{str(packs.is_pack(name)).lower()},{filters[name]})"
        for name, places in by_file.items()
    ]
    snapshot = next(snapshots.usable(files, index, view.last), None)
    found.append(_option(None if snapshot is None else _snapshot(folder, snapshot)))
    head = f"{view.begin} {view.last + 1} {_option(view.head)} {_option(view.before)}"
    return "\n".join((head, *entries, *found))


def _entry(entry: Entry) -> str:
    assert entry.time is not None
    flags = (entry.committed, entry.statements, entry.prefixes, entry.canonical)
    values = (
        *(entry.position, entry.id, _option(entry.prev), _shown(entry.time), entry.file),
        *(entry.patch, entry.size, entry.sha256, *(str(flag).lower() for flag in flags)),
        *(_filter(entry), _option(entry.message)),
    )
    return f"LogEntry({','.join(map(str, values))})"


def _filter(entry: Entry) -> str:
    found = entry.subjects
    return _option(None if found is None else f"SubjectFilter({found.hex()})")


def _snapshot(folder: Path, snapshot: snapshots.Snapshot) -> str:
    names = ", ".join(f"file:{folder}/{snapshot.folder}/{name}" for name in sorted(snapshot.files))
    prefixes = ", ".join(
        f"Prefix({_option(graph)},{name},{value})" for graph, name, value in snapshot.prefixes
    )
    return f"Snapshot({snapshot.log_seq},{snapshot.id},List({names}),List({prefixes}))"


def _option(value: object) -> str:
    return "None" if value is None else f"Some({value})"


def _shown(time: datetime) -> str:
    """A time as Java writes it: with 0, 3 or 6 decimals."""
    text = time.astimezone(timezone.utc).isoformat(timespec="microseconds").partition("+")[0]
    return text.removesuffix("000").removesuffix(".000") + "Z"


def without_times(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "", text)


def tried(function: Callable[[], object]) -> str:
    """What a function returns, or the message of its error."""
    try:
        return str(function())
    except Exception as error:
        text = str(error).partition("\n\tat")[0].strip("[]").removesuffix(": ")
        return text.replace(" a datetime", " a time")


def same_places(reader: Reader, folder: Path, places: range) -> None:
    """Compare the positions of versions by all kinds of names, and the errors."""
    log = Log(folder)
    view, versions = reader.open(), log.versions()
    known = log._view()
    names: list[str | int | datetime] = [-len(places) - 1, 0, *places[:: len(places) // 5 + 1], -1]
    names += [places.stop, 10**12, "<urn:unknown>", "", *(id_of(n) for n in range(-1, 8))]
    for version in versions[:: len(versions) // 5 + 1]:
        assert version.time is not None
        names += [version.id, *(version.time + timedelta(microseconds=n) for n in (-1, 0, 1))]
    names += [datetime(year, 1, 1, tzinfo=timezone.utc) for year in (1, 1999, 9999)]
    for name in names:

        def place(name: str | int | datetime = name) -> int:
            return known.position(name)

        found, wanted = tried(reader.place(view, name)), tried(place)
        if isinstance(name, datetime):
            found, wanted = without_times(found), re.sub("after .*: older", "after : older", wanted)
        assert found == wanted


def random_log(folder: Path, draw: random.Random) -> None:
    """A log with adopted files, snapshots, packs and expired patches, or some of these."""
    log = Log(folder)
    at = 1
    if draw.random() < 0.5:
        write_foreign(folder)
        (folder / "one.trp").rename(folder / "+one: %41 é#?.trp")
        log.adopt()
        at = 7
    for number in range(at, at + draw.choice([2, 7])):
        prev = number - 1 if number > 1 else None
        log.append([*headers(number, prev), *random_message(draw), *random_changes(draw)])
        if draw.random() < 0.2:
            log.compact()
    if draw.random() < 0.5:
        log.optimize(compression=draw.choice([None, "gzip"]))
    if draw.random() < 0.5:
        log.expire(draw.choice(log.versions()).id)
    if draw.random() < 0.5:
        log.vacuum(NOW)
    for number in range(at + 7, at + 7 + draw.randrange(3)):
        head = PatchRow("H", name="prev", value=log.head())
        log.append([*headers(number), head, *random_message(draw), *random_changes(draw)])


def random_message(draw: random.Random) -> list[PatchRow]:
    """A header `message`, which the index keeps if it has at most 1,000 characters, or none."""
    texts = ['a \\"cup\\"\\n', "\U0001f375" * 998, "\U0001f375" * 999]
    return [PatchRow("H", name="message", value=f'"{text}"') for text in draw.sample(texts, 1)][
        : draw.randrange(2)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_random_logs(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "a log: [with] {odd} *names?%20#"
    folder.mkdir()
    random_log(folder, random.Random(seed))
    reader = Reader(spark, folder)
    assert reader.content() == content(folder)
    versions = Log(folder).versions()
    same_places(reader, folder, range(versions[0].log_seq, versions[-1].log_seq + 1))


def test_a_log_that_others_change_meanwhile(spark: SparkSession, tmp_path: Path) -> None:
    """A view stays as it was, also if the index has been merged, or else says what is gone."""
    log = Log(tmp_path)
    log.append_all(patches(0, 304))
    log.compact(200)
    reader = Reader(spark, tmp_path)
    view = reader.open()
    before = content(tmp_path)
    assert view.refreshed().equals(view)
    tail = (tmp_path / TAIL).read_bytes()
    log.append_all(patches(304, 410))
    assert reader.content(view) == before
    assert reader.content(view.refreshed()) == reader.content() == content(tmp_path)
    same_places(reader, tmp_path, range(410))
    # As if a writer had been stopped before it wrote the tail. The times are those of the files.
    (tmp_path / TAIL).write_bytes(tail)
    found = reader.content()
    assert without_times(found) == without_times(content(tmp_path))
    log.optimize()
    log.expire(150)
    log.vacuum(NOW)
    assert reader.content(view.refreshed()) == reader.content() == content(tmp_path)
    same_places(reader, tmp_path, range(150, 410))
    gone = "position 3 has expired: the log begins at position 150"
    for function in (lambda: view.refreshed().position(3), lambda: view.refreshed().files(3, 160)):
        assert gone in tried(function)
    expected = "the log has no patch at position 410: it has positions 150 to 409"
    assert tried(lambda: view.refreshed().entries(150, 411)) == expected


def test_an_old_id(spark: SparkSession, tmp_path: Path) -> None:
    """It is found in the text of the index. The last one with an id counts."""
    entries = made_up(250)
    ids = {3: '<urn:"x\\y>', 120: "<urn:é😀>", 130: id_of(7), 140: id_of(260)}
    for at, id in ids.items():
        entries[at] = entries[at]._replace(id=id)
    create(Files(tmp_path), block_of(entries))
    view = Reader(spark, tmp_path).open()
    for at in (0, 3, 99, 100, 120, 130, 140, 199, 249):
        assert view.position(entries[at].id) == at
    for id in (id_of(120), "<urn:patch:", "", id_of(251)):
        assert "no patch with the id" in tried(partial(view.position, id))


def test_damaged_tails(spark: SparkSession, tmp_path: Path) -> None:
    """Some or all bytes are changed: what is right, an error, or what plain Python finds."""
    Log(tmp_path).append_all(patches(0, 3))
    reader = Reader(spark, tmp_path)
    right, data = reader.content(), (tmp_path / TAIL).read_bytes()
    text = gzip.decompress(data)
    draw = random.Random(0)
    damaged = [flipped(data, at, draw) for at in range(0, len(data), 3)]
    damaged += [data + b"x" * 20, data + data, data[:-1], b"", gzip.compress(b"{}")]
    damaged += [gzip.compress(b"[" * 100_000), gzip.compress(text + b"[1]"), gzip.compress(b"")]
    forged = [flipped(text, at, draw) for at in range(len(text))]
    expected = r"0 3 |.* has version \d, and this|.*json is missing: restore|the log begins after "
    for tail in damaged:
        (tmp_path / TAIL).write_bytes(tail)
        assert without_times(reader.content()) == without_times(right)
    for tail in map(gzip.compress, forged):
        (tmp_path / TAIL).write_bytes(tail)
        found = tried(reader.content)
        assert re.match(expected, found)
        if found[:4] == right[:4] and without_times(found) != without_times(right):
            assert found == tried(lambda: content(tmp_path))


def test_damaged_segments(spark: SparkSession, tmp_path: Path) -> None:
    """They are put together again from the files of the patches, up to 1,000."""
    Log(tmp_path).append_all(patches(0, 204))
    reader = Reader(spark, tmp_path)
    right = without_times(reader.content())
    segment = min((tmp_path / SEGMENTS).iterdir())
    data = segment.read_bytes()
    text = gzip.decompress(data)
    view = reader.open()
    cut = [data[:-9], data[: len(data) // 2], b"", gzip.compress(text[:-30]), data[9:]]
    cut.append(gzip.compress(text.replace(b'\n["<urn:patch:120>"', b"\n[1", 1)))
    for found in cut:
        segment.write_bytes(found)
        assert without_times(reader.content()) == right
    shutil.rmtree(tmp_path / SEGMENTS)
    assert without_times(reader.content()) == right == without_times(reader.content(view))
    (tmp_path / TAIL).unlink()
    assert without_times(reader.content()) == right
    (tmp_path / file_of(7)).unlink()
    assert tried(reader.open) == f"{file_of(7)} is missing: restore it from a backup"


def test_what_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("missing", "foreign"):
        reader = Reader(spark, tmp_path / name)
        assert not reader.folder.isManaged()
        assert "is not a managed log: call Log.adopt, or `jelly-spark" in tried(reader.open)
        (tmp_path / "foreign").mkdir(exist_ok=True)
        write_foreign(tmp_path / "foreign")
    Log(tmp_path / "foreign").adopt()
    assert reader.folder.isManaged()
    right, tail = reader.content(), tmp_path / "foreign" / TAIL
    newer = gzip.decompress(tail.read_bytes()).replace(b'"version":1', b'"version":2')
    tail.write_bytes(gzip.compress(newer))
    assert "gz has version 2, and this release of jelly-spark reads version 1" in tried(reader.open)
    tail.unlink()
    # Which files were adopted, and in which order, only Python finds out.
    assert "6 patches must be read to build it again: call Log.head() in" in tried(reader.open)
    assert Log(tmp_path / "foreign").head() == id_of(6)
    assert without_times(reader.content()) == without_times(right)
    tail.unlink()
    settings = tmp_path / "foreign" / settings_file(0)
    text = settings.read_text()
    settings.write_text(text.replace('"version": 1', '"version": 20'))
    assert "json has version 20, and this release of jelly-spark reads " in tried(reader.open)
    settings.write_text(text[:-1])
    assert re.match(r".*0000\.json is malformed \(.*: restore it from a backup", tried(reader.open))


def flipped(data: bytes, at: int, draw: random.Random) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
