"""The index has filters of subjects, by which patches are not opened that do not have a subject."""

from __future__ import annotations

import random
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from jelly_spark.log.entries import packs
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.order import LogFinding
from jelly_spark.log.entries.subject_filters import (
    MOST_SUBJECTS,
    SIZE,
    hash_of,
    may_have,
    parse_filter,
    subject_filter,
)
from jelly_spark.log.index.block import block_of, dump, file_of, load
from jelly_spark.log.index.index_files import SEGMENTS, TAIL
from tests.log.patches import garble, headers, made_up
from tests.log.test_on_spark import set_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WRONG = f"the index does not match {file_of(3)}: remove {TAIL} and {SEGMENTS}"


def name(number: int) -> str:
    return f"<http://example.org/item/{number}>"


def about(id: int, *subjects: str) -> list[PatchRow]:
    """A patch that adds or deletes a statement for each subject."""
    rows = [
        PatchRow("D" if id % 3 == 1 else "A", subject, "<urn:p>", f'"{id % 5}"')
        for subject in subjects
    ]
    return [*headers(id, id - 1 if id else None), PatchRow("TX"), *rows, PatchRow("TC")]


def fill(folder: Path, seed: int) -> Log[PatchRow]:
    """A log of patches about random subjects, one with too many for a filter, some without any."""
    chosen = random.Random(seed)
    sizes = [chosen.choice([0, 1, 3, 20, MOST_SUBJECTS]) for _ in range(59)]
    log = Log(folder)
    log.append_all(
        about(id, *(name(chosen.randrange(200)) for _ in range(size)))
        for id, size in enumerate([*sizes, 150])
    )
    return log


def entries_of(path: Path) -> list[Entry]:
    block = load(path.read_bytes(), path.name)
    assert block is not None
    return block.entries


def change_filter(path: Path, at: int, subjects: bytes | None) -> None:
    """Change the filter in an entry of a file of the index."""
    block = load(path.read_bytes(), path.name)
    assert block is not None
    entry = block.entries[at]
    block.entries[at] = entry._replace(subjects=subjects)
    path.write_bytes(dump(block))


def test_filters() -> None:
    for count in (1, 7, MOST_SUBJECTS):
        found = subject_filter([*map(name, range(count))])
        assert found is not None and len(found) == SIZE and parse_filter(found.hex()) == found
        hashes = [hash_of(name(number)) for number in range(1000 + count)]
        for part in range(4, SIZE + 4, 4):
            assert all(may_have(found[:part], hash) for hash in hashes[:count])
        wrong = sum(may_have(found, hash) for hash in hashes[count:])
        assert wrong < {1: 3, 7: 10, MOST_SUBJECTS: 500}[count]
    assert subject_filter([]) is subject_filter([*map(name, range(MOST_SUBJECTS + 1))]) is None
    # Of two ways to write a term, the canonical one is in the filter.
    assert subject_filter([r"<urn:\u00e9>"]) == subject_filter(["<urn:é>"])


@pytest.mark.parametrize("text", ["", "00", "0000000G", "0000000A", "00 00 00 00", "0" * 72])
def test_malformed_filters(text: str, tmp_path: Path) -> None:
    """They are damage to the index, which is built again."""
    with pytest.raises(ValueError):
        parse_filter(text)


def test_the_history_of_each_subject(tmp_path: Path) -> None:
    """It is the same with and without filters, whoever wrote them, and few patches are opened."""
    log = fill(tmp_path, 1)
    expected = log.history()
    subjects = [name(number) for number in (*range(0, 200, 9), 201)]
    wanted = {each: [found for found in expected if found.subject == each] for each in subjects}
    entries = entries_of(tmp_path / TAIL)
    assert {entry.subjects is None for entry in entries} == {True, False}

    def check() -> None:
        for subject in subjects:
            assert Log(tmp_path).history(subject=subject) == wanted[subject]
        assert Log(tmp_path).verify() == []

    check()
    (tmp_path / TAIL).unlink()
    check()
    made_again = entries_of(tmp_path / TAIL)
    assert all(map(Entry.agrees_with, made_again, entries))
    for at in range(0, 60, 2):
        change_filter(tmp_path / TAIL, at, None)
    check()
    # Those that cannot be read do not have the subject.
    for version, entry in zip(log.versions(), entries, strict=True):
        if not entry.may_have(hash_of(subjects[-1])):
            garble(tmp_path / version.file)
    (tmp_path / TAIL).write_bytes(dump(block_of(entries)))
    assert Log(tmp_path).history(subject=subjects[-1]) == []


def test_patches_in_packs_and_of_others(tmp_path: Path) -> None:
    two = [row._replace(patch=n) for n in (0, 1) for row in (*about(n, name(n)), PatchRow("END"))]
    codec.write(tmp_path / "two.jellyp", two)
    codec.write(tmp_path / "a.rdfp.gz", about(2, name(0), name(2)))
    log = Log(tmp_path)
    before = log.history(subject=name(0))
    assert log.adopt() == 3 and log.history(subject=name(0)) == before != []
    filters = [entry.subjects for entry in entries_of(tmp_path / TAIL)]
    assert filters == [subject_filter([name(n) for n in numbers]) for numbers in ([0], [1], [0, 2])]
    log.append_all(about(n, name(n)) for n in range(3, 9))
    log.optimize()
    log.vacuum(timedelta(0))
    log.append(about(9, name(9)))
    assert [each.added_log_seq for each in log.history(subject=name(5))] == [5]
    assert len(log.history(subject=name(0))) == len(before) and log.verify() == []
    (beside,) = (tmp_path / packs.FOLDER).glob("*.jsonl.gz")
    change_filter(beside, 4, bytes(SIZE))
    assert [finding.rule for finding in log.verify()] == ["wrong-index"]
    change_filter(beside, 4, None)
    assert log.verify() == []
    change_filter(tmp_path / TAIL, 4, bytes(SIZE))
    assert [finding.rule for finding in Log(tmp_path).verify()] == ["wrong-index"]


def test_a_forged_filter_is_found(tmp_path: Path) -> None:
    """Until then, it hides rows."""
    Log(tmp_path).append_all(about(n, name(n)) for n in range(5))
    change_filter(tmp_path / TAIL, 3, bytes(SIZE))
    log = Log(tmp_path)
    assert log.history(subject=name(3)) == [] != log.history(lambda s: s.subject == name(3))
    assert log.verify() == [LogFinding("wrong-index", file_of(3), WRONG)]


def test_the_size_of_the_tail(tmp_path: Path) -> None:
    """The largest one, read and written by an append, has less than 20 kB."""
    chosen = random.Random(3)
    entries = []
    time = datetime(2026, 1, 1, tzinfo=timezone.utc)
    for entry in made_up(99):
        id = f"<urn:uuid:{uuid.UUID(int=chosen.getrandbits(128))}>"
        subjects = subject_filter([name(chosen.randrange(10**6)) for _ in range(25)])
        time += timedelta(microseconds=chosen.randrange(3600 * 10**6))
        size = chosen.randrange(500, 5000)
        entries.append(entry._replace(id=id, subjects=subjects, time=time, size=size))
    assert 2 * len(dump(block_of(entries))) < 20_000


def test_on_spark(spark: SparkSession, tmp_path: Path) -> None:
    """Spark, and SQL without Python, open the files that may have the subject."""
    plain, subject = fill(tmp_path, 2), name(9)
    log = Log(tmp_path, spark)
    frame = spark.createDataFrame(
        [(n, *row[:7]) for n, row in enumerate(about(60, subject))],
        "seq long, op string, subject string, predicate string, object string, graph string, "
        "name string, value string",
    )
    log.append(frame)
    entries = entries_of(tmp_path / TAIL)
    assert entries[-1].subjects == subject_filter([subject])
    wanted = plain.history(subject=subject)
    expected = [(row.object, row.patch) for row in plain.read() if row.subject == subject]
    assert 60 in (each.added_log_seq for each in wanted)
    opened = [entry.file for entry in entries if entry.may_have(hash_of(subject))]
    assert 2 < len(opened) < 20
    found = log.history(subject=subject)
    assert set_of(found) == {*map(tuple, wanted)} and len(found.inputFiles()) == len(opened)
    others = [f"<urn:other:{n}>" for n in range(12)]
    log_rows = f"SELECT object, log_seq FROM jelly_log('{tmp_path}') WHERE"

    def garble_files_without(*subjects: str) -> None:
        hashes = [*map(hash_of, subjects)]
        for entry in entries:
            if entry.subjects and not any(map(entry.may_have, hashes)):
                garble(tmp_path / entry.file)

    garble_files_without(subject, *others)
    many = ", ".join(f"'{each}'" for each in [subject, *others])
    in_many = sorted(map(tuple, spark.sql(f"{log_rows} subject IN ({many})").collect()))
    assert in_many == sorted(expected)
    garble_files_without(subject, others[0])
    rows = spark.sql(
        f"{log_rows} subject IN ('{subject}', '{others[0]}') UNION ALL "
        f"{log_rows} '{subject}' = subject"
    )
    assert sorted(map(tuple, rows.collect())) == sorted(2 * expected)
    garble_files_without(subject)
    in_sql = spark.sql(f"SELECT * FROM jelly_history('{tmp_path}', '{subject}')")
    assert set_of(in_sql) == {*map(tuple, wanted)}
