"""The index of a managed log: what it spares, that it can be lost, and what it tells of changes."""

import gzip
import json
import pickle
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jelly_spark.codec import PatchRow
from jelly_spark.errors import LogConflictError, LogError, MalformedInputError
from jelly_spark.log import Log, LogMetrics
from jelly_spark.log.entries.entry import Position
from jelly_spark.log.entries.files import Files
from jelly_spark.log.entries.order import LogFinding
from jelly_spark.log.index.block import Block, block_of, dump, file_of, load
from jelly_spark.log.index.index_files import BLOCK, SEGMENTS, TAIL, segments
from jelly_spark.log.index.index_writer import create
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.settings import settings_file
from tests.log.patches import garble, id_of, made_up, patch, write_into

PATCHES = 4
FORMAT = settings_file(0)
ALL = [id_of(number) for number in range(PATCHES)]


def patches(first: int, last: int) -> Iterator[list[PatchRow]]:
    """Patches with consecutive numbers, each of which adds a statement."""
    return (patch(n, n - 1 if n else None, add=[n]) for n in range(first, last))


@pytest.fixture(scope="module")
def long_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with several segments."""
    path = tmp_path_factory.mktemp("long")
    Log(path).append_all(patches(0, 3 * BLOCK + PATCHES))
    return path


@pytest.fixture
def several(long_log: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(long_log, tmp_path / "log"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log of a few patches."""
    for rows in patches(0, PATCHES):
        Log(tmp_path).append(rows)
    return tmp_path


def ids(folder: Path) -> list[str]:
    return [version.id for version in Log(folder).versions()]


def own_files(folder: Path) -> set[str]:
    paths = (folder / "_log").rglob("*")
    return {path.relative_to(folder).as_posix() for path in paths if path.is_file()}


def test_segments() -> None:
    """They cover all complete blocks, and there are few of them."""
    for count in (0, 99, 100, 199, 300, 1000, 20_000, 999_999, 1_000_000, 12_345_678):
        found = [*segments(0, count)]
        places = [place for each in found for place in (each.start, each.stop)]
        assert places[1:-1:2] == places[2::2] and sum(map(len, found)) == count // 100 * 100
        assert len(found) <= count // 409_600 + 12
    assert len([*segments(0, 1_000_000)]) == 6
    assert [*segments(250, 400)] == [range(400)] and [*segments(250, 300)] == [range(200, 300)]
    assert [*segments(10**17, 10**17 + 150)] == [range(10**17, 10**17 + 100)]


def test_the_files_of_an_index(several: Path) -> None:
    names = [
        f"{SEGMENTS}/{0:020d}-{199:020d}.jsonl.gz",
        f"{SEGMENTS}/{200:020d}-{299:020d}.jsonl.gz",
    ]
    assert own_files(several) == {FORMAT, TAIL, *names}
    lines = gzip.decompress((several / TAIL).read_bytes()).decode().splitlines()
    head, *entries = map(json.loads, lines)
    assert head["version"] == 1 and head["first"] == 300 and head["prev"] == id_of(299)
    assert [entry[0] for entry in entries] == [id_of(300 + n) for n in range(PATCHES)]
    assert Log(several).verify() == []
    assert ids(several) == [id_of(n) for n in range(304)]
    log = Log(several)
    for version in (299, 300, -1, 0, 150):
        assert len(log.state_at(version)) == range(304)[version] + 1


def test_an_old_id_is_found_without_parsing_the_index(tmp_path: Path) -> None:
    entries = made_up(250)
    for at, id in ((3, '<urn:"x\\y>'), (120, "<urn:\ud800é>"), (130, id_of(7)), (140, id_of(260))):
        entries[at] = entries[at]._replace(id=id)
    create(Files(tmp_path), block_of(entries))
    index = LogIndex.open(Files(tmp_path))
    assert index is not None
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("jelly_spark.log.index.block._entry", None)
        for at in (0, 3, 99, 100, 120, 199, 249):
            assert index.find(entries[at].id, range(250)) == at
        # The last one counts, unless it is out of range.
        assert index.find(id_of(7), range(250)) == 130
        assert index.find(id_of(7), range(130)) == 7
        assert index.find(id_of(7), range(8, 130)) is None
        assert index.find(id_of(120), range(250)) is index.find(None, range(250)) is None
        # A part of an id.
        assert index.find("<urn:patch:", range(250)) is index.find("", range(250)) is None
    assert [version.id for version in Log(tmp_path).versions()] == [entry.id for entry in entries]


@pytest.mark.parametrize("count", [199, 200, 20_000])
def test_an_append_costs_the_same_at_any_length(tmp_path: Path, count: int) -> None:
    """It reads and writes the tail, and at the end of a block a segment."""
    files = Files(tmp_path)
    create(files, block_of(made_up(count)))
    opened: list[str] = []
    read = Files.read

    def watched(self: Files, name: str) -> bytes:
        opened.append(name)
        return read(self, name)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(Files, "read", watched)
        log = Log(tmp_path)
        assert log.head() == id_of(count - 1) and opened == [TAIL]
        del opened[:]
        log.append(patch(count, count - 1))
        assert opened == ([f"{SEGMENTS}/{0:020d}-{99:020d}.jsonl.gz"] if count == 199 else [])
    assert (tmp_path / TAIL).stat().st_size < 10_000
    assert Log(tmp_path).head() == id_of(count)
    assert Log(tmp_path).versions()[7].id == id_of(7)


def test_metrics(tmp_path: Path) -> None:
    log, other = Log(tmp_path), Log(tmp_path)
    assert log.metrics == LogMetrics()
    log.append_all(patches(0, 200))
    found = log.metrics
    assert (found.appends, found.segments_written, found.segments_merged) == (200, 2, 1)
    assert found.bytes_written > sum(path.stat().st_size for path in tmp_path.glob("*.jellyp"))
    other.head()
    log.append(patch(200, 199))
    log.append(patch(200, 199))
    with pytest.raises(LogConflictError):
        other.append(patch("other", 199))
    assert (log.metrics.appends, other.metrics.appends) == (201, 0)
    assert (other.metrics.conflicts, other.metrics.retries) == (1, 1)
    before = log.metrics.bytes_read
    assert len([*log.read(after=199)]) > 0
    assert log.metrics.bytes_read == before + (tmp_path / file_of(200)).stat().st_size
    assert pickle.loads(pickle.dumps(log)).metrics == LogMetrics()
    (tmp_path / TAIL).unlink()
    again = Log(tmp_path)
    assert again.head() == id_of(200) and again.metrics.rebuilds == 1


def test_a_log_that_others_append_to_meanwhile(several: Path) -> None:
    """What a reader knows is out of date: the segments have been merged since."""
    reader = Log(several)
    assert reader.head() == id_of(303)
    Log(several).append_all(patches(304, 410))
    assert [version.id for version in reader.versions()] == [id_of(n) for n in range(410)]
    assert own_files(several) == {FORMAT, TAIL, f"{SEGMENTS}/{0:020d}-{399:020d}.jsonl.gz"}


def test_an_old_tail(several: Path) -> None:
    """As if a writer had been stopped before it wrote its own."""
    before = (several / TAIL).read_bytes()
    Log(several).append_all(patches(304, 410))
    (several / TAIL).write_bytes(before)
    assert Log(several).head() == id_of(409)
    assert ids(several) == [id_of(n) for n in range(410)]
    (several / TAIL).write_bytes(before)
    Log(several).append(patch(410, 409))
    assert Log(several).verify() == [] and len(ids(several)) == 411


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[:-100],
    "not gzip": lambda data: b"\x00\xff" * 50,
    "nested": lambda data: gzip.compress(b"[" * 100_000),
    "not an object": lambda data: gzip.compress(b'["a"]'),
    "an entry too few": lambda data: gzip.compress(
        b"\n".join(
            line for line in gzip.decompress(data).splitlines() if b"<urn:patch:1>" not in line
        )
    ),
    "another version": lambda data: gzip.compress(
        gzip.decompress(data).replace(b'"version":1', b'"version":0')
    ),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_index_is_made_again(several: Path, damage: Callable[[bytes], bytes]) -> None:
    before = {name: (several / name).read_bytes() for name in own_files(several)}
    segment = min(name for name in before if name.startswith(SEGMENTS))
    for name in (segment, *([] if damage == DAMAGES["an entry too few"] else [TAIL])):
        (several / name).write_bytes(damage(before[name]))
    assert ids(several) == [id_of(n) for n in range(304)]
    assert Log(several).verify() == []
    assert own_files(several) == {*before}
    Log(several).append(patch("next", 303))
    assert len(ids(several)) == 305


@pytest.mark.parametrize("lost", [[TAIL], [SEGMENTS], [TAIL, SEGMENTS]])
def test_an_index_that_was_removed_is_made_again(several: Path, lost: list[str]) -> None:
    versions = Log(several).versions()
    for name in lost:
        path = several / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    found = Log(several).versions()
    assert [version[:3] for version in found] == [version[:3] for version in versions]
    # The times of what is left are kept; others are those of the files.
    assert found[-1].time == versions[-1].time or TAIL in lost
    assert Log(several).verify() == []


def test_the_index_of_another_log(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    Log(other).append(patch("other", add=["x"]))
    (folder / TAIL).write_bytes((other / TAIL).read_bytes())
    with pytest.raises(LogError, match=r"0001\.jellyp is the name of the patch after <urn:patch:o"):
        Log(folder).head()
    (folder / TAIL).unlink()
    assert ids(folder) == ALL


def test_an_index_that_says_something_else(folder: Path) -> None:
    """A valid one that fits the files but for the headers that it has of one."""
    block = load((folder / TAIL).read_bytes(), TAIL)
    assert block is not None
    entry = block.entries[-1]
    block.entries[-1] = entry._replace(id=id_of("other"))
    (folder / TAIL).write_bytes(dump(block))
    (finding,) = Log(folder).verify()
    assert finding == LogFinding(
        "wrong-index",
        file_of(PATCHES - 1),
        f"the index does not match {file_of(PATCHES - 1)}: remove {TAIL} and {SEGMENTS}",
    )


def test_a_folder_that_cannot_be_written_to(several: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Files, name: str, data: bytes) -> None:
        raise PermissionError(name)

    monkeypatch.setattr(Files, "replace", refuse)
    (several / TAIL).unlink()
    log = Log(several)
    with pytest.warns(
        RuntimeWarning, match=r"_log cannot be written to .*\. The log works without"
    ):
        assert log.head() == id_of(303)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(log.state_at()) == 304
    with pytest.warns(RuntimeWarning):
        log.append(patch(304, 303))
    with pytest.warns(RuntimeWarning):
        assert Log(several).head() == id_of(304)


def test_what_verify_finds(folder: Path) -> None:
    garble(folder / file_of(0))
    write_into(folder / file_of(3), patch(3, 2, add=["another"]))
    (folder / file_of(1)).unlink()
    (folder / "notes.txt").write_text("x")
    write_into(folder / "other.rdfp", patch("other"))
    (folder / "_log" / ".0123.part").write_bytes(b"")
    found = Log(folder).verify()
    assert [(finding.rule, finding.file) for finding in found] == [
        ("unreadable-file", file_of(0)),
        ("missing-file", file_of(1)),
        ("changed-file", file_of(3)),
        ("unreferenced-file", "other.rdfp"),
        ("unreferenced-file", "notes.txt"),
        ("unreferenced-file", "_log/.0123.part"),
    ]
    assert "expected " in found[0].message
    assert "its SHA-256 is " in found[2].message and ", and was " in found[2].message


def test_a_changed_file_is_found_until_the_index_is_removed(folder: Path) -> None:
    write_into(folder / file_of(3), patch(3, 2, add=["another"]))
    log = Log(folder)
    assert ids(folder) == ALL and log.head() == ALL[-1]
    log.append(patch(4, 3))
    assert [finding.rule for finding in log.verify()] == ["changed-file"]
    (folder / TAIL).unlink()
    assert Log(folder).head() == id_of(4)
    assert Log(folder).verify() == []


@pytest.mark.parametrize("name", [TAIL, FORMAT])
def test_a_log_of_a_newer_release(folder: Path, name: str) -> None:
    """It is not replaced, because what it says about changed files would be lost."""
    file = folder / name
    old, new = b'"version":1', b'"version":2'
    if name == TAIL:
        newer = gzip.compress(gzip.decompress(file.read_bytes()).replace(old, new))
    else:
        (folder / TAIL).unlink()
        newer = b'{"version": 2}'
    file.write_bytes(newer)
    log = Log(folder)
    for function in (log.head, log.verify, log.adopt, lambda: log.append(patch("next", 3))):
        with pytest.raises(
            LogError, match=r" has version 2, and this release of jelly-spark reads"
        ):
            function()
    assert file.read_bytes() == newer


def test_a_malformed_format_file(folder: Path) -> None:
    (folder / TAIL).unlink()
    (folder / FORMAT).write_bytes(b"{")
    with pytest.raises(LogError, match=r"0\.json is malformed .* restore it from a b"):
        Log(folder).head()


def test_reading_writes_nothing(several: Path) -> None:
    before = {name: (several / name).stat().st_mtime_ns for name in own_files(several)}
    Log(several).state_at()
    assert before == {name: (several / name).stat().st_mtime_ns for name in own_files(several)}


def test_a_malformed_file_with_the_next_name(folder: Path) -> None:
    (folder / file_of(PATCHES)).write_bytes(b"?")
    with pytest.raises(MalformedInputError):
        Log(folder).head()


def test_blocks_that_do_not_follow_each_other() -> None:
    entries = made_up(3)
    one, two, three = (
        Block(0, Position(0), Position(n), entries[n].prev, "", entries[n : n + 1])
        for n in range(3)
    )
    assert load(dump(one) + dump(two) + dump(three), "x") == one._replace(entries=entries)
    assert load(dump(one) + dump(three), "x") is None
    assert load(dump(two) + dump(one), "x") is None


def test_a_temporary_file_that_is_being_written(folder: Path) -> None:
    log = Log(folder)

    def rows() -> Iterator[PatchRow]:
        yield from patch("new", PATCHES - 1)
        assert [*folder.glob("_log/*.part")] != []
        assert Log(folder).verify() == []

    log.append_all([rows()])
    (folder / "_log" / ".0123.part").write_bytes(b"")
    (finding,) = log.verify()
    assert finding.message == (
        "a killed program left _log/.0123.part: `jelly-spark log vacuum` removes it"
    )
