"""The option `engine`, from Python."""

from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from jelly_spark.codec import JellyRdfOptions, RdfRow
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError
from tests import bridge
from tests.codecs import JellyJvmCodec
from tests.shared import JENA_JAR
from tests.spark.programs import run

ROWS = [RdfRow("<urn:s>", "<urn:p>", f'"{i}"@EN', frame=0, seq=i) for i in range(3)]


def test_both_engines_write_and_read_the_same(
    spark: SparkSession, jelly_jvm: JellyJvmCodec
) -> None:
    written = jelly_jvm.encode(ROWS, JellyRdfOptions())
    assert written == bridge.encode(ROWS, options=JellyRdfOptions(), spark=spark)
    assert jelly_jvm.decode(written, "jelly_rdf") == ROWS


def test_errors_are_those_of_the_package(jelly_jvm: JellyJvmCodec, spark: SparkSession) -> None:
    with pytest.raises(MalformedInputError, match="expected what Jelly-JVM reads"):
        jelly_jvm.decode(b"\x05\x0a\x03\xff\xff\xff", "jelly_rdf")
    with pytest.raises(UnwritableRowError, match="needs a subject"):
        jelly_jvm.encode([RdfRow("<urn:s>")], JellyRdfOptions())
    with pytest.raises(OptionError, match="the engine jelly-jvm has no option strict"):
        list(bridge.decode(b"", format="jelly_rdf", engine="jelly-jvm", strict=True, spark=spark))
    with pytest.raises(OptionError, match="the engine jelly-jvm has no option restartInterval"):
        bridge.encode(
            ROWS, options=JellyRdfOptions(restart_interval=1), engine="jelly-jvm", spark=spark
        )


def test_an_engine_that_is_not_there(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="must be one of: native; not 'jelly-jvm'"):
        list(bridge.decode(b"", format="jelly_patch", engine="jelly-jvm", spark=spark))
    with pytest.raises(PySparkException, match=r"must be one of: native.*; not 'fast'"):
        spark.read.format("jelly_rdf").option("engine", "fast").load(str(tmp_path)).count()


def test_a_session_without_the_jar(tmp_path: Path) -> None:
    program = """
        import jelly_spark
        spark = jelly_spark.configure(builder()).getOrCreate()
        try:
            spark.read.format("jelly_rdf").option("engine", "jelly-jvm").load(sys.argv[1]).count()
        except Exception as error:
            print(str(error).splitlines()[0])
        jars = spark.read.format("jelly_rdf").option("engine", "native").load(sys.argv[1])
        print(jars.count())
    """
    path = tmp_path / "file.jelly"
    path.touch()
    error, count = run(program, path)
    assert "must be one of: native; not 'jelly-jvm'" in error
    assert JENA_JAR.name in error
    assert count == "0"
