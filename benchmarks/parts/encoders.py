"""Measure a shuffle of Jena's quads with jelly-spark-jena's encoders and with Kryo.

The quads are those of the weather dataset, held in memory as Jena's objects. The objects are
encoded, shuffled to eight partitions, and decoded there.
"""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from pyspark.sql import SparkSession

import jelly_spark
from benchmarks.data.datasets import WEATHER
from benchmarks.results import EncoderFigures, Results
from benchmarks.running.participants import ROOT, peers_classpath

JENA_JAR = ROOT / "jena/target/jelly-spark-jena.jar"
JENA_CLASSPATH = ROOT / "tests/jena/target/jena.classpath"

KRYO = ("kryo", "kryo_batches")
JELLY = ("jelly", "jelly_batches")


class Encoded(NamedTuple):
    """What was measured of an encoder.

    Attributes:
        figures: the figures.
        seconds: the seconds of each round.
    """

    figures: EncoderFigures
    seconds: list[float]


def measure_encoders(results: Results, rows: int, rounds: int, heap: str) -> None:
    """Run the measures, and add the figures to the results.

    Args:
        results: the results.
        rows: the number of quads.
        rounds: the number of rounds that count, after one that does not.
        heap: the size of the heap.
    """
    found: dict[str, Encoded] = {}
    for fields, names in ((True, JELLY + KRYO), (False, KRYO)):
        # Kryo is configured once per session, and there is one session per process.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            work = process.submit(_measure, rows, rounds, heap, names, fields=fields)
        kind = "fields" if fields else "jena"
        found |= {
            f"{name}_{kind}" if name in KRYO else name: encoded
            for name, encoded in work.result().items()
        }
    results.encoders = {name: encoded.figures for name, encoded in found.items()}
    results.compare_encoders({name: encoded.seconds for name, encoded in found.items()})


def _measure(
    rows: int, rounds: int, heap: str, names: tuple[str, ...], *, fields: bool
) -> dict[str, Encoded]:
    """Return what was measured of encoders, by their names.

    Args:
        rows: the number of quads.
        rounds: the number of rounds that count.
        heap: the size of the heap.
        names: the names of the encoders.
        fields: whether Kryo writes the fields of Jena's objects; if false, it uses Jena's own
            serialization.
    """
    spark = _start(heap, fields=fields)
    measured = spark._jvm.org.jellyspark.benchmarks.EncoderVsKryo  # type: ignore[union-attr]
    session: Any = spark._jsparkSession
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "quads")
        WEATHER.statements(spark, rows).write.format("jelly_rdf").save(path)
        assert measured.hold(session, path) == rows
    measured_rounds = [
        {name: list(measured.shuffle(session, name)) for name in names} for _ in range(1 + rounds)
    ]
    spark.stop()
    found = {}
    for name in names:
        each = [*zip(*(r[name] for r in measured_rounds[1:]), strict=True)]
        taken, held, shuffled, quads = map(median, each)
        assert quads == rows
        figures = EncoderFigures(held / quads, shuffled / quads, quads / taken * 1e9)
        found[name] = Encoded(figures, [nanos / 1e9 for nanos in each[0]])
    return found


def _start(heap: str, *, fields: bool) -> SparkSession:
    """Return a session with both jars, Jena, and the JVM part of this benchmark."""
    program = peers_classpath().split(os.pathsep)[0]
    jars = [str(JENA_JAR), program, *JENA_CLASSPATH.read_text("utf-8").split(os.pathsep)]
    builder = (
        SparkSession.builder.master("local[1]")
        .config("spark.jars", ",".join(jars))
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", heap)
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
    )
    if not fields:
        registrator = "org.jellyspark.benchmarks.JenaRegistrator"
        builder = builder.config("spark.kryo.registrator", registrator)
    return jelly_spark.configure(builder).getOrCreate()
