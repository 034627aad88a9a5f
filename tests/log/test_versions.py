"""The versions of a log: their states, what lies between them, and snapshots, in plain Python."""

import json
import random
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec, patches
from jelly_spark.codec import PatchRow, RowOp
from jelly_spark.errors import LogConflictError, LogError, OptionError, PatchError
from jelly_spark.log import Log
from jelly_spark.log.index.block import file_of
from jelly_spark.log.index.index_files import TAIL
from jelly_spark.log.log import materialize
from jelly_spark.patches import Statement
from tests.log.patches import garble, headers, id_of, patch, statement, write_into

Changes = list[PatchRow]


def random_changes(draw: random.Random) -> Changes:
    """Two transactions, each committed or aborted, of changes of few statements, or a prefix."""
    rows = []
    for _ in range(2):
        ops: list[RowOp] = [draw.choice(["A", "D"]) for _ in range(6)]
        changes = [
            PatchRow(op, *statement(draw.randrange(6), draw.choice([None, "<urn:g>"])))
            for op in ops
        ]
        if draw.random() < 0.5:
            changes.append(
                PatchRow("PA", name=draw.choice("ab"), value=f"<urn:{draw.randrange(9)}>")
            )
        end: RowOp = draw.choice(["TC", "TC", "TC", "TA"])
        rows += [PatchRow("TX"), *changes, PatchRow(end)]
    return rows


def fill(log: Log[Any], count: int) -> list[Changes]:
    """Append random patches, and return their changes."""
    draw = random.Random(count)
    found = [random_changes(draw) for _ in range(count)]
    for number, changes in enumerate(found):
        log.append([*headers(number, number - 1 if number else None), *changes])
    return found


def replayed(changes: list[Changes]) -> set[tuple[str | None, ...]]:
    """The statements after changes, one after the other."""
    present: set[tuple[str | None, ...]] = set()
    for rows in changes:
        for row in rows:
            if row.op == "TX":
                changed = set(present)
            elif row.op == "TC":
                present = changed
            elif row.op in ("A", "D"):
                (changed.add if row.op == "A" else changed.discard)(row[1:5])
    return present


@pytest.mark.parametrize("snapshots", [[], [4], [0, 3, 7]])
def test_states(tmp_path: Path, snapshots: list[int]) -> None:
    log = Log(tmp_path)
    changes = fill(log, 8)
    for place in snapshots:
        log.compact(id_of(place))
    for number in range(8):
        assert log.state_at(id_of(number)) == replayed(changes[: number + 1])
    assert log.state_at() == log.state_at(id_of(7))
    assert all(type(found) is Statement for found in log.state_at())
    _, prefixes = patches.state(log.read(to=id_of(5)))
    assert log.prefixes_at(id_of(5)) == prefixes and prefixes
    assert log.verify() == []


def test_times(tmp_path: Path) -> None:
    log = Log(tmp_path)
    changes = fill(log, 3)
    first, _, last = (version.time for version in log.versions())
    assert first is not None and last is not None
    assert log.state_at(first - timedelta(days=1)) == set()
    assert log.state_at(first) == replayed(changes[:1])
    assert log.state_at(last + timedelta(days=1)) == replayed(changes)
    # Without a time zone, it is local time.
    assert log.state_at(datetime.fromtimestamp(last.timestamp() + 1)) == replayed(changes)
    for position in (0, 1, -1, -3):
        assert log.state_at(position) == log.state_at(id_of(range(3)[position]))
    assert log.between(0, -1) == log.between(id_of(0), last)
    assert [*log.read(0, 1)] == [*log.read(id_of(0), id_of(1))]
    for position in (3, -4):
        with pytest.raises(LogError, match=f"no patch at position {position}: it has "):
            log.state_at(position)
    before = first - timedelta(days=1)
    assert log.state_at(before) == set() and log.prefixes_at(before) == {}
    assert not log.compact(before) and log.expire(before) == []
    assert patches.apply([], log.between(before, 1))[0] == log.state_at(1)
    assert log.changes(before, 0) == log.changes(to=0) and [*log.read(before, before)] == []
    # Of the state at that time nothing is known any more.
    log.expire(1)
    for fails in (
        log.state_at,
        log.compact,
        log.expire,
        log.changes,
        lambda time: log.between(time, -1),
    ):
        with pytest.raises(LogError, match="older versions are not known any more"):
            fails(before)


def changes_of(rows: list[PatchRow]) -> Changes:
    return [row._replace(seq=None) for row in rows if row.op in ("A", "D")]


def test_between(tmp_path: Path) -> None:
    log = Log(tmp_path)
    fill(log, 6)
    states = [log.state_at(id_of(number)) for number in range(6)]
    for a in range(6):
        for b in range(6):
            found = [*log.between(id_of(a), id_of(b))]
            assert patches.apply(states[a], found)[0] == states[b]
            if a != b:
                values = {row.name: row.value for row in found if row.op == "H"}
                assert values == {"id": id_of(b), "prev": id_of(a)}
            if a > b:
                minimal = patches.diff(states[a], states[b])
                assert changes_of(found) == changes_of(minimal)
    assert log.between(id_of(2), id_of(2)) == []


def test_history(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(0, add=["a", "b"]))
    log.append(patch(1, 0, delete=["a"], add=["b"]))
    log.append(patch(2, 1, add=["a"]))
    intervals = [
        (interval.object, interval.added_by, interval.removed_by, interval.added_log_seq)
        for interval in log.history()
    ]
    assert intervals == [
        ('"a"', id_of(0), id_of(1), 0),
        ('"a"', id_of(2), None, 2),
        ('"b"', id_of(0), None, 0),
    ]
    assert [each.object for each in log.history(lambda found: found.object == '"b"')] == ['"b"']


def test_changes_of_canonical_patches(tmp_path: Path) -> None:
    log = Log(tmp_path)
    first = log.append(patch(0, add=["a", "b"]), canonical=True)
    with pytest.raises(PatchError, match="adds only statements that are absent"):
        log.append(patch(1, 0, add=["a"]), canonical=True)
    with pytest.raises(LogConflictError):
        log.append(patch(1, "none", add=["c"]), canonical=True)
    with pytest.raises(LogConflictError):
        log.append(patch(1, add=["c"]), canonical=True)
    log.append(patch(1, 0, delete=["a"], add=["c"]), canonical=True)
    assert log.append(patch(0, add=["a", "b"]), canonical=True) == first
    found = [(each.change, each.object, each.patch_id, each.log_seq) for each in log.changes()]
    assert found == [
        *(("A", '"a"', id_of(0), 0), ("A", '"b"', id_of(0), 0)),
        *(("D", '"a"', id_of(1), 1), ("A", '"c"', id_of(1), 1)),
    ]
    # No state is needed for the changes of canonical patches.
    garble(tmp_path / file_of(0))
    assert [each[4:8] for each in log.changes(0)] == [
        ("D", id_of(1), id_of(0), 1),
        ("A", id_of(1), id_of(0), 1),
    ]
    assert log.changes(1) == [] and Log(tmp_path).changes(0) == log.changes(0)


def test_patches_that_are_assumed_to_be_canonical(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(0, add=["a"]), canonical=True)
    log.append(patch(1, 0, add=["a"]), assume_canonical=True)
    assert [(each.change, each.object) for each in log.changes(id_of(0))] == [("A", '"a"')]


def test_append_many_canonical_patches(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(0, add=["a"]))
    many = [patch(1, 0, add=["b"]), patch(2, 1, delete=["a"]), patch(3, 2, add=["a"])]
    assert len(log.append_all(map(iter, many), canonical=True)) == 3
    with pytest.raises(PatchError, match="adds only statements that are absent"):
        log.append_all([patch(4, 3, add=["c"]), patch(5, 4, add=["c"])], canonical=True)
    assert log.head() == id_of(4) and log.append_all([], canonical=True) == []
    garble(tmp_path / file_of(0))
    assert [each.object for each in Log(tmp_path).changes(0)] == ['"b"', '"a"', '"a"', '"c"']


def test_changes_of_other_patches(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(0, add=["a"]))
    log.append(patch(1, 0, add=["a", "b"]))
    log.append(patch(2, 1, delete=["x", "a"]))
    found = [(each.change, each.object, each.log_seq) for each in log.changes()]
    assert found == [("A", '"a"', 0), ("A", '"b"', 1), ("D", '"a"', 2)]
    assert [(each.change, each.object, each.log_seq) for each in log.changes(0)] == found[1:]
    log.expire(1)
    assert [(each.change, each.object, each.log_seq) for each in log.changes()] == found[1:]


def test_an_empty_log(tmp_path: Path) -> None:
    log = Log(tmp_path / "none")
    assert log.state_at() == set() and log.prefixes_at() == {} and log.history() == []
    assert log.changes() == []
    assert log.state_at(datetime.now()) == set()
    assert not (tmp_path / "none").exists()
    assert not log.compact()
    with pytest.raises(LogError, match="no patch with the id"):
        log.between(id_of(0), id_of(1))


def descriptions(folder: Path) -> list[Path]:
    """The files that describe snapshots, by the ids of their patches."""
    paths = folder.glob("_log/snapshots/*.json")
    return sorted(paths, key=lambda path: str(json.loads(path.read_bytes())["id"]))


def test_damaged_snapshots(tmp_path: Path) -> None:
    """Reading passes over those that show it; `verify` finds all."""
    log = Log(tmp_path)
    changes = fill(log, 5)
    for number in range(5):
        log.compact(id_of(number))
    found = descriptions(tmp_path)
    assert [json.loads(path.read_bytes())["id"] for path in found] == [*map(id_of, range(5))]
    found[4].write_bytes(b"{")
    found[3].with_suffix("").joinpath("state.jelly.gz").unlink()
    data = found[2].with_suffix("") / "state.jelly.gz"
    data.write_bytes(data.read_bytes()[:-1])
    for number in range(5):
        assert Log(tmp_path).state_at(id_of(number)) == replayed(changes[: number + 1])
    data = found[1].with_suffix("") / "state.jelly.gz"
    data.write_bytes(b"?" * data.stat().st_size)
    assert [finding.rule for finding in log.verify()] == ["damaged-snapshot"] * 4
    assert {finding.file for finding in log.verify()} == {
        f"_log/snapshots/{path.name}{end}"
        for path, end in [
            (found[1].with_suffix(""), "/state.jelly.gz"),
            (found[2].with_suffix(""), "/state.jelly.gz"),
            (found[3].with_suffix(""), "/state.jelly.gz"),
            (found[4], ""),
        ]
    }


def test_a_snapshot_of_a_patch_that_was_changed(tmp_path: Path) -> None:
    log = Log(tmp_path)
    changes = fill(log, 4)
    for number in (0, 2):
        log.compact(id_of(number))
    changes[1] = [PatchRow("A", *statement("new"))]
    write_into(tmp_path / file_of(1), [*headers(1, 0), *changes[1]])
    assert [finding.rule for finding in log.verify()] == ["changed-file"]
    (tmp_path / TAIL).unlink()
    assert Log(tmp_path).state_at() == replayed(changes)
    assert [finding.rule for finding in Log(tmp_path).verify()] == ["stale-snapshot"]
    # That of the patches before it is good.
    garble(tmp_path / f"{0:020d}.jellyp")
    assert Log(tmp_path).state_at(id_of(1)) == replayed(changes[:2])


def test_a_snapshot_is_used(tmp_path: Path) -> None:
    """A state needs no patch up to its snapshot, and none behind its version."""
    log = Log(tmp_path)
    changes = fill(log, 4)
    log.compact(id_of(1))
    for number in (0, 1, 3):
        garble(tmp_path / f"{number:020d}.jellyp")
    assert Log(tmp_path).state_at(id_of(2)) == replayed(changes[:3])
    assert [row.op for row in Log(tmp_path).between(id_of(1), id_of(2)) if row.op == "TX"] == ["TX"]


@pytest.mark.parametrize(
    "damage", [{"id": None}, {"id": []}, {"id": {}}, {"prefixes": [[[], [], []]]}, {"files": None}]
)
def test_damaged_descriptions(tmp_path: Path, damage: dict[str, object]) -> None:
    log = Log(tmp_path)
    changes = fill(log, 2)
    log.compact(id_of(0))
    (path,) = descriptions(tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **damage}), encoding="ascii")
    assert Log(tmp_path).state_at() == replayed(changes)
    assert [finding.rule for finding in log.verify()] == ["damaged-snapshot"]


def test_a_file_is_not_a_log(tmp_path: Path) -> None:
    path = tmp_path / "one.jellyp"
    codec.write(path, patch(0, None))
    for look in (Log.head, Log.versions, Log.state_at, Log.verify):
        with pytest.raises(NotADirectoryError):
            look(Log(path))


def test_snapshots_that_are_due(tmp_path: Path) -> None:
    """When the patches after the last one are twice as large, and not small."""
    log, draw, due = Log(tmp_path), random.Random(5), []
    for number, count in enumerate([40, 60, 25, 25, 25, 25, 25, 25]):
        # Each statement has 1 kB, and half of that in a snapshot.
        add = [draw.randbytes(500).hex() for _ in range(count)]
        log.append(patch(number, number - 1 if number else None, add=add))
        due += [number] if log.compact(if_due=True) else []
    assert due == [1, 6]
    assert not log.compact(3, if_due=True) and log.compact(3)
    (tmp_path / "others").mkdir()
    write_into(tmp_path / "others" / "1.jellyp", patch(1))
    with pytest.raises(OptionError, match="not a managed log"):
        Log(tmp_path / "others").compact(if_due=True)


def test_a_canonical_first_patch(tmp_path: Path) -> None:
    """It is read like a snapshot, also in a pack, and the next one is due by its size."""
    log, draw = Log(tmp_path), random.Random(6)
    states: list[set[Statement]] = []
    for count in (200, 40, 40, 40):
        new = {Statement(*statement(draw.randbytes(500).hex())) for _ in range(count)}
        states.append(new | {*sorted(states[-1])[1:]} if states else new)
        log.commit(states[-1], prefixes={(None, "ex"): f"<urn:ex:{count}>"})
        for each in (log, Log(tmp_path)):
            assert materialize(each) == (states[-1], {(None, "ex"): f"<urn:ex:{count}>"})
        # Each statement has 1 kB, and 120 of them are more than half of the first patch.
        assert log.compact(if_due=True) == (len(states) == 4)
    shutil.rmtree(tmp_path / "_log/snapshots")
    assert log.optimize() and log.vacuum(timedelta(0))
    for read in (Log(tmp_path), log):
        assert [read.state_at(number) for number in range(4)] == states


def test_a_snapshot_that_cannot_be_read(tmp_path: Path) -> None:
    """An older one is read instead, or else the patches."""
    log = Log(tmp_path)
    changes = fill(log, 4)
    for number in (0, 2):
        log.compact(id_of(number))
    for path in reversed(descriptions(tmp_path)):
        data = path.with_suffix("") / "state.jelly.gz"
        data.write_bytes(b"?" * data.stat().st_size)
        name = json.loads(path.read_bytes())["id"]
        with pytest.warns(RuntimeWarning, match=f"the snapshot of {name} cannot be read, so an o"):
            assert Log(tmp_path).state_at() == replayed(changes)
