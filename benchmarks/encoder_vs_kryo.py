"""Measure a shuffle of Jena's quads with jelly-spark-jena's encoders and with Kryo.

    make encoder-vs-kryo
    .venv/bin/python -m benchmarks.encoder_vs_kryo --rows 1000000

Prints a table. The quads are those of the weather, in memory as Jena's objects. The objects are
encoded, shuffled to eight partitions, and decoded there.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from pyspark.sql import SparkSession

import jelly_spark
from benchmarks.data import WEATHER
from benchmarks.participants import ROOT, peers_classpath

JENA_JAR = ROOT / "jena/target/jelly-spark-jena.jar"
JENA_CLASSPATH = ROOT / "tests/jena/target/jena.classpath"

ENCODERS = {
    "jelly": "quads, Jelly",
    "kryo": "quads, Kryo",
    "java": "quads, Java serialization",
    "jelly-batches": "datasets of 1,000 quads, Jelly",
    "kryo-batches": "arrays of 1,000 quads, Kryo",
}


def main() -> None:
    """Make the quads, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="number of quads")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that count, after one")
    parser.add_argument("--cores", type=int, default=1, help="tasks that run at a time")
    parser.add_argument("--heap", default="3g", help="size of the heap")
    parser.add_argument("--fields", action="store_true", help="have Kryo write Jena's fields")
    arguments = parser.parse_args()
    spark = start(arguments.cores, arguments.heap, fields=arguments.fields)
    measure = spark._jvm.org.jellyspark.benchmarks.EncoderVsKryo  # type: ignore[union-attr]
    session: Any = spark._jsparkSession
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "quads")
        WEATHER.statements(spark, arguments.rows).write.format("jelly_rdf").save(path)
        assert measure.hold(session, path) == arguments.rows
    rounds = [
        {name: list(measure.shuffle(session, name)) for name in ENCODERS}
        for _ in range(1 + arguments.rounds)
    ]
    print("| objects and encoder | bytes a quad | shuffled bytes a quad | quads per second |")
    print("| --- | ---: | ---: | ---: |")
    for name, title in ENCODERS.items():
        taken, held, shuffled, found = map(median, zip(*(r[name] for r in rounds[1:]), strict=True))
        assert found == arguments.rows
        sizes = f"{held / found:.0f} | {shuffled / found:.0f}"
        print(f"| {title} | {sizes} | {found / taken * 1e9:,.0f} |")
    spark.stop()


def start(cores: int, heap: str, *, fields: bool) -> SparkSession:
    """Return a session with both jars, Jena, and the program that is measured."""
    program = peers_classpath().split(os.pathsep)[0]
    jars = [str(JENA_JAR), program, *JENA_CLASSPATH.read_text("utf-8").split(os.pathsep)]
    builder = (
        SparkSession.builder.master(f"local[{cores}]")
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
