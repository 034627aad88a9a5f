"""Appending to a folder: what is accepted, what is refused, and what it leaves."""

import errno
import multiprocessing
import os
import pickle
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow
from jelly_spark.errors import (
    LogConflictError,
    LogError,
    OptionError,
    PatchError,
    UnwritableRowError,
)
from jelly_spark.log import Log
from jelly_spark.log.index.block import file_of, load
from jelly_spark.log.index.index_files import TAIL
from jelly_spark.log.index.settings import settings_file
from tests.log.patches import headers, id_of, patch, write_foreign, write_into
from tests.numbering import numbered


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_patch_is_a_file_of_its_own(tmp_path: Path) -> None:
    log = Log(tmp_path / "new" / "log")
    assert log.head() is None and log.versions() == [] and [*log.read()] == []
    before = datetime.now(timezone.utc)
    first = log.append(patch(1, add=["a"]))
    assert log.append(patch(2, 1, delete=["a"])).log_seq == 1
    assert files_in(tmp_path / "new" / "log") == [
        "00000000000000000000.jellyp",
        "00000000000000000001.jellyp",
        "_log",
    ]
    assert files_in(tmp_path / "new" / "log" / "_log") == ["format", "tail.jsonl.gz"]
    assert first == log.versions()[0]
    assert first.id == id_of(1) and first.prev is None and first.log_seq == 0
    assert first.time is not None and abs((first.time - before).total_seconds()) < 60
    assert log.head() == Log(tmp_path / "new" / "log").head() == id_of(2)
    assert log.verify() == []


def test_rows_are_numbered_through(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append([*patch(1, add=["a"]), PatchRow("END")])
    log.append(patch(2, 1, add=["b"]))
    log.append(headers(3, 2))
    rows = [*log.read()]
    assert [row.seq for row in rows] == [*range(len(rows))]
    numbers = [(row.op, row.patch, row.tx) for row in rows]
    assert numbers[:5] == [
        ("H", 0, None),
        ("TX", 0, 0),
        ("A", 0, 0),
        ("TC", 0, 0),
        ("END", 0, None),
    ]
    assert numbers[5:] == [
        *(("H", 1, None), ("H", 1, None), ("TX", 1, 1), ("A", 1, 1), ("TC", 1, 1)),
        *(("H", 2, None), ("H", 2, None)),
    ]
    target = tmp_path / "whole.rdfp"
    write_into(target, rows)
    written = [row for row in codec.read_rdf_patch(target) if row.op != "END"]
    assert written == [
        row._replace(seq=read.seq)
        for row, read in zip((row for row in rows if row.op != "END"), written, strict=True)
    ]


def test_a_range_of_patches(tmp_path: Path) -> None:
    log = Log(tmp_path)
    for number in range(5):
        log.append(patch(number, number - 1 if number else None, add=[number]))

    def read(*range: str) -> list[int | None]:
        return [row.patch for row in log.read(*range) if row.op == "A"]

    assert read() == [0, 1, 2, 3, 4]
    assert read(id_of(1)) == [2, 3, 4]
    assert read(id_of(1), id_of(3)) == [2, 3]
    assert read(id_of(4)) == read(id_of(2), id_of(2)) == []
    with pytest.raises(LogError, match="<urn:patch:1> comes before <urn:patch:3> in the log"):
        log.read(id_of(3), id_of(1))
    with pytest.raises(LogError, match="no patch with the id urn:patch:1: a version is an id"):
        log.read("urn:patch:1")


def test_conflicts(tmp_path: Path) -> None:
    log = Log(tmp_path)
    with pytest.raises(LogConflictError) as error:
        log.append(patch(2, 1))
    assert (error.value.winner, error.value.head) == (None, None)
    log.append(patch(1))
    log.append(patch(2, 1))
    log.append(patch(3, 2))
    for other, prev, winner in [(4, 1, 2), (4, None, 1), (4, 9, None), (3, 1, 2)]:
        with pytest.raises(LogConflictError if other == 4 else LogError) as found:
            log.append(patch(other, prev, add=["x"]))
        if other == 4:
            assert isinstance(found.value, LogConflictError)
            assert found.value.id == id_of(4)
            assert found.value.prev == (prev and id_of(prev))
            assert found.value.winner == (winner and id_of(winner))
            assert found.value.head == id_of(3)
    assert str(found.value) == "00000000000000000002.jellyp has another patch with the id " + id_of(
        3
    )
    with pytest.raises(LogConflictError) as error:
        log.append(patch(4, 1))
    assert str(error.value) == (
        "<urn:patch:4> cannot be appended: it follows <urn:patch:1>, but the log ends with "
        "<urn:patch:3>; <urn:patch:2> follows <urn:patch:1>. Make the patch from the log's last "
        "version again"
    )
    assert log.head() == id_of(3) and log.verify() == []


def test_the_same_patch_again_does_nothing(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(1, add=["a"]))
    second = log.append(patch(2, 1, add=["b"]))
    log.append(patch(3, 2, add=["c"]))
    assert log.append(patch(2, 1, add=["b"])) == second
    with pytest.raises(LogConflictError) as error:
        log.append(patch(2, 1, add=["other"]))
    assert error.value.winner == error.value.id == id_of(2)
    assert len(log.versions()) == 3


def test_many_patches(tmp_path: Path) -> None:
    """The index is written at the end, and for each block; until then, others find the patches."""
    log = Log(tmp_path)

    def patches() -> Iterator[list[PatchRow]]:
        for number in range(5):
            assert Log(tmp_path).head() == (id_of(number - 1) if number else None)
            assert not (tmp_path / TAIL).exists() or not entries_of(tmp_path)
            yield patch(number, number - 1 if number else None, add=[number])

    found = log.append_all(patches())
    assert [version.log_seq for version in found] == [*range(5)]
    assert [version.id for version in found] == [*map(id_of, range(5))]
    assert entries_of(tmp_path) == [*map(id_of, range(5))]
    assert log.versions() == Log(tmp_path).versions()
    # Those that the log has already are not appended again.
    again = log.append_all(patch(n, n - 1 if n else None, add=[n]) for n in range(6))
    assert [version.log_seq for version in again] == [*range(6)]
    assert len(log.versions()) == 6 and log.verify() == []


def entries_of(folder: Path) -> list[str | None]:
    """The ids of the patches in the tail of the index."""
    block = load((folder / TAIL).read_bytes(), TAIL)
    assert block is not None
    return [entry.id for entry in block.entries]


def test_many_patches_while_others_append(tmp_path: Path) -> None:
    log, other = Log(tmp_path), Log(tmp_path)

    def patches() -> Iterator[list[PatchRow]]:
        yield patch(0)
        other.append(patch(1, 0))
        # The same one, then one after a patch of the other.
        yield patch(1, 0)
        yield patch(2, 1)
        other.append(patch(3, 2))
        yield patch(4, 3)
        yield patch(5, 4)
        other.append(patch(6, 5))
        yield patch(7, 5)

    with pytest.raises(LogConflictError) as error:
        log.append_all(patches())
    assert (error.value.winner, error.value.head) == (id_of(6), id_of(6))
    assert [version.id for version in log.versions()] == [id_of(number) for number in range(7)]
    assert entries_of(tmp_path) == [id_of(number) for number in range(7)]
    assert log.verify() == []


@pytest.mark.parametrize(
    ("rows", "kind", "message"),
    [
        ([PatchRow("TX"), PatchRow("TC")], LogError, "the patch has no header id"),
        ([*patch(1), PatchRow("END"), PatchRow("TX")], LogError, "only one patch can be appended"),
        (
            [row._replace(patch=number) for number in (0, 1) for row in patch(1)],
            LogError,
            "only one patch can be appended",
        ),
        (patch(1)[:-1], UnwritableRowError, "transaction"),
        ([*headers(1), PatchRow("A", "s", "p", "o")], UnwritableRowError, "term"),
        ([("H", "id")], UnwritableRowError, "must be a PatchRow, not tuple"),
    ],
)
def test_what_is_refused(
    tmp_path: Path, rows: list[PatchRow], kind: type[Exception], message: str
) -> None:
    log = Log(tmp_path)
    with pytest.raises(kind, match=message):
        log.append(rows)
    assert log.versions() == []
    # A folder that was there stays, and one that was not does not come.
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(kind, match=message):
        Log(tmp_path / "new/log").append(rows)
    assert [*tmp_path.iterdir()] == []


def test_a_first_patch_with_a_prev_makes_no_log(tmp_path: Path) -> None:
    for folder in (tmp_path / "new", tmp_path):
        with pytest.raises(LogConflictError, match="but the log is empty"):
            Log(folder).append(patch(2, 1))
        with pytest.raises(LogConflictError, match="but the log is empty"):
            Log(folder).append(patch(2, 1), canonical=True)
        assert [*tmp_path.iterdir()] == []


def test_what_was_appended_before_an_error_is_reported(tmp_path: Path) -> None:
    log, found = Log(tmp_path), list[str]()
    with pytest.raises(LogConflictError):
        log.append_all(
            [patch(1), patch(2, 1), patch(2, 1), patch(4, 3)],
            on_append=lambda version: found.append(f"{version.log_seq} {version.id}"),
        )
    assert found == [f"0 {id_of(1)}", f"1 {id_of(2)}", f"1 {id_of(2)}"]
    assert log.head() == id_of(2) and log.metrics.appends == 2


def test_rows_that_were_read_from_a_file(tmp_path: Path) -> None:
    codec.write(tmp_path / "open.jellyp", numbered(patch(1, add=["a"])[:-1]))
    log = Log(tmp_path / "log")
    with pytest.raises(UnwritableRowError, match="a transaction must be closed"):
        log.append(codec.read_jelly_patch(tmp_path / "open.jellyp"))
    two = [*numbered(patch(1, add=["a"])), *numbered(patch(2, 1, add=["b"]))]
    with pytest.raises(LogError, match="only one patch can be appended at a time"):
        log.append(two)
    assert log.versions() == []
    log.append(numbered(patch(1, add=["a"])))
    assert len(log.state_at()) == 1


def test_canonical_patches_after_a_snapshot(tmp_path: Path) -> None:
    """The state before is known from the snapshot alone, also if nothing else has read the log."""
    log = Log(tmp_path)
    log.append_all([patch(1, add=["a"]), patch(2, 1, add=["b"]), patch(3, 2, add=["c"])])
    log.expire(2)
    for appended, assign_ids in ((patch(4, 3, delete=["a"]), False), (patch(5, add=["d"]), True)):
        Log(tmp_path).append(appended, canonical=True, assign_ids=assign_ids)
    with pytest.raises(PatchError, match="deletes only statements that are present"):
        Log(tmp_path).append(patch(6, 5, delete=["a"]), canonical=True)
    assert len(log.versions()) == 3


def test_ids_are_canonical_terms(tmp_path: Path) -> None:
    log = Log(tmp_path)
    string = '"1"^^<http://www.w3.org/2001/XMLSchema#string>'
    assert log.append([PatchRow("H", name="id", value=string)]).id == '"1"'
    again = Log(tmp_path)
    assert again.head() == '"1"'
    again.append([*headers(2), PatchRow("H", name="prev", value=string)])
    assert log.head() == id_of(2)


def test_a_folder_that_others_wrote(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    (tmp_path / "README.txt").write_text("not a patch")
    (tmp_path / "state.jelly").write_bytes(b"")
    (tmp_path / "_SUCCESS").write_bytes(b"")
    (tmp_path / ".hidden.jellyp").write_bytes(b"")
    log = Log(tmp_path)
    assert [version.id for version in log.versions()] == [id_of(n) for n in range(1, 7)]
    assert [row.object for row in log.read() if row.op == "A"] == [f'"{n}"' for n in range(1, 7)]
    assert [row.object for row in log.read(id_of(3), id_of(5)) if row.op == "A"] == ['"4"', '"5"']
    with pytest.raises(LogError, match="is not a managed log, so nothing can be appended: call"):
        log.append(patch(7, 6))
    with pytest.raises(OptionError, match="is not a managed log, so it has no snapshots: call"):
        log.compact()
    assert not (tmp_path / "_log" / "format").exists()


def test_patches_of_a_file_in_another_order(tmp_path: Path) -> None:
    order = [(3, 2), (1, None), (2, 1)]
    rows = [
        row._replace(patch=n) for n, pair in enumerate(order) for row in patch(*pair, add=[pair[0]])
    ]
    codec.write(tmp_path / "log.jellyp", rows)
    log = Log(tmp_path)
    assert [row.object for row in log.read() if row.op == "A"] == ['"1"', '"2"', '"3"']
    assert [(row.patch, row.tx) for row in log.read() if row.op == "A"] == [(0, 0), (1, 1), (2, 2)]


def test_a_file_in_the_way(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(1))
    (tmp_path / file_of(1)).mkdir()
    with pytest.raises(LogError, match=r"0001\.jellyp is the name of the patch after <urn"):
        log.append(patch(2, 1))
    (tmp_path / file_of(1)).rmdir()
    write_into(tmp_path / file_of(1), patch(3, 2))
    for function in (log.head, lambda: log.append(patch(2, 1))):
        with pytest.raises(LogError, match="but it is not a patch of the log: rename it"):
            function()
    (tmp_path / file_of(1)).unlink()
    log.append(patch(2, 1))
    assert log.head() == id_of(2)


def test_files_of_others_are_not_part_of_a_managed_log(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(1))
    write_into(tmp_path / "other.rdfp", patch(3, 1))
    log.append(patch(2, 1))
    assert [version.id for version in log.versions()] == [id_of(1), id_of(2)]
    assert [finding.rule for finding in log.verify()] == ["unreferenced-file"]


def test_an_id_that_is_used_again(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patch(number, number - 1 if number else None) for number in range(3))
    with pytest.raises(LogError, match=r"0001\.jellyp has another patch with the id <urn:patch:1>"):
        log.append(patch(1, 2))
    with pytest.raises(LogError, match="the patch has the id of the patch before it"):
        Log(tmp_path).append(patch(2, 2))


def test_a_time_is_that_of_the_append(tmp_path: Path) -> None:
    """Also in a copy whose files have other times, if the index is copied with them."""
    log = Log(tmp_path / "log")
    version = log.append(patch(1))
    copy = tmp_path / "copy"
    (copy / "_log").mkdir(parents=True)
    (copy / "_log/format").mkdir()
    for name in (version.file, TAIL, settings_file(0)):
        (copy / name).write_bytes((tmp_path / "log" / name).read_bytes())
    assert Log(copy).versions() == [version]
    assert Log(copy).verify() == []


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP])
def test_a_file_system_without_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*paths: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(OptionError, match=r"this needs hard links, which ext4, .*, and this file"):
        Log(tmp_path).append(patch(1))
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


def test_a_link_to_itself(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(1))
    (tmp_path / "loop.jellyp").symlink_to("loop.jellyp")
    assert Log(tmp_path).head() == id_of(1)
    log.append(patch(2, 1))
    assert log.verify() == []


def size_of_state(log: Log[PatchRow]) -> int:
    return len(log.state_at())


def test_logs_in_other_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one with a relative path, in another folder."""
    monkeypatch.chdir(tmp_path)
    log = Log("log")
    log.append(patch(1, add=["a", "b"]))
    before = pickle.dumps(log)
    log.append_all(patch(number, number - 1) for number in range(2, 20))
    assert len(pickle.dumps(log)) == len(before)
    monkeypatch.chdir("/")
    assert pickle.loads(before).head() == id_of(19)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(size_of_state, [log]) == [2]
