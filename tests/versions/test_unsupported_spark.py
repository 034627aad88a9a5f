"""The jar with Spark 3.5, which has Scala 2.12: our formats say so, and the others work."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark import functions as jf
from jelly_spark.errors import SparkVersionError
from jelly_spark.formats import FORMATS
from jelly_spark.session import jar_path
from tests import bridge

NAMES = list(FORMATS)
NEEDED = (
    r"needs Spark 4\.0 or later, which has Scala 2\.13; this is Spark 3\.5\.\d with Scala 2\.12"
)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session that has the jar all the same."""
    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.jars", str(jar_path()))
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.mark.parametrize("format", ["parquet", "json", "csv", "orc", "text"])
def test_other_formats_work(session: SparkSession, tmp_path: Path, format: str) -> None:
    frame = session.range(10).selectExpr("string(id) AS value")
    frame.write.format(format).save(str(tmp_path / "out"))
    found = session.read.schema("value string").format(format).load(str(tmp_path / "out"))
    assert sorted(found.collect()) == sorted(frame.collect())
    session.sql(f"CREATE TABLE {format}_table USING {format} AS SELECT 'a' AS value")
    assert session.table(f"{format}_table").count() == 1


@pytest.mark.parametrize("format", NAMES)
def test_our_formats_say_what_they_need(session: SparkSession, tmp_path: Path, format: str) -> None:
    path = tmp_path / "file"
    path.touch()
    reader = session.read.format(format)
    with pytest.raises(PySparkException, match=NEEDED):
        reader.load(str(path))
    with pytest.raises(PySparkException, match=NEEDED):
        reader.schema("op string").load(str(path)).collect()
    with pytest.raises(PySparkException, match=NEEDED):
        session.range(1).write.format(format).save(str(tmp_path / "out"))
    with pytest.raises(PySparkException, match=NEEDED):
        session.sql(f"CREATE TABLE {format} USING {format} LOCATION '{tmp_path}'")
    with pytest.raises(PySparkException, match=NEEDED):
        stream = session.readStream.format(format).schema("op string").load(str(tmp_path))
        query = stream.writeStream.format("noop").trigger(availableNow=True).start()
        query.awaitTermination()


def test_the_catalog_says_what_it_needs(session: SparkSession, tmp_path: Path) -> None:
    session.conf.set("spark.sql.catalog.logs", "org.jellyspark.LogCatalog")
    session.conf.set("spark.sql.catalog.logs.path", str(tmp_path))
    with pytest.raises(PySparkException, match=NEEDED):
        session.sql("SELECT * FROM logs.shop")


def test_python_says_what_it_needs(session: SparkSession) -> None:
    needed = r"needs PySpark 4\.0 or later, which has Scala 2\.13; this is PySpark 3\.5"
    with pytest.raises(SparkVersionError, match=needed):
        jelly_spark.configure(SparkSession.builder)
    with pytest.raises(SparkVersionError, match=needed):
        jf.term_kind("term")
    with pytest.raises(SparkVersionError, match=needed):
        bridge.engines("jelly_patch", spark=session)


def test_sessions_are_made_without_our_functions(session: SparkSession) -> None:
    other = session.newSession()
    assert other.sql("SELECT upper('a')").first() == ("A",)
    assert not other.catalog.functionExists("term_kind")
