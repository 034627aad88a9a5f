"""Logs with a session: rows and states are DataFrames, the same as those of plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from jelly_spark import algebra, codec
from jelly_spark.codec import PatchRow
from jelly_spark.errors import LogConflictError, LogError, OptionError
from jelly_spark.log import Log
from jelly_spark.log.chains.folder import ScannedFolder
from jelly_spark.log.engines import frames, in_python, on_spark
from jelly_spark.log.index import block
from jelly_spark.log.index.index_files import TAIL
from jelly_spark.log.upkeep import optimizing
from tests.log.patches import garble, headers, id_of, patch, statement, write_foreign, write_into
from tests.log.test_versions import fill, random_changes
from tests.numbering import numbered
from tests.spark.patches import fails

SCHEMA = jelly_spark.schema("jelly_patch")


def frame_of(spark: SparkSession, rows: Iterable[PatchRow]) -> DataFrame:
    numbered = [tuple(row._replace(patch=0, seq=seq)) for seq, row in enumerate(rows)]
    return spark.createDataFrame(numbered, SCHEMA)


def set_of(frame: DataFrame) -> set[tuple[str, ...]]:
    rows = [tuple(row) for row in frame.collect()]
    assert len(rows) == len(set(rows))
    return set(rows)


def plan_of(frame: DataFrame) -> str:
    """The physical plan."""
    plan: str = frame._jdf.queryExecution().executedPlan().toString()
    return plan


def ordered(frame: DataFrame) -> list[PatchRow]:
    """The rows of a log as plain Python has them, but for the numbers."""
    rows = frame.orderBy("log_seq", "seq").collect()
    return [PatchRow(*row[:7])._replace(patch=row.log_seq) for row in rows]


def test_the_same_as_plain_python(spark: SparkSession, tmp_path: Path) -> None:
    plain = Log(tmp_path)
    fill(plain, 6)
    plain.compact(id_of(1))
    log = Log(tmp_path, spark)
    log.compact(id_of(3))
    assert log.versions() == plain.versions() and log.verify() == plain.verify() == []
    assert ordered(log.read()) == [row._replace(tx=None, seq=None) for row in plain.read()]
    assert log.read().columns == [*PatchRow._fields, "log_seq"]
    assert log._repr_html_() == plain._repr_html_()
    some = log.read(id_of(1), id_of(3))
    assert {row.log_seq for row in some.select("log_seq").collect()} == {2, 3}
    for number in (0, 1, 2, 3, 5):
        assert set_of(log.state_at(id_of(number))) == plain.state_at(id_of(number))
    found = {(row.graph, row.name): row.value for row in log.prefixes_at().collect()}
    assert found == plain.prefixes_at() and found
    for a, b in [(0, 4), (4, 1)]:
        rows = [PatchRow(*row) for row in log.between(id_of(a), id_of(b)).orderBy("seq").collect()]
        assert rows == [*plain.between(id_of(a), id_of(b))]
    assert set_of(log.history()) == {tuple(interval) for interval in plain.history()}
    one = log.history(F.col("object") == '"1"').select("object").distinct()
    assert [row.object for row in one.collect()] == ['"1"']


def test_appending_a_difference(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path / "a log [with] {odd} *names?", spark)
    columns = "subject string, predicate string, object string, graph string"
    before = spark.createDataFrame(list[tuple[str, ...]](), columns)
    for number in range(3):
        after = spark.createDataFrame([statement(n) for n in range(number, number + 40)], columns)
        prev = None if number == 0 else id_of(number - 1)
        version = log.append(algebra.diff(before, after, id=id_of(number), prev=prev))
        assert version.log_seq == number
        assert set_of(log.state_at()) == set_of(after)
        before = after
    files = sorted(path.name for path in tmp_path.glob("*/*") if path.is_file())
    assert files == [f"{number:020d}.jellyp" for number in range(3)]
    assert sorted(path.name for path in tmp_path.glob("*/_log/*")) == ["format", "tail.jsonl.gz"]
    assert log.verify() == []
    # Plain Python writes the same bytes for the same rows.
    rows = [*codec.read(tmp_path / "a log [with] {odd} *names?" / files[1])]
    codec.write(tmp_path / "again.jellyp", rows)
    written = tmp_path / "a log [with] {odd} *names?" / files[1]
    assert (tmp_path / "again.jellyp").read_bytes() == written.read_bytes()


def test_rows_are_written_in_their_order(spark: SparkSession, tmp_path: Path) -> None:
    rows = [*patch(1, add=range(100)), PatchRow("END")]
    frame = frame_of(spark, rows).repartition(7)
    log = Log(tmp_path, spark)
    log.append(frame)
    assert [row[:7] for row in Log(tmp_path).read()] == [row[:7] for row in rows]
    # And the rows of a list, which need no Spark.
    log.append(patch(2, 1))
    assert log.head() == id_of(2)


def test_the_index_says_of_data_frames_what_the_files_say(
    spark: SparkSession, tmp_path: Path
) -> None:
    draw = random.Random(5)
    log = Log(tmp_path, spark)
    for number in range(4):
        rows = [*headers(number, number - 1 if number else None), *random_changes(draw)]
        log.append(frame_of(spark, rows))
    assert log.verify() == []
    found = block.load((tmp_path / TAIL).read_bytes(), TAIL)
    assert found is not None
    assert {entry.committed for entry in found.entries} == {True, False}


def test_headers_that_are_missing_are_added(spark: SparkSession, tmp_path: Path) -> None:
    log, bare = Log(tmp_path, spark), patch(0, add=[1, 2])[1:]
    own = frame_of(spark, patch("own", add=[3])).withColumn("seq", F.col("seq") + 9)
    terms = "op string, subject string, predicate string, object string, graph string"
    unnumbered = spark.createDataFrame([row[:5] for row in bare], terms).coalesce(1)
    patches: list[Any] = [bare, own, frame_of(spark, bare), unnumbered]
    found = log.append_all(patches, assign_ids=True)
    assert [version.prev for version in found] == [None, *(each.id for each in found[:-1])]
    assert found[1].id == id_of("own")
    rows = [row[:7] for row in Log(tmp_path).read()]
    expected = "H TX A A TC H H TX A TC H H TX A A TC H H TX A A TC"
    assert " ".join(row[0] for row in rows) == expected
    assert [row[6] for row in rows if row[5] == "id"] == [version.id for version in found]
    assert log.append(own, assign_ids=True) == found[1]
    assert len(log.versions()) == 4 and log.verify() == []


def test_what_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path, spark)
    log.append(patch(1))
    with pytest.raises(LogConflictError) as error:
        log.append(frame_of(spark, patch(2)))
    assert error.value.winner == id_of(1)
    with pytest.raises(LogError, match="no header id"):
        log.append(frame_of(spark, patch(2, 1)[1:]))
    two = frame_of(spark, patch(2, 1)).unionByName(
        frame_of(spark, patch(3, 2)).withColumns({"patch": F.lit(1), "seq": F.col("seq") + 10})
    )
    with pytest.raises(LogError, match="only one patch"):
        log.append(two)
    with pytest.raises(OptionError, match=r"Log\(path, spark\)"):
        Log(tmp_path).append(frame_of(spark, patch(2, 1)))
    assert log.head() == id_of(1)
    assert sorted(path.name for path in (tmp_path / "_log").iterdir()) == [
        "format",
        "tail.jsonl.gz",
    ]


def test_a_folder_that_others_wrote(spark: SparkSession, tmp_path: Path) -> None:
    """In several formats, with several patches in a file, under names without their order."""
    write_foreign(tmp_path)
    (tmp_path / "README.txt").write_text("not a patch")
    log = Log(tmp_path, spark)
    assert log.read().where("op = 'A'").count() == log.adopt() == 6
    log.append(frame_of(spark, patch(7, 6, add=[7])))
    adds = log.read().where("op = 'A'").orderBy("log_seq", "seq")
    assert [row.object for row in adds.collect()] == [f'"{number}"' for number in range(1, 8)]
    assert len(set_of(log.state_at(id_of(4)))) == 4


def test_file_names(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "a\u3000log"
    folder.mkdir()
    names = ["a b", "a%20b", "a+b", "ideographic\u3000space", "é", "line\u2028", "new\nline"]
    for number, name in enumerate(names):
        prev = number - 1 if number else None
        codec.write(folder / f"{name}.jellyp", patch(number, prev, add=[number]))
    log = Log(folder, spark)
    assert set_of(log.state_at()) == Log(folder).state_at()
    assert log.read().count() == len([*Log(folder).read()])


@pytest.mark.parametrize("most_paths", [2, 32])
def test_subfolders_are_ignored(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_paths: int
) -> None:
    """Whether Spark is given the paths of the patches, or lists the folder."""
    monkeypatch.setattr(on_spark, "_MOST_PATHS_OF_SHORT_LOG", most_paths)
    plain = Log(tmp_path)
    fill(plain, 3)
    for subfolder in ("old=1", "exports/day=1"):
        (tmp_path / subfolder).mkdir(parents=True)
        write_into(tmp_path / subfolder / "00000000000000000001.jellyp", patch("x", add=["x"]))
    log = Log(tmp_path, spark)
    assert set_of(log.state_at()) == plain.state_at()
    assert log.append(frame_of(spark, patch("next", 2))).log_seq == 3
    (tmp_path / "00000000000000000001 (copy).jellyp").write_text("not a patch")
    assert set_of(log.state_at()) == plain.state_at()
    assert set_of(log.state_at(id_of(2))) == plain.state_at(id_of(2))


def test_a_folder_that_a_stream_wrote(spark: SparkSession, tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "log"
    source.mkdir()
    codec.write(source / "1.jellyp", patch(1, add=["a"]))
    rows = jelly_spark.read_stream(spark, "jelly_patch", str(source))
    writer = rows.writeStream.format("jelly_patch").trigger(availableNow=True)
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start(str(folder))
    assert query.awaitTermination(60)
    log = Log(folder, spark)
    assert log.state_at().count() == 1 and log.adopt() == 1
    # Spark reads only what the stream wrote in its folder, but is given the files.
    log.append(patch(2, 1, add=["b"]))
    assert log.state_at().count() == 2


def test_an_open_transaction_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path, spark)
    with pytest.raises(Exception, match="a transaction must be closed"):
        log.append(frame_of(spark, patch(1, add=["a"])[:-1]))
    assert log.versions() == [] and [*tmp_path.iterdir()] == []


def test_a_limit_of_records_for_each_file(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path, spark)
    spark.conf.set("spark.sql.files.maxRecordsPerFile", 2)
    try:
        log.append(frame_of(spark, patch(1, add=range(10))))
    finally:
        spark.conf.unset("spark.sql.files.maxRecordsPerFile")
    assert log.state_at().count() == 10


def test_files_that_are_not_needed_are_not_opened(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path, spark)
    fill(log, 5)
    log.compact(id_of(1))
    expected = set_of(log.state_at(id_of(3)))
    for number in (0, 1, 4):
        garble(tmp_path / f"{number:020d}.jellyp")
    assert set_of(log.state_at(id_of(3))) == expected


def test_a_missing_file(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark lists the folder of many files, so it does not ask for each of them."""
    monkeypatch.setattr(on_spark, "_MOST_PATHS_OF_SHORT_LOG", 2)
    log = Log(tmp_path, spark)
    log.append_all(patch(n, n - 1 if n else None, add=[n]) for n in range(4))
    assert set_of(log.state_at()) == Log(tmp_path).state_at()
    (tmp_path / f"{2:020d}.jellyp").unlink()
    with pytest.raises(LogError, match=f"does not list {2:020d}.jellyp"):
        log.read()


def test_packs(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark reads few files, and of them the ranges that are needed."""
    monkeypatch.setattr(optimizing, "_RESTART_INTERVAL", 1 << 11)
    write_foreign(tmp_path)
    plain = Log(tmp_path)
    plain.adopt()
    plain.append_all(patch(n, n - 1, add=[n, "x"], delete=[n - 9]) for n in range(7, 130))
    plain.append([*headers(130, 129), PatchRow("PA", name="p", value="<urn:p>")])
    plain.optimize(target_size=10_000)
    plain.append_all(patch(n, n - 1, add=[n]) for n in range(131, 134))
    plain.vacuum(timedelta(0))
    packs = {version.file for version in plain.versions()[:-3]}
    log = Log(tmp_path, spark)
    rows = log.read()
    assert len(packs) == 2 and len(rows.inputFiles()) == len(packs) + 3
    expected = [row for row in plain.read() if row.op != "END"]
    assert ordered(rows) == [row._replace(tx=None, seq=None) for row in expected]
    some = log.read(20, 60).select("log_seq", "patch", "op")
    assert {row.log_seq for row in some.collect()} == {*range(21, 61)}
    assert set_of(log.state_at(99)) == plain.state_at(99)
    assert log.prefixes_at().count() == 1
    found = log.history(subject="<urn:s>")
    assert set_of(found) == {*map(tuple, plain.history(subject="<urn:s>"))}
    assert "EqualTo(subject,<urn:s>)" in plan_of(found)
    plain.expire(77)
    assert {row.log_seq for row in log.read().collect()} == {*range(77, 133)}
    assert on_spark.uncompressed_size(log._view().all()) > 56 * 50


def test_an_empty_log(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path / "none", spark)
    assert log.read().count() == 0
    assert log.state_at().count() == log.prefixes_at().count() == log.history().count() == 0
    log.append(headers(1))
    assert log.read().count() == 1 and log.state_at().count() == 0
    assert log.between(id_of(1), id_of(1)).count() == 0


def test_patches_that_are_too_big_to_broadcast(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log(tmp_path, spark)
    fill(log, 4)
    log.compact(id_of(0))
    found = set_of(log.state_at())
    assert "LeftAnti" in plan_of(log.state_at())
    assert "LeftSemi" not in plan_of(log.state_at())
    monkeypatch.setattr(on_spark, "BROADCAST_BYTES", 0)
    # The statements that no patch concerns, and those that one may.
    plan = plan_of(log.state_at())
    assert "LeftAnti" in plan and "LeftSemi" in plan
    assert plan.count("Exchange hashpartitioning") == 1
    assert set_of(log.state_at()) == found == Log(tmp_path).state_at()


def test_the_plan_of_a_state(spark: SparkSession, tmp_path: Path) -> None:
    """One shuffle, of what changed since the snapshot, and none at it; nothing of Python."""
    log = Log(tmp_path, spark)
    fill(log, 3)
    log.compact(id_of(0))
    plan = plan_of(log.state_at())
    assert "Python" not in plan and "Cartesian" not in plan
    assert plan.count("Exchange hashpartitioning") == 1
    assert "Exchange" not in plan_of(log.state_at(id_of(0)))


def test_the_plan_of_a_state_after_a_canonical_patch(spark: SparkSession, tmp_path: Path) -> None:
    """The first patch is read like a snapshot, if it is known to be canonical."""
    rows = patch(0, add=range(9)), patch(1, 0, add=[9], delete=[0])
    for is_canonical, shuffles in ((True, (0, 1)), (False, (1, 1))):
        folder = tmp_path / str(is_canonical)
        log = Log(folder, spark)
        for each in rows:
            log.append(each, canonical=is_canonical)
        for version, count in enumerate(shuffles):
            plan = plan_of(log.state_at(version))
            assert plan.count("Exchange hashpartitioning") == count
            assert "LeftAnti" in plan or version == 0
            folder = tmp_path / str(is_canonical)
            assert set_of(log.state_at(version)) == Log(folder).state_at(version)


def test_the_plan_of_a_difference(spark: SparkSession, tmp_path: Path) -> None:
    """Rows are sorted and numbered only if a query asks for their order."""
    log = Log(tmp_path, spark)
    for number in range(3):
        log.append(patch(number, number - 1 if number else None, add=[number]))
    found = log.between(id_of(0), id_of(2))
    assert "Window" in plan_of(found) and "Window" in plan_of(found.select("op", "seq"))
    statements = plan_of(found.where("op = 'A'").select("subject", "object"))
    assert "Window" not in statements and "Sort" not in statements
    assert statements.count("Exchange hashpartitioning") == 1


def test_changes(spark: SparkSession, tmp_path: Path) -> None:
    """Those of canonical patches are a projection."""
    log = Log(tmp_path, spark)
    log.append(frame_of(spark, numbered(patch(0, add=["a", "b"]))), canonical=True)
    log.append(frame_of(spark, numbered(patch(1, 0, add=["c"], delete=["a"]))), canonical=True)
    with pytest.raises(Exception, match="deletes only statements that are present"):
        log.append(frame_of(spark, numbered(patch(2, 1, delete=["x"]))), canonical=True)
    found = log.changes(0)
    assert "hashpartitioning" not in plan_of(found) and "Window" not in plan_of(found)
    terms = ("change", "object", "patch_id", "log_seq")
    assert {tuple(row) for row in log.changes().select(*terms).collect()} == {
        tuple(getattr(each, term) for term in terms) for each in Log(tmp_path).changes()
    }
    with pytest.raises(Exception, match="deletes only statements that are present"):
        log.append(patch(2, 1, delete=["x"]), canonical=True)
    log.append(patch(2, 1, delete=["b"]), canonical=True)
    assert log.verify() == []
    log.append(patch(3, 2, delete=["x", "c"]))
    assert [tuple(row) for row in log.changes(2).select(*terms).collect()] == [
        ("D", '"c"', id_of(3), 3)
    ]


def test_the_jobs_of_a_small_commit(spark: SparkSession, tmp_path: Path) -> None:
    """Each job of a small dump takes longer than its rows."""
    log = Log(tmp_path, spark)
    terms = "subject string, predicate string, object string"
    jobs = []
    for price in range(3):
        dump = spark.createDataFrame([("<urn:x:cup>", "<urn:x:price>", f'"{price}"')], terms)
        before = _jobs(spark)
        log.commit(dump)
        jobs.append(_jobs(spark) - before)
    assert len(log.versions()) == 3 and log.verify() == []
    assert max(jobs[1:]) <= 9, jobs
    # They are canonical, so no state is needed.
    assert "hashpartitioning" not in plan_of(log.changes())


def _jobs(spark: SparkSession) -> int:
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())


CUP, POT = ("<urn:x:cup>", "<urn:x:price>", '"8"'), ("<urn:x:pot>", "<urn:x:price>", '"é"@de')
NODES = [[("_:a", "<urn:x:p>", '"1"'), ("_:c", "<urn:x:p>", "_:a")], [("_:b", "<urn:x:p>", '"1"')]]
COMMITS: list[tuple[list[tuple[str, ...]], dict[str, Any]]] = [
    ([], {}),
    ([CUP], {"prefixes": {(None, "x"): "<urn:x:>", ("<urn:x:g>", "id"): "<urn:y:>"}}),
    ([CUP, CUP], {"message": "nothing new"}),
    ([CUP, POT, *NODES[0]], {"message": 'two "pots"', "prefixes": {(None, "y"): "<urn:x:>"}}),
    ([CUP, POT, *NODES[1]], {"blank_nodes": "match", "message": "one node less"}),
    ([CUP, (*POT[:2], '"é"@DE'), *NODES[1]], {"blank_nodes": "match"}),
    ([CUP, POT], {"language_tags": "ignore-case"}),
    ([CUP], {"prefixes": {(None, "z"): "<urn:z:>"}, "time": datetime(2020, 1, 1)}),
    ([(f"_:{n}", "<urn:x:p>", f'"{n}"') for n in range(150)], {}),
    ([(f"_:x{n}", "<urn:x:p>", f'"{n}"') for n in range(150)], {}),
    ([], {}),
]
"""States, each with the arguments of its commit."""


def test_commit(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same patches as in plain Python, to the last byte, and the same is said of them."""
    columns = "subject string, predicate string, object string"
    plain, log = Log(tmp_path / "plain"), Log(tmp_path / "spark", spark)
    cached_by_others = {*spark.sparkContext._jsc.getPersistentRDDs()}
    for number, (state, arguments) in enumerate(COMMITS):
        for engine in (in_python, frames):
            monkeypatch.setattr(engine, "new_id", lambda: f"<urn:uuid:{number}>")  # noqa: B023
        if "time" in arguments:
            with pytest.raises(LogError, match="is before the time of the last patch"):
                log.commit(spark.createDataFrame(state, columns), **arguments)
            continue
        # A dry run makes the same patch, and matching blank nodes takes about thirty shuffles.
        for dry_run in (False,) if "blank_nodes" in arguments else (True, False):
            expected = plain.commit(state, dry_run=dry_run, **arguments)
            frame = spark.createDataFrame(state, columns)
            found = log.commit(frame, dry_run=dry_run, **arguments)
            if expected is None or expected.version is None:
                assert found == expected, state
            else:
                assert found is not None and found[:2] + found[3:] == expected[:2] + expected[3:]
    names = [version.file for version in plain.versions()]
    assert names == [version.file for version in log.versions()]
    for name in names:
        assert (tmp_path / "spark" / name).read_bytes() == (tmp_path / "plain" / name).read_bytes()
    assert [version.message for version in log.versions()] == [
        version.message for version in plain.versions()
    ]
    assert log.verify() == []
    assert {*spark.sparkContext._jsc.getPersistentRDDs()} <= cached_by_others


@pytest.mark.parametrize("object", ['"9"^^<http://www.w3.org/2001/XMLSchema#string>', "cup"])
def test_a_commit_of_other_terms(spark: SparkSession, tmp_path: Path, object: str) -> None:
    columns = "subject string, predicate string, object string, graph string"
    log, other = Log(tmp_path, spark), ("<urn:s>", "<urn:p>", object, None)
    log.commit(spark.createDataFrame([statement(1)], columns))
    with fails("the terms of a state must be canonical", "in row {", object.replace('"', '\\"')):
        log.commit(spark.createDataFrame([statement(1), other], columns))
    assert len(log.versions()) == 1


def test_commit_after_another(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another program appends first, the state is compared with the version after that."""
    log = Log(tmp_path, spark)
    append = ScannedFolder.append

    def race(folder: ScannedFolder, *args: Any, **options: Any) -> Any:
        monkeypatch.undo()
        Log(tmp_path).commit([POT])
        return append(folder, *args, **options)

    monkeypatch.setattr(ScannedFolder, "append", race)
    state = spark.createDataFrame([CUP], "subject string, predicate string, object string")
    found = log.commit(state)
    assert found is not None and (found.adds, found.deletes) == (1, 1)
    assert log.state_at().collect() == [(*CUP, None)] and log.metrics.conflicts == 1
    with pytest.raises(OptionError, match="a log with a session commits DataFrames"):
        log.commit([CUP])
    with pytest.raises(OptionError, match="skolem_base needs a log without a session"):
        log.commit(state, skolem_base="https://e/.well-known/genid/")
