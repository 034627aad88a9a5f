"""Measure a shuffle of Jena's quads with jelly-spark-jena's encoders and with Kryo.

    make encoder-vs-kryo
    .venv/bin/python -m benchmarks.encoder_vs_kryo --rows 1000000

The program adds the figures to the results of the benchmark. The quads are those of the weather
dataset, held in memory as Jena's objects. The objects are encoded, shuffled to eight partitions,
and decoded there.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from pyspark.sql import SparkSession

import jelly_spark
from benchmarks.data import WEATHER
from benchmarks.participants import ROOT, peers_classpath
from benchmarks.report import write_report
from benchmarks.results import EncoderFigures, Results

JENA_JAR = ROOT / "jena/target/jelly-spark-jena.jar"
JENA_CLASSPATH = ROOT / "tests/jena/target/jena.classpath"

KRYO = ("kryo", "kryo_batches")
JELLY = ("jelly", "jelly_batches")


def main() -> None:
    """Run the measures, and add the figures to the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="number of quads")
    parser.add_argument("--rounds", type=int, default=1, help="rounds that count, after one")
    parser.add_argument("--heap", default="6g", help="size of the heap")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="the results")
    options = parser.parse_args()
    path: Path = options.out / "results.json"
    results = Results.from_json(json.loads(path.read_text("utf-8")))
    results.encoders = {}
    for fields, names in ((True, JELLY + KRYO), (False, KRYO)):
        # Kryo is configured once per session, and there is one session per process.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            found = process.submit(measure, options, names, fields=fields).result()
        kind = "fields" if fields else "jena"
        results.encoders.update(
            {f"{name}_{kind}" if name in KRYO else name: found[name] for name in names}
        )
    results.compare_encoders()
    path.write_text(json.dumps(results.as_json(), indent=2) + "\n", encoding="utf-8")
    write_report(results, options.out)
    for name, figures in results.encoders.items():
        print(f"{name:24} {figures.bytes:7.1f} bytes a quad {figures.per_second:12,.0f} quads/s")


def measure(
    options: argparse.Namespace, names: tuple[str, ...], *, fields: bool
) -> dict[str, EncoderFigures]:
    """Return the figures of encoders, by their names.

    Args:
        options: the command-line options.
        names: the names of the encoders.
        fields: whether Kryo writes the fields of Jena's objects; if false, it uses Jena's own
            serialization.
    """
    spark = start(options.heap, fields=fields)
    measured = spark._jvm.org.jellyspark.benchmarks.EncoderVsKryo  # type: ignore[union-attr]
    session: Any = spark._jsparkSession
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "quads")
        WEATHER.statements(spark, options.rows).write.format("jelly_rdf").save(path)
        assert measured.hold(session, path) == options.rows
    rounds = [
        {name: list(measured.shuffle(session, name)) for name in names}
        for _ in range(1 + options.rounds)
    ]
    spark.stop()
    found = {}
    for name in names:
        taken, held, shuffled, quads = map(median, zip(*(r[name] for r in rounds[1:]), strict=True))
        assert quads == options.rows
        found[name] = EncoderFigures(held / quads, shuffled / quads, quads / taken * 1e9)
    return found


def start(heap: str, *, fields: bool) -> SparkSession:
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


if __name__ == "__main__":
    main()
