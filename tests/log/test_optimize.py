"""Packing patches into larger files, beside programs that read, append and do housekeeping."""

import os
import random
import shutil
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import JellyPatchReader, PatchRow
from jelly_spark.errors import LogConflictError, LogError, OptionError
from jelly_spark.log import Log
from jelly_spark.log.entries.files import Files
from jelly_spark.log.index.block import file_of
from jelly_spark.log.index.index_files import SEGMENTS, TAIL
from jelly_spark.log.index.log_index import LogIndex
from jelly_spark.log.index.settings import FOLDER
from jelly_spark.log.upkeep import optimizing
from jelly_spark.log.upkeep.optimizing import Optimizer
from tests.codec.files.restart_files import points_of
from tests.log.patches import garble, headers, id_of, patch, write_foreign, write_into
from tests.log.test_housekeeping import NOW, files_in
from tests.log.test_managed import patches


def packs_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("_log/packs/*.jellyp*"))


def content(rows: Iterable[PatchRow]) -> list[tuple[object, ...]]:
    """Rows without ordinals in the log; packs do not keep END rows."""
    return [(row.patch, *row[:7]) for row in rows if row.op != "END"]


def optimizer_of(folder: Path) -> Optimizer:
    index = LogIndex.open(Files(folder))
    assert index is not None
    index.look()
    return Optimizer(Files(folder), index, 1 << 20, "subject", None)


def test_optimize(tmp_path: Path) -> None:
    log, reader = Log(tmp_path), Log(tmp_path)
    log.append_all(patches(0, 250))
    rows, versions = [*log.read()], reader.versions()
    view = reader._view()
    entries = view.all()
    states = [log.state_at(place) for place in range(0, 250, 50)]
    assert log.optimize(dry_run=True) == [range(250)] and packs_in(tmp_path) == []
    assert log.optimize() == [range(250)]
    assert log.optimize() == [] and log.verify() == []
    for each in (log, reader, Log(tmp_path)):
        assert [*each.read()] == rows
        assert [each.state_at(place) for place in range(0, 250, 50)] == states
        assert [version[:4] for version in each.versions()] == [v[:4] for v in versions]
    held, behind = reader.read(), reader._engine.rows(view, entries)
    next(held)
    assert log.vacuum() == []
    assert log.vacuum(NOW, dry_run=True) == [file_of(n) for n in range(250)] == log.vacuum(NOW)
    assert files_in(tmp_path) == [] and log.verify() == []
    assert len([*held]) == len(rows) - 1 and [*behind] == rows == [*Log(tmp_path).read()]
    log.append(patch(250, 249))
    # The last pack is small, so it is made again with the new patch.
    assert log.optimize() == [range(251)] and len(packs_in(tmp_path)) == 2
    assert log.vacuum() == [] and len(log.vacuum(NOW)) == len([file_of(250), "pack", "entries"])
    assert len(packs_in(tmp_path)) == 1 and log.verify() == []
    assert Log(tmp_path).append(patch(251, 250)).log_seq == 251
    assert log.optimize(target_size=1) == []


@pytest.mark.parametrize("compression", [None, "gzip", "zstd"])
def test_adopted_files_and_open_transactions(tmp_path: Path, compression: str | None) -> None:
    """Packs keep patches of all formats, also those that a strict writer refuses."""
    write_foreign(tmp_path)
    open_first = [*headers(7, 6), PatchRow("TX"), *patch(7, add=["open"])[1:-1]]
    aborted = [row._replace(op="TA") if row.op == "TC" else row for row in patch(8, 7, add=["no"])]
    numbered = [row._replace(patch=0, seq=seq) for seq, row in enumerate(open_first)]
    codec.write(tmp_path / "open.rdfp", numbered)
    log = Log(tmp_path)
    log.adopt()
    log.append(aborted)
    rows = [*log.read()]
    state = log.state_at(5)
    assert log.optimize(compression=compression) == [range(8)]
    assert [row._replace(seq=None) for row in log.read()] == [
        row._replace(seq=None) for row in rows if row.op != "END"
    ]
    assert log.verify() == [] and log.state_at(5) == state
    assert len(log.vacuum(NOW)) == 7 and files_in(tmp_path) == []
    shutil.rmtree(tmp_path / SEGMENTS, ignore_errors=True)
    (tmp_path / TAIL).unlink()
    again = Log(tmp_path)
    assert content(again.read()) == content(rows) and again.verify() == []
    assert [version[:4] for version in again.versions()] == [v[:4] for v in log.versions()]
    assert log.append(patch(9, 8)).log_seq == 8


def test_reading_few_patches_of_a_large_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(optimizing, "_RESTART_INTERVAL", 1 << 12)
    log = Log(tmp_path)
    log.append_all(patches(0, 500))
    log.optimize()
    log.vacuum(NOW)
    ranges: list[int] = []
    new_decoder = JellyPatchReader._new_decoder

    def counted(self: JellyPatchReader, start: object) -> object:
        ranges.append(0)
        return new_decoder(self, start)  # type: ignore[arg-type]

    monkeypatch.setattr(JellyPatchReader, "_new_decoder", counted)
    assert [row.patch for row in log.read(400, 401)] == [401] * 5
    # One for the reader itself.
    assert len(ranges) == 2
    (pack,) = packs_in(tmp_path)
    with JellyPatchReader(tmp_path / "_log/packs" / pack, where={"patch": range(500)}) as reader:
        assert len([*reader]) and len(ranges) > 6


def test_the_history_of_a_subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimizing, "_RESTART_INTERVAL", 1 << 12)
    log = Log(tmp_path)

    def rows(number: int) -> list[PatchRow]:
        found = patch(number, number - 1 if number else None, add=[number], delete=[number - 100])
        subject = f"<urn:s:{number % 100 // 2}>"
        return [row._replace(subject=subject) if row.op in "AD" else row for row in found]

    log.append_all(map(rows, range(300)))
    all = log.history()
    log.optimize(target_size=20_000)
    log.append_all(map(rows, range(300, 310)))
    assert len(packs_in(tmp_path)) > 1
    all = log.history()
    wanted = [each for each in all if each.subject == "<urn:s:7>"]
    assert log.history(subject="<urn:s:7>") == wanted and {each[-1] for each in wanted} > {None}
    some = log.history(lambda statement: statement.object == '"14"', subject="<urn:s:7>")
    assert some == [each for each in wanted if each.object == '"14"']
    assert log.history(subject="<urn:s:none>") == []
    log.expire(110)
    assert {each.added_log_seq for each in log.history(subject="<urn:s:7>")} == {
        None,
        114,
        115,
        214,
        215,
    }
    # A transaction that is aborted takes all rows to see.
    log.append([*headers(310, 309), PatchRow("TX"), PatchRow("TA")])
    assert len(log.history(subject="<urn:s:7>")) == len(
        log.history(lambda s: s.subject == "<urn:s:7>")
    )


def test_two_programs_that_pack(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 20))
    one, two = optimizer_of(tmp_path), optimizer_of(tmp_path)
    late, log_two = two.plan(), Log(tmp_path)
    assert one.run(one.plan()) == [range(20)]
    (pack,) = packs_in(tmp_path)
    assert two.run(late) == [] and packs_in(tmp_path) == [pack]
    # If patches expired meanwhile, those that are left are in the pack.
    log.append_all(patches(20, 30))
    one = optimizer_of(tmp_path)
    plan = one.plan()
    log_two.expire(15)
    assert one.run(plan) == [range(30)] and log.verify() == []
    log.vacuum(NOW)
    assert len(Log(tmp_path).state_at()) == 30 and len([*log.versions()]) == 15
    # If all of them expired, the pack is not used.
    log.append_all(patches(30, 40))
    one = optimizer_of(tmp_path)
    plan = one.plan()
    log_two.expire(39)
    one.run(plan)
    log_two.append(patch(40, 39))
    assert Log(tmp_path).verify() == [] and len(Log(tmp_path).state_at()) == 40


def test_a_killed_program(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 20))
    optimizer = optimizer_of(tmp_path)
    optimizer._pack(optimizer.plan()[0])
    assert log.verify() == [] and log.vacuum(NOW) == [] and len(log.state_at()) == 20
    for path in (tmp_path / "_log/packs").iterdir():
        os.utime(path, (0, 0))
    assert len(log.vacuum(NOW)) == 2 and len(files_in(tmp_path)) == 20


def test_a_beginning_inside_a_pack(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 130))
    log.optimize()
    states = [log.state_at(place) for place in (119, 120, 129)]
    log.expire(120)
    log.vacuum(NOW)
    for each in (log, Log(tmp_path)):
        assert [each.state_at(place) for place in (120, 129)] == states[1:]
        assert {row.patch for row in each.read()} == {*range(120, 130)} and each.verify() == []
    shutil.rmtree(tmp_path / SEGMENTS)
    (tmp_path / TAIL).unlink()
    again = Log(tmp_path)
    assert len(again.versions()) == 10 and again.state_at() == states[2] and again.verify() == []
    again.append(patch(130, 129))
    assert again.optimize() == [range(120, 131)]
    again.expire(130)
    again.vacuum(NOW)
    assert len(packs_in(tmp_path)) == 1
    again.append_all(patches(131, 132))
    again.expire(131)
    assert len([name for name in again.vacuum(NOW) if "packs" in name]) == 2
    assert len(again.state_at()) == 131 and again.verify() == []


def test_a_tail_from_before_the_packs(tmp_path: Path) -> None:
    """Readers and writers with it must not take the log for shorter than it is."""
    slow = Log(tmp_path)
    slow.append_all(patches(0, 5))
    tail = (tmp_path / TAIL).read_bytes()
    other = Log(tmp_path)
    other.append_all(patches(5, 30))
    other.optimize()
    other.vacuum(NOW)
    (tmp_path / TAIL).write_bytes(tail)
    with pytest.raises(LogConflictError) as error:
        slow.append(patch("late", 4))
    assert error.value.head == id_of(29) and files_in(tmp_path) == []
    (tmp_path / TAIL).write_bytes(tail)
    assert Log(tmp_path).head() == id_of(29) and len(slow.state_at()) == 30
    assert slow.append(patch(30, 29)).log_seq == 30 and other.verify() == []


def test_lost_and_damaged_packs(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 20))
    log.optimize()
    (pack,) = (tmp_path / "_log/packs").glob("*.jellyp")
    data = pack.read_bytes()
    garble(pack)
    (finding,) = log.verify()
    assert finding.rule == "unreadable-file" and "Log.optimize packs them again" in finding.message
    # The original files are needed.
    assert log.vacuum(NOW) == []
    pack.unlink()
    assert [each.rule for each in log.verify()] == ["missing-file"]
    with pytest.raises(LogError, match=r"is missing: the original .* Log\.optimize packs them"):
        [*log.read()]
    assert log.optimize() == [range(20)] and log.verify() == []
    assert len(log.state_at()) == 20
    log.vacuum(NOW)
    (pack,) = (tmp_path / "_log/packs").glob("*.jellyp")
    other = [row._replace(op="D") if row.op == "A" else row for row in codec.read_jelly_patch(pack)]
    write_into(pack, other)
    (finding,) = log.verify()
    assert finding.rule == "changed-file" and finding.message.endswith("restore it from a backup")
    write_into(pack, other[:10])
    with pytest.raises(LogError, match=r"lacks patches of the log: see Log\.verify"):
        [*log.read()]
    pack.unlink()
    with pytest.raises(LogError, match=r"jellyp is missing: see Log\.verify"):
        [*log.read()]
    pack.write_bytes(data)
    assert len([*log.read()]) > 20


@pytest.mark.parametrize("error", [None, OSError, KeyboardInterrupt])
def test_an_answer_that_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException] | None
) -> None:
    """The settings were stored, but whoever stored them does not know it."""
    log = Log(tmp_path)
    log.append_all(patches(0, 5))
    log.optimize()
    log.append_all(patches(5, 8))
    create = Files.create

    def create_without_answer(files: Files, name: str, source: Path) -> bool:
        done = create(files, name, source)
        if not name.startswith(FOLDER):
            return done
        if error is not None:
            raise error
        return False

    monkeypatch.setattr(Files, "create", create_without_answer)
    if error is None:
        assert log.optimize() == [range(8)]
    else:
        with pytest.raises(error):
            log.optimize()
    monkeypatch.undo()
    assert Log(tmp_path).verify() == [] and len(Log(tmp_path).vacuum(NOW)) == 8 + 2
    assert len(Log(tmp_path).state_at()) == 8


def test_a_new_pack_that_is_damaged(tmp_path: Path) -> None:
    """The pack that it replaced stays."""
    log = Log(tmp_path)
    log.append_all(patches(0, 5))
    log.optimize()
    log.append_all(patches(5, 8))
    log.vacuum(NOW)
    (old,) = packs_in(tmp_path)
    log.optimize()
    (new,) = {*packs_in(tmp_path)} - {old}
    garble(tmp_path / "_log/packs" / new)
    assert log.vacuum(NOW) == [] and packs_in(tmp_path) == sorted([old, new])


def test_a_pack_that_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also between frames, where nothing else shows it."""
    monkeypatch.setattr(optimizing, "_RESTART_INTERVAL", 1 << 10)
    log = Log(tmp_path)
    log.append_all(patches(0, 200))
    log.optimize()
    log.vacuum(NOW)
    pack = tmp_path / "_log/packs" / packs_in(tmp_path)[0]
    os.truncate(pack, points_of(pack.read_bytes())[-1].offset)
    for read in (log.state_at, log.history, lambda: log.history(subject="<urn:s>")):
        with pytest.raises(LogError, match=r"see Log\.verify"):
            read()


def test_lost_entries_of_a_pack(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 5))
    log.optimize()
    log.vacuum(NOW)
    (entries,) = tmp_path.glob("_log/packs/*.jsonl.gz")
    for change in (garble, Path.unlink):
        change(entries)
        assert [finding.rule for finding in log.verify()] == ["wrong-index"]
    assert log.optimize(target_size=1) == []
    assert log.verify() == []
    entries.unlink()
    (tmp_path / TAIL).unlink()
    with pytest.raises(LogError, match="is missing or damaged: restore it"):
        Log(tmp_path).versions()


def test_a_changed_original_is_not_packed(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 9))
    write_into(tmp_path / file_of(5), patch(5, 4, add=["changed"]))
    with pytest.raises(LogError, match=r"0005\.jellyp has changed since it was appended"):
        log.optimize()
    (tmp_path / file_of(5)).unlink()
    with pytest.raises(LogError, match=r"0005\.jellyp is missing"):
        log.optimize()
    assert not [*tmp_path.glob("_log/packs/*")] and [*tmp_path.glob("_log/.*.part")] == []


def test_what_is_packed_together(tmp_path: Path) -> None:
    """Files up to the target size; packs that are large enough stay as they are."""
    log = Log(tmp_path)
    log.append_all(patches(0, 10))
    size = (tmp_path / file_of(5)).stat().st_size
    log.append(patch(10, 9, add=range(1000)))
    log.append_all(patches(11, 15))
    found = log.optimize(target_size=5 * size + 20)
    assert found == [range(5), range(5, 10), range(11, 15)]
    assert {version.file for version in log.versions()} > {file_of(10)}
    assert log.optimize(target_size=5 * size + 20) == []
    assert log.verify() == [] and len(log.vacuum(NOW)) == 14
    assert len(Log(tmp_path).state_at()) == 1000
    assert log.optimize(target_size=1 << 20) == [range(15)]


def test_what_is_refused(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    with pytest.raises(OptionError, match="is not a managed log, so nothing can be packed"):
        Log(tmp_path).optimize()
    log = Log(tmp_path / "log")
    log.append_all(patches(0, 2))
    with pytest.raises(OptionError, match="compression must be None or one of: gzip, zstd"):
        log.optimize(compression="lz4")
    with pytest.raises(OptionError, match="index_columns"):
        log.optimize(index_columns="op")
    with pytest.raises(OptionError, match="target_size must be an integer of at least 1"):
        log.optimize(target_size=0)


@pytest.mark.parametrize(
    "content",
    ['[[0, 2, "x", 1, ""]]', "7", '[[0, 2, "_log/packs/../x", 1, ""]]', '[], "begin": "0"', "[]}x"],
)
def test_malformed_settings(tmp_path: Path, content: str) -> None:
    log = Log(tmp_path)
    log.append_all(patches(0, 2))
    log.optimize()
    (path,) = tmp_path.glob("_log/format/*1.json")
    before, _, _ = path.read_text().partition('"packs": ')
    path.write_text(f'{before}"packs": {content}}}')
    with pytest.raises(LogError, match="is malformed"):
        Log(tmp_path).versions()[0]


@pytest.mark.parametrize("seed", range(3))
def test_random_work(tmp_path: Path, seed: int) -> None:
    """Several programs work in turns, each with what it knew when it was last its turn."""
    draw = random.Random(seed)
    logs = [Log(tmp_path) for _ in range(4)]
    begin = count = 0
    works = ["append"] * 6 + ["optimize", "optimize", "expire", "vacuum", "vacuum", "read", "lose"]
    for _ in range(150):
        log, work = draw.choice(logs), draw.choice(works)
        if work == "append":
            log.append(patch(count, count - 1 if count else None, add=[count]))
            count += 1
        elif count == 0:
            continue
        elif work == "optimize":
            log.optimize(target_size=draw.choice([500, 5_000, 1 << 20]))
        elif work == "expire":
            begin = max(begin, draw.randrange(begin, min(count, begin + 5)))
            log.expire(begin)
        elif work == "vacuum":
            log.vacuum(draw.choice([NOW, timedelta(days=1)]))
        elif work == "read":
            place = draw.randrange(begin, count)
            assert {each.object for each in log.state_at(place)} == {
                f'"{n}"' for n in range(place + 1)
            }
        else:
            (tmp_path / TAIL).unlink(missing_ok=True)
        assert [version.log_seq for version in log.versions()] == [*range(begin, count)]
    assert Log(tmp_path).verify() == []
    assert {row.patch for row in Log(tmp_path).read()} == {*range(begin, count)}
