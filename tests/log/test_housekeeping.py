"""Removing old patches and what killed programs left, beside programs that read and append."""

import fcntl
import os
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.core.files.local import LocalStorage
from jelly_spark.errors import LogConflictError, LogError, OptionError
from jelly_spark.log import Log
from jelly_spark.log.index.block import file_of
from jelly_spark.log.index.index_files import BLOCK, SEGMENTS, TAIL
from jelly_spark.log.upkeep import snapshots
from jelly_spark.patches import concat
from tests.log.patches import id_of, patch, write_foreign
from tests.log.test_managed import own_files, patches

NOW = timedelta()


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def test_expire_and_vacuum(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 6))
    states = [log.state_at(place) for place in range(6)]
    log.compact(1)
    before = own_files(tmp_path), files_in(tmp_path)
    expected = log.expire(id_of(3), dry_run=True)
    assert [version.log_seq for version in expected] == [0, 1, 2]
    assert log.vacuum(NOW, dry_run=True) == [] == log.vacuum(NOW)
    assert before == (own_files(tmp_path), files_in(tmp_path))
    assert log.expire(id_of(3)) == expected and log.expire(3) == []
    for each in (log, Log(tmp_path)):
        assert [version.log_seq for version in each.versions()] == [3, 4, 5]
        assert [each.state_at(place) for place in (3, 4, 5, id_of(2))] == [*states[3:], states[2]]
        assert each.between(3, -1)[0].value == id_of(5)
        assert {interval.added_log_seq for interval in each.history()} == {None, 3, 4, 5}
        with pytest.raises(LogError, match=r"the id <urn:patch:1> \(those before position 3 have"):
            each.state_at(id_of(1))
        with pytest.raises(LogError, match="position 2 has expired: the log begins at position 3"):
            each.state_at(2)
        with pytest.raises(LogError, match="older versions are not known any more"):
            each.state_at(datetime(2020, 1, 1, tzinfo=timezone.utc))
    assert log.vacuum() == [] and files_in(tmp_path) == before[1]
    found = log.vacuum(NOW, dry_run=True)
    assert found[:3] == [file_of(0), file_of(1), file_of(2)] and found == log.vacuum(NOW)
    assert len(found) == 5  # and the snapshot of position 1
    assert files_in(tmp_path) == [file_of(3), file_of(4), file_of(5)]
    assert log.vacuum(NOW) == [] and log.verify() == []
    assert Log(tmp_path).append(patch(6, 5)).log_seq == 6
    for path in (tmp_path / "_log/snapshots").rglob("*.json"):
        data = path.read_bytes()
        path.unlink()
        (finding,) = {each.rule for each in log.verify()}
        assert finding == "missing-snapshot"
        path.write_bytes(data)
    (tmp_path / file_of(4)).rename(tmp_path / "away")
    with pytest.raises(LogError, match=r"0004\.jellyp is missing: see Log\.verify"):
        list(log.read())
    (tmp_path / "away").rename(tmp_path / file_of(4))
    for lost in (TAIL, f"{SEGMENTS}/x"):
        (tmp_path / lost).unlink(missing_ok=True)
        assert Log(tmp_path).state_at(4) == states[4]
    assert Log(tmp_path).verify() == []


def test_a_writer_that_slept_until_its_patch_had_expired(tmp_path: Path) -> None:
    """Its name is free again, but the patch must not come into the log."""
    slow, cold_tail = Log(tmp_path), tmp_path / TAIL
    slow.append_all(patches(0, 3))
    tail = cold_tail.read_bytes()
    other = Log(tmp_path)
    other.append_all(patches(3, 9))
    other.expire(6)
    other.vacuum(NOW)
    with pytest.raises(LogConflictError) as error:
        slow.append(patch("late", 2))
    assert error.value.head == id_of(8)
    # The same, where others have written a tail as old as that.
    cold_tail.write_bytes(tail)
    assert Log(tmp_path).head() == id_of(8)
    cold_tail.write_bytes(tail)
    with pytest.raises(LogConflictError):
        Log(tmp_path).append(patch("late", 2))
    assert files_in(tmp_path) == [file_of(n) for n in range(6, 9)]
    assert Log(tmp_path).head() == id_of(8) and other.verify() == []


def test_a_reader_of_patches_that_expire(tmp_path: Path) -> None:
    reader = Log(tmp_path)
    reader.append_all(patches(0, 4))
    rows = reader.read()
    next(rows)
    Log(tmp_path).expire(3)
    Log(tmp_path).vacuum(NOW)
    with pytest.raises(LogError, match="<urn:patch:1> has expired: the log begins at position 3"):
        list(rows)
    assert len(reader.state_at()) == 4


def test_what_is_removed(tmp_path: Path) -> None:
    """Merged segments, temporary files, and a snapshot that was not finished; nothing else."""
    log = Log(tmp_path)
    log.append_all(patches(0, 2 * BLOCK))
    log.compact()
    *parts, _, _, _ = remains = [
        "_log/.0123.part",
        "_log/index/.0123.part",
        f"{SEGMENTS}/{0:020d}-{99:020d}.jsonl.gz",
        "_log/snapshots/00000000000000000001-0/state.jelly",
        "_log/staging-0/part.jellyp",
    ]
    for name in remains:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "notes.txt").touch()
    before = own_files(tmp_path)
    # No running program has locked the temporary file. The others may still be written.
    found = log.vacuum(NOW, dry_run=True)
    others = remains[len(parts) :]
    assert found == parts and [each.file for each in log.verify()] == ["notes.txt", *parts]
    assert len(found.maybe_written) == len(others) and found.retained == []
    assert log.vacuum() == found and own_files(tmp_path) == before - {*parts}
    assert log.vacuum(NOW) == []
    for name in others:
        os.utime(tmp_path / name, (0, 0))
    assert [finding.file for finding in log.verify()] == ["notes.txt", "_log/staging-0"]
    found = log.vacuum(NOW)
    assert len(found) == len(others) and found.maybe_written == []
    assert own_files(tmp_path) == before - {*remains} and (tmp_path / "notes.txt").exists()
    assert [finding.rule for finding in log.verify()] == ["unreferenced-file"]


def test_a_folder_that_a_job_begins_to_write_is_not_removed(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 2))
    staging = tmp_path / "_log/staging-1"
    staging.mkdir()
    assert log.vacuum(NOW) == [] and staging.exists()
    os.utime(staging, (0, 0))
    assert log.vacuum(NOW) == ["_log/staging-1"] and not staging.exists()


def test_a_temporary_file_that_is_written_is_not_removed(tmp_path: Path) -> None:
    """Neither by a program that looked before it was locked."""
    log = Log(tmp_path)
    log.append_all(patches(0, 2))
    storage = LocalStorage()
    with storage.temporary(str(tmp_path / "_log")) as path:
        storage.remove_left(str(path))
        assert path.exists() and log.vacuum(NOW) == [] == log.verify()
        assert log.vacuum(NOW).maybe_written == [f"_log/{path.name}"]
    (tmp_path / "_log/.0.part").touch()
    with (tmp_path / "_log/.0.part").open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        storage.remove_left(str(tmp_path / "_log/.0.part"))
        assert (tmp_path / "_log/.0.part").exists()
    storage.remove_left(str(tmp_path / "_log/.0.part"))
    storage.remove_left(str(tmp_path / "_log/.0.part"))
    assert not (tmp_path / "_log/.0.part").exists()


def test_what_is_retained(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 4))
    log.expire(2)
    found = log.vacuum()
    assert found == [] and found.retained == [file_of(0), file_of(1)]
    assert log.vacuum(NOW).retained == []


def test_adopted_files(tmp_path: Path) -> None:
    """A file goes when all its patches have expired."""
    write_foreign(tmp_path)
    log = Log(tmp_path)
    log.adopt()
    state = log.state_at(id_of(3))
    log.expire(id_of(4))
    assert log.vacuum(NOW) == ["one.trp", "two.rdfp"]
    assert Log(tmp_path).state_at(id_of(4)) > state and log.verify() == []
    (tmp_path / TAIL).unlink()
    assert [version.log_seq for version in Log(tmp_path).versions()] == [3, 4, 5]
    log.expire(id_of(5))
    assert log.vacuum(NOW)[0] == "z.jellyp"
    assert len(Log(tmp_path).state_at()) == 6


def test_adopted_files_and_segments(tmp_path: Path) -> None:
    """Segments of the index end within files, and begin before what has expired."""
    for first in range(0, 250, 50):
        found = (patch(n, n - 1 if n else None, add=[n]) for n in range(first, first + 50))
        codec.write(tmp_path / f"{first:03}.jellyp", concat(*found))
    log = Log(tmp_path)
    assert log.adopt() == 250
    shutil.rmtree(tmp_path / SEGMENTS)
    assert len(Log(tmp_path).versions()) == 250
    log.expire(130)
    assert len(log.vacuum(NOW)) == 2 and log.verify() == []
    assert len(Log(tmp_path).versions()) == 120


@pytest.mark.parametrize(("count", "begin"), [(150, 100), (250, 149), (304, 250)])
def test_a_beginning_inside_a_segment(tmp_path: Path, count: int, begin: int) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, count))
    log.expire(begin)
    assert len(Log(tmp_path).versions()) == count - begin
    log.append(patch(count, count - 1))
    for _ in range(2):
        each = Log(tmp_path)
        assert len(each.state_at()) == count and len(each.state_at(begin)) == begin + 1
        assert each.verify() == []
        each.expire(begin + 1)
        each.vacuum(NOW)
        begin += 1
    (tmp_path / TAIL).unlink()
    shutil.rmtree(tmp_path / SEGMENTS)
    log.append(patch(count + 1, count))
    each = Log(tmp_path)
    assert len(each.state_at()) == count and each.verify() == []
    assert len(each.versions()) == count + 2 - begin


def test_vacuum_while_a_snapshot_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves the files of a snapshot that has no description yet."""
    log = Log(tmp_path)
    log.append_all(patches(0, 3))
    publish = snapshots.publish

    def after_vacuum(*arguments: Any) -> None:
        Log(tmp_path).vacuum(NOW)
        publish(*arguments)

    monkeypatch.setattr(snapshots, "publish", after_vacuum)
    log.compact()
    log.expire(2)
    log.vacuum(NOW)
    assert len(Log(tmp_path).state_at()) == 3 and log.verify() == []


def test_threads_with_one_log(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(0))

    def append(name: str) -> list[str]:
        found = []
        for number in range(15):
            while True:
                head = str(log.head())
                prev = head.removeprefix("<urn:patch:").removesuffix(">")
                try:
                    found.append(log.append(patch(f"{name}-{number}", prev)).id)
                    break
                except LogConflictError:
                    continue
        return found

    with ThreadPoolExecutor(3) as pool:
        appended = [id for some in pool.map(append, "abc") for id in some]
    assert sorted(appended) == sorted(version.id for version in Log(tmp_path).versions()[1:])
    assert len(appended) == 45 and log.verify() == []


def test_a_damaged_snapshot_is_no_new_beginning(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 5))
    log.compact(2)
    (data,) = tmp_path.glob("_log/snapshots/*/state.jelly.gz")
    data.write_bytes(b"?" * data.stat().st_size)
    with pytest.warns(RuntimeWarning, match="cannot be read"):
        log.expire(3)
    (damaged,) = {finding.file for finding in log.verify()}
    shutil.rmtree((tmp_path / damaged).parent)
    assert len(Log(tmp_path).state_at()) == 5


def test_not_a_managed_log(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    for function in (lambda: Log(tmp_path).expire(3), Log(tmp_path).vacuum):
        with pytest.raises(OptionError, match=r"is not a managed log, so .*: call Log"):
            function()
    assert not (tmp_path / "_log").exists()


@pytest.mark.parametrize("seed", range(3))
def test_random_work(tmp_path: Path, seed: int) -> None:
    """Several programs work in turns, each with what it knew when it was last its turn."""
    draw = random.Random(seed)
    logs = [Log(tmp_path) for _ in range(4)]
    ids: list[int] = []
    begin = 0
    for number in range(150):
        log = draw.choice(logs)
        work = draw.choice(["append"] * 8 + ["expire", "vacuum", "read", "read", "lose"])
        if work == "append":
            log.append(patch(number, ids[-1] if ids else None, add=[number]))
            ids.append(number)
        elif work == "expire" and ids:
            place = draw.randrange(begin, len(ids))
            log.expire(place)
            begin = max(begin, place)
        elif work == "vacuum" and ids:
            log.vacuum(NOW)
        elif work == "read" and ids:
            place = draw.randrange(begin, len(ids))
            assert {each.object for each in log.state_at(place)} == {
                f'"{n}"' for n in ids[: place + 1]
            }
        elif work == "lose" and (tmp_path / TAIL).exists():
            os.remove(tmp_path / TAIL)
        if ids:
            assert [version.id for version in log.versions()] == [*map(id_of, ids[begin:])]
    assert Log(tmp_path).verify() == []
