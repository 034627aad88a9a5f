"""`Log.commit`: the difference between the last version and a new state, as a new patch."""

from __future__ import annotations

import pickle
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec, patches
from jelly_spark.codec import PatchRow
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log import Log
from jelly_spark.log.chains.folder import ScannedFolder
from jelly_spark.log.index import block
from jelly_spark.log.index.index_files import TAIL
from jelly_spark.log.log import keep_states
from jelly_spark.patches import Statement
from tests.log.patches import garble, patch

CUP = Statement("<urn:x:cup>", "<urn:x:price>", '"8.50"', None)
POT = Statement("<urn:x:pot>", "<urn:x:price>", '"21.00"', None)


def test_changes_are_appended_as_canonical_patches(tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    assert log.commit([]) is None
    assert not (tmp_path / "log").exists()
    first = log.commit([CUP], prefixes={(None, "x"): "<urn:x:>"}, message='one "cup"')
    assert first is not None and first.version is not None
    assert (first.id, first.prev, first.adds, first.deletes) == (log.head(), None, 1, 0)
    assert log.commit([CUP], message="again") is None
    dry = log.commit([POT], dry_run=True)
    assert dry is not None and dry.version is None and dry.prev == log.head()
    second = log.commit([POT])
    assert second is not None and second.prev == first.id
    assert log.state_at() == {POT}
    assert log.prefixes_at() == {(None, "x"): "<urn:x:>"}
    rows = [*log.read()]
    assert [row.value for row in rows if row.name == "message"] == ['"one \\"cup\\""']
    assert patches.check_canonical(rows) == rows
    assert [(change.change, change.subject) for change in log.changes(0)] == [
        ("D", CUP.subject),
        ("A", POT.subject),
    ]


def test_earlier_times(tmp_path: Path) -> None:
    log = Log(tmp_path)
    times = [datetime(year, 1, 1, 12, tzinfo=timezone.utc) for year in (1850, 2020, 2020, 2021)]
    log.commit([CUP], time=times[0])
    # A time without a zone is local.
    log.commit([POT], time=times[1].astimezone().replace(tzinfo=None))
    log.commit([CUP, POT], time=times[2].astimezone(timezone(timedelta(hours=5))))
    log.commit([], time=times[3])
    assert [version.time for version in log.versions()] == times
    assert log.state_at(datetime(2020, 6, 1)) == {CUP, POT}
    assert log.state_at(datetime(1900, 1, 1)) == {CUP}
    with pytest.raises(LogError, match=r"^2020.* is before the time of the last patch, <urn"):
        log.commit([CUP], time=datetime(2020, 12, 31), dry_run=True)
    with pytest.raises(OptionError, match="is not a time of the years 1 to 9999 in UTC"):
        log.commit([CUP], time=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))))
    with pytest.raises(OptionError, match="is in the future"):
        log.commit([CUP], time=datetime.now() + timedelta(hours=1))
    # The files have the times, too, which are read from there if the index is lost.
    (tmp_path / TAIL).unlink()
    found = Log(tmp_path)
    assert [version.time for version in found.versions()][1:] == times[1:]
    assert found.verify() == []
    now = log.commit([CUP])
    assert now is not None and now.version is not None and now.version.time is not None
    assert now.version.time > times[3]


def test_messages_are_in_the_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log(tmp_path)
    messages = ["one", None, "x" * 998, "x" * 999, 'a "b"\n\ud7ff\U0001f375']
    for number, message in enumerate(messages):
        log.commit([CUP] if number % 2 else [POT], message=message)
    expected = ['"one"', None, f'"{"x" * 998}"', None, '"a \\"b\\"\\n\ud7ff\U0001f375"']
    assert [version.message for version in log.versions()] == expected
    header = PatchRow("H", name="message", value='"\\u0069t"@EN')
    log.append([header, *patch("x", add=[1])], assign_ids=True)
    expected.append('"it"@EN')
    with monkeypatch.context() as context:
        # No patch is read.
        context.setattr(codec, "open_reader", None)
        assert [version.message for version in Log(tmp_path).versions()] == expected
    (tmp_path / TAIL).unlink()
    assert [version.message for version in Log(tmp_path).versions()] == expected
    # Messages are hints: an index need not have them.
    index = block.load((tmp_path / TAIL).read_bytes(), "")
    assert index is not None
    old = [each._replace(message=None) for each in index.entries]
    (tmp_path / TAIL).write_bytes(block.dump(index._replace(entries=old)))
    assert {version.message for version in Log(tmp_path).versions()} == {None}
    assert Log(tmp_path).verify() == []
    log.optimize()
    assert [version.message for version in log.versions()] == expected


def test_only_prefixes_change(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.commit([CUP], prefixes={(None, "x"): "<urn:x:>"})
    found = log.commit([CUP], prefixes={(None, "y"): "<urn:x:>"})
    assert found is not None and (found.adds, found.deletes, found.prefixes) == (0, 0, 2)
    assert log.prefixes_at() == {(None, "y"): "<urn:x:>"}


def test_prefixes_of_other_graphs_stay(tmp_path: Path) -> None:
    log = Log(tmp_path)
    both = {(None, "x"): "<urn:x:>", ("<urn:x:g>", "x"): "<urn:x:>"}
    log.commit([CUP], prefixes=both)
    assert log.commit([CUP], prefixes={(None, "x"): "<urn:x:>"}) is None
    assert log.prefixes_at() == both


def test_a_dry_run_says_if_nothing_can_be_appended(tmp_path: Path) -> None:
    codec.write(tmp_path / "1.jellyp", [codec.PatchRow("H", name="id", value="<urn:x:1>")])
    for dry_run in (True, False):
        with pytest.raises(LogError, match="is not a managed log"):
            Log(tmp_path).commit([CUP], dry_run=dry_run)


def test_blank_nodes_are_matched(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.commit([("_:a", "<urn:x:name>", '"Cup"')])
    assert log.commit([("_:b", "<urn:x:name>", '"Cup"')], blank_nodes="match") is None


def test_the_patch_is_made_again_if_another_is_appended_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log(tmp_path)
    append = ScannedFolder.append

    def race(folder: ScannedFolder, *args: Any, **options: Any) -> Any:
        monkeypatch.undo()
        Log(tmp_path).commit([POT])
        return append(folder, *args, **options)

    monkeypatch.setattr(ScannedFolder, "append", race)
    found = log.commit([CUP])
    assert found is not None and (found.adds, found.deletes) == (1, 1)
    assert (len(log.versions()), log.state_at()) == (2, {CUP})
    assert log.metrics.conflicts == 1


def test_a_table_has_no_commit() -> None:
    log = object.__new__(Log)
    log._engine = object()  # type: ignore[assignment] # an engine with a session
    with pytest.raises(OptionError, match=r"jelly_spark\.algebra\.diff"):
        log.commit([CUP])


def test_terms_that_are_not_canonical(tmp_path: Path) -> None:
    """The state is that of the patch, as it is read from its file."""
    log, price = Log(tmp_path), '"8"^^<http://www.w3.org/2001/XMLSchema#string>'
    log.commit([CUP._replace(object=price), CUP._replace(object=r'"\u0038"')])
    assert log.state_at() == {CUP._replace(object='"8"')}


def test_the_state_of_a_commit_is_kept_for_its_snapshot(tmp_path: Path) -> None:
    prefixes: dict[patches.PrefixKey, str] = {(None, "x"): "<urn:x:>"}
    log = Log(tmp_path)
    keep_states(log)
    for state in ([POT], [CUP, POT], [CUP]):
        log.commit(state, prefixes=prefixes)
    read = log.metrics.bytes_read
    assert log.compact() and log.metrics.bytes_read == read
    assert Log(tmp_path).verify() == []
    for path in tmp_path.glob("*.jellyp"):
        garble(path)
    assert Log(tmp_path).state_at() == {CUP} and Log(tmp_path).prefixes_at() == prefixes
    assert pickle.loads(pickle.dumps(log)).state_at() == {CUP}


def test_language_tags(tmp_path: Path) -> None:
    log = Log(tmp_path)
    upper, lower = (CUP._replace(object=f'"cup"@{tag}') for tag in ("EN", "en"))
    log.commit([upper])
    assert log.commit([lower], language_tags="ignore-case") is None
    both = log.commit([lower, POT], language_tags="ignore-case", dry_run=True)
    assert both is not None and (both.adds, both.deletes) == (1, 0)
    # A delete names the tag that the log has, so the log is canonical in either mode.
    log.commit([POT], language_tags="ignore-case")
    assert log.state_at() == {POT}
    rows = [*log.read()]
    assert patches.check_canonical(rows) == rows


def test_states_without_the_case_of_tags(tmp_path: Path) -> None:
    log = Log(tmp_path)
    upper, lower = (CUP._replace(object=f'"cup"@{tag}') for tag in ("EN", "en"))
    log.commit([upper, POT])
    # A patch of others deletes another tag than that which was added.
    headers = ("id", "<urn:x:2>"), ("prev", log.head())
    log.append(
        [
            *(codec.PatchRow("H", name=name, value=value) for name, value in headers),
            codec.PatchRow("D", *lower),
        ]
    )
    log.compact()
    assert log.state_at() == {upper, POT}
    assert log.state_at(language_tags="ignore-case") == {POT}
    assert log.state_at(0, language_tags="ignore-case") == {upper, POT}
    wrong: Any = "any"
    with pytest.raises(OptionError, match="language_tags must be one of"):
        log.state_at(language_tags=wrong)
    # After `expire`, the state that it saved is the beginning.
    log.expire(1)
    assert log.state_at(language_tags="ignore-case") == {POT}


def test_skolem_iris(tmp_path: Path) -> None:
    base = "https://e/.well-known/genid/"
    log = Log(tmp_path)
    log.commit([Statement("_:b", "<urn:x:p>", "<_:a/b>"), POT])
    export = [(f"<{base}b>", "<urn:x:p>", f"<{base}a%2Fb>"), POT]
    assert log.commit(export, skolem_base=base) is None
    found = log.commit(export, dry_run=True)
    assert found is not None and (found.adds, found.deletes) == (1, 1)
    with pytest.raises(OptionError, match="skolem_base must be an absolute IRI"):
        log.commit(export, skolem_base="genid/")
