"""Logs as tables in Spark SQL: the same versions and changes as those of `Log`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from tests.log.patches import headers, id_of, patch, statement, write_foreign
from tests.log.test_on_spark import plan_of, set_of
from tests.log.test_versions import fill
from tests.spark.patches import fails


class Logs(NamedTuple):
    """A catalog `logs` with a log `shop`, adopted, that has snapshots and aborted transactions, and
    a log `late` whose first patches have expired, and the others but the last are in a pack.
    """

    folder: Path
    shop: Log[PatchRow]
    late: Log[PatchRow]


@pytest.fixture(scope="module")
def logs(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Logs]:
    folder = tmp_path_factory.mktemp("logs [of] {many} *names?")
    (folder / "shop").mkdir()
    (folder / "not a log").mkdir()
    write_foreign(folder / "shop")
    shop = Log(folder / "shop")
    shop.adopt()
    aborted = [PatchRow("TX"), PatchRow("A", *statement(0)), PatchRow("TA")]
    shop.append([*headers(7, 6), *aborted, *patch(7, 6, add=[7], delete=[2])[2:]])
    shop.append(patch(8, 7, add=[7, 8], delete=[1, "absent"]))
    shop.append(patch(9, 8, add=[1], delete=[3]), canonical=True)
    late = Log(folder / "late")
    fill(late, 8)
    late.compact(id_of(6))
    late.expire(id_of(3))
    late.optimize()
    late.vacuum(timedelta(0))
    message = PatchRow("H", name="message", value='"one \\"cup\\"\\n\U0001f375"@en')
    late.append([message, *patch(8, 7, add=[1, 9], delete=[2])])
    spark.conf.set("spark.sql.catalog.logs", "org.jellyspark.LogCatalog")
    spark.conf.set("spark.sql.catalog.logs.path", str(folder))
    yield Logs(folder, shop, late)


def changes_of(log: Log[PatchRow], after: Any = None, to: Any = None) -> set[tuple[Any, ...]]:
    """The changes of a log as Spark's change data capture has them, without times."""
    kinds = {"A": "insert", "D": "delete"}
    return {
        (*change[:4], kinds[change.change], change.log_seq) for change in log.changes(after, to)
    }


def test_states(spark: SparkSession, logs: Logs) -> None:
    head = spark.table("logs.shop")
    assert head.columns == ["subject", "predicate", "object", "graph"]
    assert set_of(head) == logs.shop.state_at()
    versions = [
        *(("shop", logs.shop, version) for version in (0, 6, id_of(2), -3)),
        *(("late", logs.late, version) for version in (3, 5, 8)),
    ]
    # One query for all, which is faster.
    each = "SELECT '{0}', '{1}', * FROM logs.{0} VERSION AS OF '{1}'"
    found = spark.sql(" UNION ALL ".join(each.format(name, at) for name, _, at in versions))
    assert set_of(found) == {
        (name, str(at), *row) for name, log, at in versions for row in log.state_at(at)
    }
    assert set_of(spark.sql("SELECT * FROM logs.late VERSION AS OF 4")) == logs.late.state_at(4)
    before_all = datetime(2000, 1, 1, tzinfo=timezone.utc)
    assert spark.sql("SELECT * FROM logs.shop TIMESTAMP AS OF '2000-01-01'").isEmpty()
    assert logs.shop.state_at(before_all) == set()


def test_versions(spark: SparkSession, logs: Logs) -> None:
    for name, log in [("shop", logs.shop), ("late", logs.late)]:
        frame = spark.table(f"logs.{name}.versions")
        assert frame.columns == ["log_seq", "id", "prev", "time", "file", "patch", "message"]
        found = frame.orderBy("log_seq").collect()
        assert [row.time.astimezone(timezone.utc) for row in found] == [
            version.time for version in log.versions()
        ]
        assert [row.asDict() | {"time": None} for row in found] == [
            version._asdict() | {"time": None} for version in log.versions()
        ]
    with_message = spark.sql("SELECT log_seq, message FROM logs.late.versions WHERE message > ''")
    assert with_message.collect() == [(8, '"one \\"cup\\"\\n\U0001f375"@en')]
    (row,) = spark.sql("SELECT time FROM logs.late.versions WHERE log_seq = 5").collect()
    query = f"SELECT * FROM logs.late TIMESTAMP AS OF '{row.time}'"
    assert set_of(spark.sql(query)) == logs.late.state_at(5)


def test_the_tables_of_a_catalog(spark: SparkSession, logs: Logs) -> None:
    found = spark.sql("SHOW TABLES IN logs").collect()
    assert [row.tableName for row in found] == ["late", "shop"]
    found = spark.sql("SHOW TABLES IN logs.shop").collect()
    assert [row.tableName for row in found] == ["versions"]
    assert spark.sql("DESCRIBE TABLE EXTENDED logs.shop").count() >= 4
    for name in ("`not a log`", "`..`", "other.versions", "shop.other"):
        with pytest.raises(AnalysisException, match="TABLE_OR_VIEW_NOT_FOUND"):
            spark.table(f"logs.{name}")
    spark.conf.set("spark.sql.catalog.nowhere", "org.jellyspark.LogCatalog")
    with fails("has no path: set spark.sql.catalog.nowhere.path"):
        spark.sql("SHOW TABLES IN nowhere").collect()
    spark.conf.set("spark.sql.catalog.nowhere.path", str(logs.folder / "absent"))
    with fails("the catalog nowhere cannot find its path"):
        spark.sql("SHOW TABLES IN nowhere").collect()


def test_wherever_a_table_can_be(spark: SparkSession, logs: Logs) -> None:
    spark.sql("CREATE OR REPLACE TEMP VIEW old AS SELECT * FROM logs.shop VERSION AS OF 3")
    both = spark.sql(
        "SELECT new.object FROM logs.shop new JOIN old ON new.object = old.object "
        "JOIN logs.shop again ON again.object = new.object "
        "WHERE old.subject IN (SELECT subject FROM logs.shop VERSION AS OF 0)"
    )
    expected = {row[2] for row in logs.shop.state_at(3) & logs.shop.state_at()}
    assert {row.object for row in both.collect()} == expected
    again = spark.read.option("versionAsOf", "3").table("logs.shop")
    assert set_of(again) == logs.shop.state_at(3)
    spark.sql("CREATE VIEW seen AS SELECT object FROM logs.shop WHERE object <> '\"8\"'")
    expected = {row[2] for row in logs.shop.state_at()} - {'"8"'}
    assert {row.object for row in spark.table("seen").collect()} == expected
    spark.sql("DROP VIEW seen")
    spark.sql("CACHE TABLE logs.shop")
    assert "In-memory table" in plan_of(spark.table("logs.shop").where("object = '\"1\"'"))
    spark.sql("UNCACHE TABLE logs.shop")
    assert "In-memory table" not in plan_of(spark.table("logs.shop"))
    # Spark reads only the columns and the rows that a query needs.
    assert "PushedFilters: [IsNotNull(object)" in plan_of(
        spark.sql("SELECT subject FROM logs.late VERSION AS OF 6 WHERE object = '\"1\"'")
    )


def test_what_is_not_there(spark: SparkSession, logs: Logs, tmp_path: Path) -> None:
    with fails("has expired"):
        spark.sql("SELECT * FROM logs.late VERSION AS OF 2").collect()
    with fails("older versions are not known any more"):
        spark.sql("SELECT * FROM logs.late TIMESTAMP AS OF '2000-01-01'").collect()
    with fails("<urn:other>"):
        spark.sql("SELECT * FROM logs.shop VERSION AS OF '<urn:other>'").collect()
    shutil.copytree(logs.folder / "late", logs.folder / "copy")
    shutil.rmtree(logs.folder / "copy" / "_log" / "snapshots")
    with fails("has no snapshot of it"):
        spark.sql("SELECT * FROM logs.copy").collect()
    shutil.rmtree(logs.folder / "copy")
    (logs.folder / "open").mkdir()
    (logs.folder / "open" / "0.rdfp").write_text("H id <urn:0> .\nTX .\nA <s> <p> <o> .\n")
    Log(logs.folder / "open").adopt()
    with fails("a transaction must be closed"):
        spark.sql("SELECT * FROM logs.open").collect()
    shutil.rmtree(logs.folder / "open")


def test_table_functions(spark: SparkSession, logs: Logs) -> None:
    path = f"'{logs.folder / 'late'}'"
    rows = spark.sql(f"SELECT * FROM jelly_log({path}) ORDER BY log_seq, seq").collect()
    on_spark = Log(logs.folder / "late", spark)
    in_order = on_spark.read().withColumn("patch", F.col("log_seq")).orderBy("log_seq", "seq")
    assert rows == in_order.collect()
    for version, expected in [("", None), (", 4", 4), (f", '{id_of(5)}'", 5), (", -2", -2)]:
        found = spark.sql(f"SELECT * FROM jelly_state({path}{version})")
        assert set_of(found) == logs.late.state_at(expected)
    history = spark.sql(f"SELECT * FROM jelly_history({path})")
    assert set_of(history) == {tuple(interval) for interval in logs.late.history()}
    assert history.columns == on_spark.history().columns
    assert spark.sql(f"SELECT * FROM jelly_history({path}, '<urn:other>')").isEmpty()
    with fails("expected an RDF term"):
        spark.sql(f"SELECT * FROM jelly_history({path}, 'urn:s')")
    with fails("jelly_state: version must be a string, an integer or a timestamp, not"):
        spark.sql(f"SELECT * FROM jelly_state({path}, 1.5)")
    with fails("jelly_log: path must be a constant, not NULL"):
        spark.sql("SELECT * FROM jelly_log(NULL)")
    with pytest.raises(AnalysisException, match="WRONG_NUM_ARGS"):
        spark.sql("SELECT * FROM jelly_log()")


def test_changes(spark: SparkSession, logs: Logs) -> None:
    query = "SELECT * EXCEPT (_commit_timestamp) FROM logs.{} CHANGES FROM VERSION {} TO VERSION {}"
    found = spark.sql(query.format("shop", 0, 8))
    assert found.columns[4:] == ["_change_type", "_commit_version"]
    assert set_of(found) == changes_of(logs.shop)
    assert set_of(spark.sql(query.format("late", 4, 7))) == changes_of(logs.late, 3, 7)
    canonical = spark.sql(query.format("shop", 8, 8))
    assert set_of(canonical) == changes_of(logs.shop, 7, 8)
    assert "Exchange hashpartitioning" not in plan_of(canonical)
    reader = spark.read.option("startingVersion", id_of(2)).option("endingVersion", -1)
    reader = reader.option("startingBoundInclusive", False)
    found = reader.changes("logs.shop").drop("_commit_timestamp")
    assert set_of(found) == changes_of(logs.shop, id_of(2))
    net = reader.option("deduplicationMode", "netChanges").changes("logs.shop")
    before, after = logs.shop.state_at(id_of(2)), logs.shop.state_at()
    found = net.selectExpr("subject", "predicate", "object", "graph", "_change_type = 'insert'")
    assert {tuple(row) for row in found.collect()} == {
        (*row, row in after) for row in before ^ after
    }
    times = spark.sql(
        "SELECT DISTINCT v.time = c._commit_timestamp FROM logs.shop CHANGES FROM VERSION 0 c "
        "JOIN logs.shop.versions v ON log_seq = _commit_version"
    )
    assert times.collect() == [(True,)]
    with fails("end before they begin"):
        spark.sql(query.format("shop", 5, 3)).collect()


def test_changes_of_a_growing_log(spark: SparkSession, logs: Logs, tmp_path: Path) -> None:
    log = Log(logs.folder / "growing")
    log.append(patch(0, add=[0]))
    log.append(patch(1, 0, add=[0, 1]))

    def read() -> DataFrame:
        # The checkpoint has the position of -2, which is another one later.
        stream = spark.readStream.option("startingVersion", -2).changes("logs.growing")
        query = (
            stream.drop("_commit_timestamp")
            .where("predicate = '<urn:p>'")
            .writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start(str(tmp_path / "out"), format="parquet")
        )
        assert query.awaitTermination(60)
        return spark.read.parquet(str(tmp_path / "out"))

    assert set_of(read()) == changes_of(log)
    log.append(patch(2, 1, add=[2], delete=[0]), canonical=True)
    assert set_of(read()) == changes_of(log)
    log.append(patch(3, 2, add=[2, 3], delete=[7]))
    log.append(patch(4, 3, delete=[1, 3]))
    found = changes_of(log)
    assert set_of(read()) == found
    # The stream has read what expires. The statement 2 is there before the first patch, unchanged.
    log.expire(4)
    log.append(patch(5, 4, add=[5]))
    assert set_of(read()) == found | changes_of(log)
    history = spark.sql(f"SELECT * FROM jelly_history('{logs.folder / 'growing'}')")
    assert set_of(history) == {tuple(interval) for interval in log.history()}
    shutil.rmtree(logs.folder / "growing")
    other = Log(logs.folder / "growing")
    other.append_all(patch(f"o{n}", f"o{n - 1}" if n else None, add=[n]) for n in range(7))
    with fails("is another one, or was restored from an older copy"):
        read()
    shutil.rmtree(logs.folder / "growing")
