"""Writes into the folders of managed logs, which only a log may do."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import PatchRow
from jelly_spark.core.files.managed_logs import MARKS, check_write
from jelly_spark.datasource.writing import BatchWriter, StreamWriter
from jelly_spark.errors import LogError, OptionError
from jelly_spark.formats import WRITTEN
from jelly_spark.log import Log
from jelly_spark.log.index.index_files import TAIL
from jelly_spark.log.index.settings import settings_file
from tests.cli.processes import run
from tests.log.patches import id_of, patch
from tests.spark.settings import setting

ROWS = [PatchRow("A", "<urn:s>", "<urn:p>", '"o"')]
ADVICE = r"append a patch with Log\.append or Log\.commit, or write to another folder"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """The folder of a log with a pack and a snapshot. The tests leave it as it is."""
    folder = tmp_path / "logs" / "shop [1]{a,b}* é%20"
    made = Log(folder)
    made.append_all([patch(0, add=[0]), patch(1, 0, add=[1]), patch(2, 1, add=[2])])
    made.compact(id_of(1))
    made.optimize()
    before = content(folder)
    yield folder
    assert content(folder) == before
    assert Log(folder).verify() == []


def content(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def places(log: Path) -> dict[str, str]:
    """Paths in the folder of a log, by what is special about them."""
    beside = log.parent.parent
    (beside / "link").symlink_to(log)
    (beside / "inner").symlink_to(log / "_log")
    return {
        "the log": str(log),
        "with a slash": f"{log}/",
        "a new folder": str(log / "new/a/b"),
        "snapshots": str(log / "_log/snapshots"),
        "packs": str(log / "_log/packs/x"),
        "dots": f"{log.parent}/other/../{log.name}",
        "a link": str(beside / "link"),
        "below a link": str(beside / "link/new"),
        "a link into it": str(beside / "inner/new"),
        "relative": os.path.relpath(log),
    }


def test_all_forms_of_paths(log: Path) -> None:
    for path in places(log).values():
        for is_overwrite in (False, True):
            with pytest.raises(LogError, match=f"is in the folder of the log .*{ADVICE}"):
                check_write(path, "an option", is_overwrite=is_overwrite)
    for path in (log.as_uri(), f"file://{log.as_uri().removeprefix('file://')}/new"):
        with pytest.raises(LogError, match="is in the folder of the log"):
            check_write(path, "an option")


def test_what_is_beside_a_log(log: Path, tmp_path: Path) -> None:
    check_write(str(log.parent), "an option")
    check_write(f"{log}x", "an option", is_overwrite=True)
    check_write(str(tmp_path), "an option", is_overwrite=True)
    with pytest.raises(LogError, match=f"overwriting .*logs would remove the log .*{ADVICE}"):
        check_write(str(log.parent), "an option", is_overwrite=True)
    # Patches of others, which no log has adopted.
    (tmp_path / "patches/_log").mkdir(parents=True)
    check_write(str(tmp_path / "patches/new"), "an option", is_overwrite=True)


@pytest.mark.parametrize("mark", MARKS)
def test_what_makes_a_folder_a_log(tmp_path: Path, mark: str) -> None:
    assert {settings_file(0), TAIL} == {*MARKS}
    (tmp_path / mark).parent.mkdir(parents=True)
    (tmp_path / mark).touch()
    with pytest.raises(LogError, match="is in the folder of the log"):
        check_write(str(tmp_path / "new"), "an option")


def test_a_log_at_a_url() -> None:
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    files.pipe_file(f"/logs/shop/{MARKS[0]}", b"{}")
    for path in ("memory://logs/shop", "memory://logs/shop/a/b/"):
        with pytest.raises(LogError, match="is in the folder of the log memory://"):
            check_write(path, "an option")
    check_write("memory://logs", "an option")
    with pytest.raises(LogError, match="would remove the log memory://"):
        check_write("memory://logs", "an option", is_overwrite=True)
    files.rm("/logs", recursive=True)


def test_plain_python(log: Path) -> None:
    for name in ("new.jellyp", "00000000000000000001.jellyp", "_log/new.jellyp", "new.nt.gz"):
        format = codec.target_format_of(name, None, None)
        for append in (False, True):
            with pytest.raises(LogError, match=f"{ADVICE} .an open stream"):
                format.write(log / name, [], append=append)
    with pytest.raises(LogError, match=ADVICE):
        codec.concatenate(log / "new.jellyp", log / "00000000000000000000.jellyp")


def test_an_open_stream_is_meant(log: Path) -> None:
    with open(log / "new.jellyp", "wb") as file:
        codec.write(file, ROWS, format="jelly_patch")
    assert [*codec.read(log / "new.jellyp")]
    (log / "new.jellyp").unlink()


def test_the_command(log: Path, tmp_path: Path) -> None:
    codec.write(tmp_path / "a.rdfp", ROWS)
    done = run("convert", tmp_path / "a.rdfp", log / "new.jellyp")
    assert done.returncode == 1
    assert b"append a patch with jelly-spark log append" in done.stderr


@pytest.mark.parametrize("format", WRITTEN)
def test_data_sources_without_the_jar(log: Path, format: str) -> None:
    schema = jelly_spark.schema(format if format != "sparql_update" else "jelly_patch")
    for path in (str(log), f"file:{log}/new/"):
        for options in ({"path": path}, {"path": path, "writeintolog": "FALSE"}):
            for overwrite in (False, True):
                with pytest.raises(LogError, match=r"\(the option writeIntoLog=true writes there"):
                    BatchWriter(WRITTEN[format], options, schema, overwrite)
            with pytest.raises(LogError, match=ADVICE):
                StreamWriter(WRITTEN[format], options, schema)
        BatchWriter(WRITTEN[format], {"path": path, "WRITEINTOLOG": "true"}, schema, False)
    with pytest.raises(LogError, match="would remove the log"):
        BatchWriter(WRITTEN[format], {"path": str(log.parent)}, schema, True)
    with pytest.raises(OptionError, match="writeIntoLog"):
        BatchWriter(WRITTEN[format], {"path": str(log), "writeIntoLog": "maybe"}, schema, True)


def refused(write: Callable[..., object], *args: object) -> None:
    with pytest.raises(PySparkException, match=ADVICE):
        write(*args)


def test_all_sources_with_the_jar(spark: SparkSession, log: Path) -> None:
    rows = spark.createDataFrame(ROWS, jelly_spark.schema("jelly_patch"))
    words = rows.select("object")
    for format in ("jelly_patch", "rdf_patch", "parquet", "json", "csv", "orc", "text"):
        frame = rows if format.endswith("patch") else words
        for mode in ("overwrite", "append", "error", "ignore"):
            refused(frame.write.format(format).mode(mode).save, str(log))
    writer = words.write.mode("overwrite")
    for path in (*places(log).values(), f"file:{log}", f"file://{log}/"):
        refused(writer.parquet, path)
    refused(writer.parquet, str(log.parent))
    refused(writer.option("writeIntoLog", "false").parquet, str(log / "new"))
    refused(rows.write.partitionBy("op").json, str(log))
    with setting(spark, "spark.sql.sources.partitionOverwriteMode", "dynamic"):
        refused(rows.write.mode("overwrite").partitionBy("op").parquet, str(log))


def test_sql_with_the_jar(spark: SparkSession, log: Path, tmp_path: Path) -> None:
    """Tables too: a new one, one that is there, and one of which a partition is in a log."""
    # Spark takes the location of a table for a glob.
    plain = tmp_path / "plain"
    plain.symlink_to(log)
    new = f"USING parquet LOCATION '{plain}/new' AS SELECT 1 AS a"
    refused(spark.sql, f"INSERT OVERWRITE DIRECTORY '{plain}' USING parquet SELECT 1 AS a")
    refused(spark.sql, f"INSERT OVERWRITE DIRECTORY '{plain}/_log' USING csv SELECT 1 AS a")
    refused(spark.sql, f"CREATE TABLE w1 {new}")
    refused(spark.range(1).write.option("path", str(plain)).mode("overwrite").saveAsTable, "w1")
    assert not spark.catalog.tableExists("w1")
    columns = f"(a INT, b INT) USING parquet PARTITIONED BY (b) LOCATION '{tmp_path}/t'"
    spark.sql(f"CREATE TABLE w2 (a STRING) USING text LOCATION '{plain}'")
    spark.sql(f"CREATE TABLE w3 {columns}")
    spark.sql(f"ALTER TABLE w3 ADD PARTITION (b=1) LOCATION '{plain}'")
    try:
        refused(spark.sql, "INSERT INTO w2 VALUES ('x')")
        refused(spark.sql, "INSERT OVERWRITE w2 VALUES ('x')")
        refused(spark.range(1).selectExpr("string(id)").write.insertInto, "w2")
        refused(spark.sql, "INSERT OVERWRITE w3 PARTITION (b=1) VALUES (1)")
        refused(spark.sql, "INSERT INTO w3 VALUES (1, 1)")
    finally:
        spark.sql("DROP TABLE w2")
        spark.sql("DROP TABLE w3")


def test_streams_with_the_jar(spark: SparkSession, log: Path, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    codec.write(source / "a.jellyp", ROWS)
    stream = jelly_spark.read_stream(spark, "jelly_patch", source)
    targets = [("jelly_patch", log), ("parquet", log / "_log/snapshots"), ("json", log / "new")]
    for number, (format, path) in enumerate(targets):
        writer = stream.writeStream.format(format).trigger(availableNow=True)
        writer.option("checkpointLocation", str(tmp_path / f"checkpoint{number}"))
        refused(writer.start, str(path))
        # Spark reads no other files of a folder that has it.
        assert not (path / "_spark_metadata").exists()
    assert not (log / "new").exists()
    writer = stream.writeStream.format("noop").trigger(availableNow=True)
    for folder in (log, log / "checkpoint", log / "_log/checkpoint"):
        refused(writer.option("checkpointLocation", str(folder)).start)
    assert not (log / "checkpoint").exists()
    writer = stream.writeStream.format("json").option("path", str(tmp_path / "out"))
    refused(writer.option("checkpointLocation", str(log)).start)
    assert not (tmp_path / "out").exists()


def test_streams_that_clean_up(spark: SparkSession, log: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    cleaning: list[tuple[Path, dict[str, str]]] = [
        (log, {"cleanSource": "delete"}),
        (log / "*.jellyp", {"cleansource": "DELETE"}),
        (tmp_path / "in", {"cleanSource": "archive", "sourceArchiveDir": str(log / "old")}),
    ]
    for number, (path, options) in enumerate(cleaning):
        stream = spark.readStream.format("text").options(**options).load(str(path))
        writer = stream.writeStream.format("noop").trigger(availableNow=True)
        checkpoint = tmp_path / f"checkpoint{number}"
        refused(writer.option("checkpointLocation", str(checkpoint)).start)
        assert not checkpoint.exists()


def test_the_option_that_means_it(spark: SparkSession, tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    log.append(patch(0, add=[0]))
    frame = spark.createDataFrame(ROWS, jelly_spark.schema("jelly_patch"))
    frame.write.option("WRITEINTOLOG", "true").mode("overwrite").parquet(str(tmp_path / "log"))
    assert not (tmp_path / "log/_log").exists()


def test_logs_are_still_written(spark: SparkSession, tmp_path: Path) -> None:
    """Spark writes the patches and the snapshots of a log into its folder."""
    log: Log[DataFrame] = Log(tmp_path / "log", spark)
    rows = [row._replace(patch=0, seq=seq) for seq, row in enumerate(patch(0, add=[0]))]
    log.append(spark.createDataFrame(rows, jelly_spark.schema("jelly_patch")))
    log.compact()
    assert log.verify() == []
    assert log.state_at().count() == 1
