"""Files as a stream: new ones are read as they come, and written to a sink."""

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from tests.spark.patches import FORMAT, SCHEMA, adds, encoded, only_file, read, rows_of, write_file


def copy(source: DataFrame, folder: Path) -> None:
    """Write all that is there now, and remember how far."""
    query = (
        source.coalesce(1)
        .writeStream.format(FORMAT)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(folder / "log"))
    )
    assert query.awaitTermination(60)


def test_source_and_sink(spark: SparkSession, tmp_path: Path) -> None:
    first, second = adds(5), adds(3, first=5)
    (tmp_path / "in").mkdir()
    source = spark.readStream.format(FORMAT).schema(SCHEMA).load(str(tmp_path / "in"))
    write_file(tmp_path / "in/1.jellyp", first)
    copy(source, tmp_path)
    assert only_file(tmp_path / "log").read_bytes() == encoded(first)

    write_file(tmp_path / "in/2.jellyp", second)
    copy(source, tmp_path)
    found = rows_of(read(spark, tmp_path / "log").orderBy("subject"))
    assert [row.subject for row in found] == [row.subject for row in first + second]
