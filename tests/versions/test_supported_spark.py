"""The jar with one version of Spark: a short test of all that Spark does with each format.

`make smoke`, `make test-long` and `make matrix` run it with the versions in the Makefile.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import array, collect_list, inline, lit, struct

import jelly_spark
from jelly_spark import algebra, codec
from jelly_spark import functions as jf
from jelly_spark.codec import RdfRow
from jelly_spark.datasource import FileSource
from jelly_spark.formats import FORMATS
from jelly_spark.log import Log
from jelly_spark.session import jar_path
from tests import bridge
from tests.log.patches import patch, statement
from tests.log.sql.random_statements import check_random_statements
from tests.spark.engines import without_jar
from tests.spark.patches import fails
from tests.spark.plans import plan_of

STATEMENTS = 2000
# Several splits, in files that have restart points.
SPLIT = {"spark.sql.files.maxPartitionBytes": "8k", "spark.sql.files.openCostInBytes": "0"}
NAMES = list(FORMATS)

DATASETS = """
import org.jellyspark.sql._
import org.jellyspark.sql.PatchOperation._
import spark.implicits._

val add = Add(Iri("s"), Iri("p"), Literal("o"))
val operations = Seq[PatchOperation](TransactionBegin, add, TransactionCommit, End)
spark.createDataset(operations).coalesce(1).write.format("jelly_patch").save("log")
val log = spark.read.format("jelly_patch").load("log")
assert(log.as[PatchOperation].collect().toSeq == operations)
val rows = log.as[PatchRow].collect().toSeq
assert(log.as[PatchRow].map(PatchOperation.of(_)).collect().toSeq == operations)
assert(log.as(PatchRowBean.encoder).collect().map(_.toRow).toSeq == rows)
val statements = log.where("op = 'A'").as[Statement].map(identity[Statement](_))
statements.write.format("jelly_rdf").save("data")
val data = spark.read.format("jelly_rdf").load("data")
val beans = data.as(StatementBean.encoder).collect().map(_.toStatement)
assert(beans.toSeq == statements.collect().toSeq)
assert(data.select("object").as[Term].collect().toSeq == Seq(Literal("o")))
println("all " + "there")
"""

LOGS = r"""
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, lit}

spark.conf.set("spark.sql.catalog.logs", "org.jellyspark.LogCatalog")
spark.conf.set("spark.sql.catalog.logs.path", "logs")
val noGraph = Option.empty[String]
val columns = Seq("subject", "predicate", "object", "graph")
def rows(objects: Int*) =
  objects.map(n => ("<urn:s>", "<urn:p>", s"\"$n\"", noGraph)).toDF(columns: _*)
def objects(found: DataFrame) =
  found.select("object").as[String].collect().sorted.mkString.replace("\"", "")
def state = objects(spark.table("logs.made"))

spark.sql("CREATE TABLE logs.made")
spark.sql("INSERT INTO logs.made VALUES ('<urn:s>', '<urn:p>', '\"1\"', NULL)")
rows(2, 3).writeTo("logs.made").append()
assert(state == "123")
rows(3, 4).
  as("new").
  mergeInto("logs.made", col("new.object") === col("made.object")).
  whenMatched().
  delete().
  whenNotMatched().
  insertAll().
  whenNotMatchedBySource(col("made.object") === "\"1\"").
  update(Map("graph" -> lit("<urn:g>"))).
  merge()
assert(state == "124")
spark.sql(
  "MERGE INTO logs.made old USING (SELECT '\"2\"' AS object) new ON old.object = new.object " +
    "WHEN MATCHED THEN UPDATE SET object = '\"5\"'"
)
spark.sql("DELETE FROM logs.made WHERE graph IS NOT NULL")
assert(state == "45")
rows(5, 6).writeTo("logs.made").overwrite(lit(true))
def at(version: Int) = objects(spark.read.option("versionAsOf", version).table("logs.made"))
assert((0 to 5).map(at) == Seq("1", "123", "124", "145", "45", "56"))
def changed(kind: String) = objects(
  spark.sql("SELECT * FROM logs.made CHANGES FROM VERSION 3 TO VERSION 5").
    where(col("_change_type") === kind)
)
if (!spark.version.startsWith("4.0") && !spark.version.startsWith("4.1"))
  assert((changed("insert"), changed("delete")) == (("56", "124")))
println("all " + "there")
"""


def statements(spark: SparkSession, format: str) -> DataFrame:
    """Return statements about numbers, whose objects are 0 to 9."""
    frame = spark.range(0, STATEMENTS, 1, 1).selectExpr(
        "concat('<http://example.org/', sha2(string(id), 256), '>') AS subject",
        "'<http://example.org/p>' AS predicate",
        "concat('\"', id % 10, '\"') AS object",
    )
    return frame if FORMATS[format].row is RdfRow else frame.selectExpr("'A' AS op", "*")


def write(frame: DataFrame, format: str, path: Path) -> None:
    writer = frame.write.format(format).mode("append")
    if format.startswith("jelly"):
        writer = writer.option("restartInterval", 4096)
    writer.save(str(path))


@pytest.mark.parametrize("format", NAMES)
def test_write_split_filter_and_stream(spark: SparkSession, tmp_path: Path, format: str) -> None:
    folder = tmp_path / "files"
    expected = statements(spark, format)
    write(expected, format, folder)
    for key, value in SPLIT.items():
        spark.conf.set(key, value)
    try:
        found = spark.read.format(format).load(str(folder))
        splits = found.rdd.getNumPartitions()
        assert splits == 1 if format == "rdf_patch_thrift" else splits > 4
        assert found.select(expected.columns).exceptAll(expected).isEmpty()
        assert found.count() == STATEMENTS
        assert found.where("object = '\"3\"'").count() == STATEMENTS / 10
        assert found.where("predicate = '<http://example.org/q>'").isEmpty()
    finally:
        for key in SPLIT:
            spark.conf.unset(key)

    copied = tmp_path / "copied"
    query = (
        spark.readStream.format(format)
        .schema(jelly_spark.schema(format))
        .load(str(folder))
        .writeStream.format(format)
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(copied))
    )
    assert query.awaitTermination(60)
    assert spark.read.format(format).load(str(copied)).count() == STATEMENTS


@pytest.mark.parametrize("format", NAMES)
def test_errors(spark: SparkSession, tmp_path: Path, format: str) -> None:
    path, out = tmp_path / "malformed", tmp_path / "out"
    path.write_bytes(b"\xff\xfe\xfd")
    frame = statements(spark, format)
    with fails(f"{path}: ", "expected ", ", found "):
        spark.read.format(format).load(str(path)).collect()
    with fails("mode", "none"):
        spark.read.format(format).option("mode", "none").load(str(path)).collect()
    with fails("no column 'note'"):
        write(frame.withColumn("note", lit("1")), format, out)
    with fails("expected an RDF term"):
        write(frame.withColumn("predicate", lit("p")), format, out)


@pytest.mark.parametrize("format", NAMES)
def test_both_codecs(spark: SparkSession, tmp_path: Path, format: str) -> None:
    write(statements(spark, format), format, tmp_path / "files")
    (file,) = (tmp_path / "files").glob("part-*")
    rows = list(codec.read(file))
    assert len(rows) == STATEMENTS
    assert list(bridge.decode(file, spark=spark)) == rows


def in_shell(program: str, folder: Path) -> None:
    """Run a program in Spark's shell for Scala, which must print "all there" and no error."""
    shell = Path(sys.executable).with_name("spark-shell")
    options = ["--master", "local[1]", "--conf", "spark.ui.enabled=false"]
    options += ["--conf", "spark.sql.shuffle.partitions=1"]
    run = subprocess.run(
        [shell, *options, "--jars", jar_path()],
        input=program,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    # The shell goes on after an error.
    is_right = "all there" in run.stdout and not re.search("error|exception", run.stdout, re.I)
    assert is_right, run.stdout + run.stderr


def test_datasets_in_the_shell(tmp_path: Path) -> None:
    in_shell(DATASETS, tmp_path)


@pytest.mark.long
def test_logs_in_the_shell(tmp_path: Path) -> None:
    in_shell(LOGS, tmp_path)
    made = Log(tmp_path / "logs" / "made")
    assert made.state_at() == {statement(5), statement(6)}
    assert (len(made.versions()), made.verify()) == (7, [])


def test_functions_of_terms(spark: SparkSession) -> None:
    frame = statements(spark, "jelly_rdf").where(jf.is_literal("object"))
    value = jf.term_value("object")
    rebuilt = jf.struct_to_term(jf.term_to_struct("object"))
    found = frame.where(rebuilt == jf.literal(value)).groupBy(value.alias("value")).count()
    assert {row["value"]: row["count"] for row in found.collect()} == {
        str(digit): STATEMENTS / 10 for digit in range(10)
    }
    assert spark.sql("SELECT try_term_kind('oops')").first() == (None,)
    with fails("term_kind: expected an RDF term", "in 'oops' (try_term_kind"):
        spark.sql("SELECT term_kind('oops')").collect()
    usage = spark.sql("DESCRIBE FUNCTION EXTENDED term_kind").collect()
    assert "Usage: term_kind(term)" in "\n".join(row[0] for row in usage)


def test_difference(spark: SparkSession) -> None:
    before = statements(spark, "jelly_rdf")
    after = before.where("object <> '\"7\"'")
    changes = algebra.diff(before, after).where("op IN ('A', 'D')")
    assert changes.groupBy("op", "object").count().collect() == [("D", '"7"', STATEMENTS // 10)]
    assert plan_of(changes).count("HashAggregate") == 1


def test_functions_without_the_jar(spark: SparkSession) -> None:
    frame = statements(spark, "jelly_patch")
    columns = ("op", "subject", "predicate", "object")

    def made() -> DataFrame:
        patch = frame.groupBy("object").agg(collect_list(struct(*columns)).alias("rows"))
        message = patch.select("object", jf.to_jelly_patch("rows").alias("message"))
        read = message.select("object", "message", inline(jf.from_jelly_patch("message")))
        parts = [jf.term_to_struct(name).alias(name) for name in columns[1:]]
        rebuilt = jf.to_rdf_patch(array(struct("op", *columns[1:])))
        return read.toDF("key", *read.columns[1:]).select(
            "key", rebuilt, jf.is_literal("key"), jf.bnode("key"), struct(*parts)
        )

    with_jar = made()
    with without_jar():
        found = made()
        invalid = frame.select(jf.try_term_value(lit(b"<\xff>").cast("string")))
    assert found.count() == STATEMENTS
    assert found.exceptAll(with_jar).isEmpty()
    assert invalid.distinct().collect() == [(None,)]


def test_python_source_used_twice(spark: SparkSession, tmp_path: Path) -> None:
    """From 4.1 on, Spark can pass filters to it, and use what it then reads in other queries."""

    class Plain(FileSource):
        format = "jelly_patch"

        @classmethod
        def name(cls) -> str:
            return "plain"

    write(statements(spark, "jelly_patch"), "jelly_patch", tmp_path)
    spark.dataSource.register(Plain)
    spark.conf.set("spark.sql.python.filterPushdown.enabled", True)
    try:
        data = spark.read.format("plain").load(str(tmp_path))
        some = data.where("object = '\"3\"'")
        assert (some.count(), data.count()) == (STATEMENTS / 10, STATEMENTS)
        assert data.exceptAll(some).count() == STATEMENTS * 9 / 10
        assert some.union(data).count() == STATEMENTS * 11 / 10
    finally:
        spark.conf.unset("spark.sql.python.filterPushdown.enabled")


def test_logs_as_tables(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    log.append(patch(0, add=[0, 1]))
    log.compact()
    log.append(patch(1, 0, add=[1, 2], delete=[0]))
    spark.conf.set("spark.sql.catalog.versions", "org.jellyspark.LogCatalog")
    spark.conf.set("spark.sql.catalog.versions.path", str(tmp_path))
    for version in (0, 1):
        found = spark.sql(f"SELECT * FROM versions.log VERSION AS OF {version}")
        assert {tuple(row) for row in found.collect()} == log.state_at(version)
    assert spark.table("versions.log.versions").count() == 2
    assert spark.sql(f"SELECT * FROM jelly_history('{tmp_path / 'log'}')").count() == 3
    with fails("cannot be dropped"):
        spark.sql("DROP TABLE versions.log")
    spark.sql("CREATE TABLE versions.made AS SELECT * FROM versions.log")
    made = Log(tmp_path / "made")
    assert made.state_at() == log.state_at()
    spark.sql("INSERT INTO versions.made VALUES ('<urn:s>', '<urn:p>', '\"3\"', NULL)")
    spark.sql(
        "MERGE INTO versions.made old USING (SELECT '<urn:s>' subject, '<urn:p>' predicate, "
        "explode(array('\"3\"', '\"4\"')) object, NULL graph) new ON old.object = new.object "
        "WHEN NOT MATCHED THEN INSERT *"
    )
    spark.sql("DELETE FROM versions.made WHERE object = '\"1\"'")
    spark.sql("UPDATE versions.made SET object = '\"4\"' WHERE object = '\"2\"'")
    spark.sql(
        "MERGE INTO versions.made old USING versions.log new ON old.object = new.object "
        "WHEN NOT MATCHED AND new.object = '\"1\"' THEN INSERT * "
        "WHEN NOT MATCHED BY SOURCE AND old.object = '\"3\"' THEN DELETE"
    )
    assert made.state_at() == {statement(1), statement(4)}
    spark.sql("INSERT OVERWRITE versions.made SELECT * FROM versions.log")
    assert made.state_at() == log.state_at()
    assert (len(made.versions()), made.verify()) == (7, [])

    new = tmp_path / "new"
    row = "'<urn:s>' subject, '<urn:p>' predicate, '\"9\"' object"
    spark.sql(f"SELECT {row}").write.parquet(str(new))
    schema = "subject string, predicate string, object string"
    writer = spark.readStream.schema(schema).parquet(str(new)).writeStream
    writer = writer.option("checkpointLocation", str(tmp_path / "offsets"))
    assert writer.trigger(availableNow=True).toTable("versions.made").awaitTermination(60)
    assert made.state_at() == {*log.state_at(), statement(9)}
    assert made.verify() == []

    query = "SELECT object, _change_type FROM versions.log CHANGES FROM VERSION 1"
    if tuple(map(int, spark.version.split(".")[:2])) < (4, 2):
        with fails("PARSE_SYNTAX_ERROR"):
            spark.sql(query)
        return
    assert {tuple(row) for row in spark.sql(query).collect()} == {
        ('"0"', "delete"),
        ('"2"', "insert"),
    }
    writer = spark.readStream.changes("versions.log").writeStream.format("parquet")
    stream = (
        writer.option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(tmp_path / "changes"))
    )
    assert stream.awaitTermination(60)
    assert spark.read.parquet(str(tmp_path / "changes")).count() == 4


@pytest.mark.long
def test_random_statements(spark: SparkSession, tmp_path: Path) -> None:
    spark.conf.set("spark.sql.catalog.random", "org.jellyspark.LogCatalog")
    spark.conf.set("spark.sql.catalog.random.path", str(tmp_path))
    check_random_statements(spark, "random", tmp_path, count=300, seed=1, ranges=60)
