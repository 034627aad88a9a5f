"""Folders of other programs, and logs of releases without managed logs, become managed logs."""

import json
import os
import shutil
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.errors import LogError
from jelly_spark.log import Log
from jelly_spark.log.entries import file_of
from jelly_spark.log.managed import TAIL, ManagedIndex
from tests.log.patches import garble, id_of, patch, write_foreign, write_into
from tests.own_formats.writing import FILES

OLD = FILES / "0.1" / "log"
STATES = json.loads((FILES / "0.1" / "log.json").read_text())
"""The ids and states of the old log."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A log of an earlier release, with an index, four patches and a snapshot of the third."""
    return Path(shutil.copytree(OLD, tmp_path / "log"))


def states(log: Log[codec.PatchRow]) -> list[list[object]]:
    found = ((version.id, log.state_at(version.id)) for version in log.versions())
    return [[id, [list(each) for each in sorted(state, key=str)]] for id, state in found]


def test_a_folder_that_others_wrote(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    read = [*Log(tmp_path).read()]
    log = Log(tmp_path)
    assert log.adopt() == 6
    assert [*log.read()] == [*Log(tmp_path).read()] == read
    assert log.append(patch(7, 6)).file == file_of(6)
    assert Log(tmp_path).verify() == []
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    (tmp_path / TAIL).unlink()
    assert [version.id for version in Log(tmp_path).versions()] == [id_of(n) for n in range(1, 8)]
    with pytest.raises(LogError, match="is a managed log already: append patches to it"):
        log.adopt()


def test_what_is_not_adopted(tmp_path: Path) -> None:
    codec.write(tmp_path / "a.rdfp", patch(1))
    codec.write(tmp_path / "b.rdfp", patch(2, 1))
    codec.write(tmp_path / "c.rdfp", patch(3, 1))
    with pytest.raises(LogError, match="both follow <urn:patch:1>: remove one of them"):
        Log(tmp_path).adopt()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.rdfp", "b.rdfp", "c.rdfp"]


def test_a_log_of_an_earlier_release(old: Path) -> None:
    times = json.loads((old / "_log/index.json").read_bytes())["files"]
    assert states(Log(old)) == STATES
    with pytest.raises(LogError, match=r"call Log\.adopt"):
        Log(old).append(patch(4, 3))
    log = Log(old)
    assert log.adopt() == 4
    assert states(log) == states(Log(old)) == STATES
    # The times are those of the old index, and the snapshot is used.
    for version in log.versions():
        assert version.time and version.time.isoformat() == times[version.file]["time"]
    assert log.verify() == []
    for number in range(3):
        garble(old / file_of(number))
    assert [[*each] for each in sorted(Log(old).state_at(3), key=str)] == STATES[3][1]
    assert log.append(patch(4, 3)).log_seq == 4


def test_an_old_log_that_begins_after_a_snapshot(old: Path) -> None:
    """Its positions are the numbers in the names of the files."""
    for number in range(3):
        (old / file_of(number)).unlink()
    os.remove(old / "_log/index.json")
    with pytest.raises(LogError, match="the log begins after <urn:patch:2>, which is missing"):
        Log(old).state_at()
    log = Log(old)
    assert log.adopt() == 1
    (version,) = log.versions()
    assert version.log_seq == 3 and log.state_at(3) == log.state_at(-1) == log.state_at()
    assert [[*each] for each in sorted(log.state_at(), key=str)] == STATES[3][1]
    assert [[*each] for each in sorted(log.state_at(id_of(2)), key=str)] == STATES[2][1]
    assert log.append(patch(4, 3, add=["x"])).file == file_of(4)
    assert len(Log(old).state_at()) == len(STATES[3][1]) + 1 and log.verify() == []
    (old / TAIL).unlink()
    assert [version.log_seq for version in Log(old).versions()] == [3, 4]
    with pytest.raises(LogError, match="position 2 has expired: the log begins at position 3"):
        log.state_at(2)
    assert len(log.history()) > 0


def test_a_file_that_changed_since_an_earlier_release_recorded_it(old: Path) -> None:
    write_into(old / file_of(1), patch(1, 0, add=["other"]))
    with pytest.raises(LogError, match=r"0001\.jellyp has changed since .*: restore it, or remove"):
        Log(old).adopt()
    os.remove(old / "_log/index.json")
    log = Log(old)
    assert log.adopt() == 4 and log.verify() == []
    # The snapshot was made from another patch.
    assert '"other"' in {statement.object for statement in log.state_at(2)}


def test_names_with_the_position_of_another_patch(tmp_path: Path) -> None:
    codec.write(tmp_path / "base.rdfp", patch(0))
    codec.write(tmp_path / file_of(0), patch(1, 0))
    with pytest.raises(LogError, match=r"0000\.jellyp has the name of patch 0, but has patch"):
        Log(tmp_path).adopt()
    (tmp_path / file_of(0)).rename(tmp_path / "next.jellyp")
    assert Log(tmp_path).adopt() == 2


def test_an_adoption_that_is_killed(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the snapshots were taken in: the next one goes on."""
    for number in range(3):
        (old / file_of(number)).unlink()
    os.remove(old / "_log/index.json")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ManagedIndex, "create", killed)
        with pytest.raises(KeyboardInterrupt):
            Log(old).adopt()
    assert Log(old).adopt() == 1
    assert [[*each] for each in sorted(Log(old).state_at(), key=str)] == STATES[3][1]
