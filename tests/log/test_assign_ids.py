"""Appending patches of others, which lack the headers `id` or `prev`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from jelly_spark.codec import PatchRow
from jelly_spark.errors import LogConflictError, LogError, PatchError, UnwritableRowError
from jelly_spark.log import Log
from jelly_spark.log.chains.folder import ManagedFolder
from tests.log.patches import headers, id_of, patch, statement

NEW_ID = re.compile(r"<urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}>")


def bare(name: object) -> list[PatchRow]:
    """A patch without headers that adds a statement."""
    return patch(0, add=[name])[1:]


def test_headers_that_are_missing_are_added(tmp_path: Path) -> None:
    log = Log(tmp_path)
    first = log.append(bare(1), assign_ids=True)
    own, linked, last = log.append_all(
        [
            patch("own", add=[2]),
            [PatchRow("H", name="prev", value=id_of("own")), *bare(3)],
            # The headers come first, and others stay where they are.
            [
                PatchRow("TX", patch=7),
                PatchRow("H", name="note", value='"x"', patch=7),
                PatchRow("TC", patch=7),
            ],
        ],
        assign_ids=True,
    )
    assert NEW_ID.fullmatch(first.id) and first.prev is None
    assert (own.id, own.prev) == (id_of("own"), first.id)
    assert NEW_ID.fullmatch(linked.id) and linked.prev == own.id
    assert NEW_ID.fullmatch(last.id) and last.prev == linked.id
    assert len({first.id, own.id, linked.id, last.id}) == 4
    rows = [(row.op, row.name) for row in log.read(after=linked.id)]
    assert rows == [("H", "id"), ("H", "prev"), ("TX", None), ("H", "note"), ("TC", None)]
    assert log.state_at() == {statement(n) for n in (1, 2, 3)}
    assert log.verify() == []


def test_headers_that_are_there_stay(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(patch(0, add=[0]), assign_ids=True)
    log.append(patch(1, 0, add=[1]), assign_ids=True)
    with pytest.raises(LogConflictError, match="it follows <urn:patch:0>, but the log ends"):
        log.append([PatchRow("H", name="prev", value=id_of(0)), *bare(2)], assign_ids=True)
    with pytest.raises(LogConflictError, match="no patch of the log follows <urn:patch:x>"):
        log.append(patch(2, "x", add=[2]), assign_ids=True)
    # A patch that the log has is not appended again, also with a prev that was added.
    log.append(patch("own", add=[2]), assign_ids=True)
    log.append(bare(3), assign_ids=True)
    assert log.append(patch("own", add=[2]), assign_ids=True).log_seq == 2
    assert log.append(patch(0, add=[0]), assign_ids=True).log_seq == 0
    with pytest.raises(LogConflictError):
        log.append(patch("own", add=["other"]), assign_ids=True)
    # Without an id, it cannot be recognized.
    assert log.append(bare(3), assign_ids=True).log_seq == 4


def test_an_error_names_the_option(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="assign_ids=True, or `jelly-spark log append --assign-ids`"):
        Log(tmp_path).append(bare(1))


def test_what_is_still_refused(tmp_path: Path) -> None:
    log = Log(tmp_path)
    two = [row._replace(patch=n) for n in (0, 1) for row in bare(n)]
    with pytest.raises(LogError, match="only one patch can be appended"):
        log.append(two, assign_ids=True)
    with pytest.raises(UnwritableRowError):
        log.append(bare(1)[:-1], assign_ids=True)
    with pytest.raises(UnwritableRowError):
        log.append([("TX",)], assign_ids=True)  # type: ignore[list-item]
    assert not log.versions()


def test_patches_are_checked_to_be_canonical(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append_all([bare(1), bare(2)], canonical=True, assign_ids=True)
    assert [change.object for change in log.changes()] == ['"1"', '"2"']
    with pytest.raises(PatchError, match="adds only statements that are absent"):
        log.append(bare(2), canonical=True, assign_ids=True)
    assert len(log.versions()) == 2


@pytest.mark.parametrize("canonical", [False, True])
def test_another_program_appends_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, canonical: bool
) -> None:
    log = Log(tmp_path)
    append = ManagedFolder.append_file

    def race(folder: ManagedFolder, *args: Any) -> Any:
        if len(log.versions()) == 1:
            monkeypatch.undo()
            Log(tmp_path).append([*headers("first", log.versions()[0].id[11:-1])])
        return append(folder, *args)

    log.append(patch(0, add=[0]))
    monkeypatch.setattr(ManagedFolder, "append_file", race)
    found = log.append_all([bare(1), bare(2)], assign_ids=True, canonical=canonical)
    assert [version.log_seq for version in found] == [2, 3]
    assert found[0].prev == id_of("first")
    assert log.state_at() == {statement(n) for n in (0, 1, 2)}
