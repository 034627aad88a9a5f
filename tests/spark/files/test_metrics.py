"""What Spark's UI shows of a scan, beside Spark's own figures."""

import gc
import time
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import JellyPatchOptions, RdfPatchOptions
from tests.codec.files.restart_files import points_of
from tests.codecs import PythonCodec
from tests.spark.patches import EX, adds, encoded, read
from tests.spark.settings import setting
from tests.spark.stages import stages

ROWS = 20_000
READS = 10


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with restart points."""
    path = tmp_path_factory.mktemp("log") / "log.jellyp"
    path.write_bytes(encoded(adds(ROWS), JellyPatchOptions(restart_interval=100_000)))
    return path


def test_a_filter(spark: SparkSession, log: Path) -> None:
    with stages(spark) as found:
        assert read(spark, log).where(f"subject = '<{EX}s7>'").count() == 1
    counters = found.counters
    assert counters["jelly_patch: rows skipped by filters"] == ROWS - 1
    # The rest are the lookup entries, of which each row has one, and the index.
    skipped = counters["jelly_patch: bytes skipped by filters"]
    assert 0.3 * log.stat().st_size < skipped < 0.7 * log.stat().st_size


def test_no_filter(spark: SparkSession, log: Path) -> None:
    with stages(spark) as found:
        assert read(spark, log).count() == ROWS
    counters = found.counters
    batches = counters.pop("jelly_patch: batches")
    assert -(-ROWS // 4096) <= batches <= ROWS // 1000
    # Nothing is shown of what was not done.
    assert list(counters) == ["jelly_patch: restart ranges read"]


@pytest.mark.parametrize("splits", [1, 4])
def test_restart_ranges(spark: SparkSession, log: Path, splits: int) -> None:
    """All tasks together read each once."""
    size = -(-log.stat().st_size // splits)
    with (
        setting(spark, "spark.sql.files.maxPartitionBytes", size),
        setting(spark, "spark.sql.files.openCostInBytes", 0),
        stages(spark) as found,
    ):
        assert read(spark, log).agg({"seq": "max"}).first() == (ROWS - 1,)
    ranges = 1 + len(points_of(log.read_bytes()))
    assert found.counters["jelly_patch: restart ranges read"] == ranges > splits


def test_text(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "log.rdfp"
    PythonCodec().write(adds(ROWS), RdfPatchOptions(), path)
    size = path.stat().st_size
    for splits in (1, 2):
        with (
            setting(spark, "spark.sql.files.minPartitionNum", 1),
            setting(spark, "spark.sql.files.maxPartitionBytes", -(-size // splits)),
            stages(spark) as found,
        ):
            assert spark.read.format("rdf_patch").load(str(path)).count() == ROWS
        passed = found.counters.get("rdf_patch: bytes passed over before splits", 0)
        assert (splits - 1) * 0.4 * size <= passed <= (splits - 1) * 0.6 * size


def test_malformed_rows(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "log.rdfp"
    path.write_text("TX .\nno row\nTC .\nA .\n", encoding="ascii")
    with stages(spark) as found:
        reader = spark.read.format("rdf_patch").option("mode", "DROPMALFORMED")
        assert len(reader.load(str(path)).collect()) == 2
    assert found.counters == {"rdf_patch: malformed rows": 2, "rdf_patch: batches": 2}


def test_they_go_with_the_query(spark: SparkSession, log: Path) -> None:
    """A session that runs for long keeps no accumulators of its scans."""
    with stages(spark) as found:
        for _ in range(READS):
            read(spark, log).count()
    jvm: Any = spark.sparkContext._jvm
    known = jvm.org.apache.spark.util.AccumulatorContext
    ids = found.counter_ids
    assert len(ids) == 2 * READS
    for _ in range(20):
        gc.collect()
        # Python's objects, such as DataFrames and what the last look has found, hold those of the
        # JVM until a thread of Py4J, which may sleep for a second, frees them.
        time.sleep(2)
        jvm.java.lang.System.gc()
        left = [i for i in ids if known.get(i).isDefined()]
        # Spark may hold those of the last scan for longer.
        if len(left) <= 2:
            break
    assert len(left) <= 2
