"""Measure a shuffle of Jena's quads with jelly-spark-jena's encoders and with Kryo.

The quads are those of the weather dataset, held in memory as Jena's objects. The objects are
encoded, shuffled to eight partitions, and decoded there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.data.datasets import WEATHER
from benchmarks.parts.part import Part, Run
from benchmarks.results import Results
from benchmarks.running.participants import jena_jars, peers_classpath
from benchmarks.tables import table
from benchmarks.workers.spark import start_spark

JELLY = ("jelly", "jelly_batches")
KRYO = ("kryo", "kryo_batches")

LABELS = {
    "jelly": "quads, Jelly",
    "jelly_batches": "datasets of 1,000 quads, Jelly",
    "kryo_fields": "quads, Kryo with the fields of the objects",
    "kryo_batches_fields": "arrays of 1,000 quads, Kryo with the fields of the objects",
    "kryo_jena": "quads, Kryo with Jena's serialization",
    "kryo_batches_jena": "arrays of 1,000 quads, Kryo with Jena's serialization",
}
"""What the table says of the encoders."""

GOALS = {"size": 3, "speed": 1}
"""The goals of the comparisons with Jena's own serialization in Kryo."""


class Encoded(NamedTuple):
    """What was measured of an encoder.

    Attributes:
        bytes: the size of the encoded objects, in bytes per quad.
        shuffled: the size of the shuffle, which Spark compresses, in bytes per quad.
        seconds: the seconds of each round.
    """

    bytes: float
    shuffled: float
    seconds: list[float]


def measure(run: Run) -> None:
    """Shuffle quads with each encoder, and compare ours with those in Kryo."""
    rows = run.options.quads
    found: dict[str, Encoded] = {}
    for kind, names in (("fields", JELLY + KRYO), ("jena", KRYO)):
        # Kryo is configured once per session, and there is one session per process.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            options = rows, run.options.rounds, run.options.heap
            work = process.submit(_measure, *options, names, fields=kind == "fields")
        found |= {
            f"{name}_{kind}" if name in KRYO else name: encoded
            for name, encoded in work.result().items()
        }
    run.results.tables["encoders"] = {
        LABELS[name]: {
            "bytes a quad": encoded.bytes,
            "shuffled bytes a quad": encoded.shuffled,
            "quads per second": rows / median(encoded.seconds),
        }
        for name, encoded in found.items()
    }
    for kind in ("fields", "jena"):
        for ours, peer in zip(JELLY, KRYO, strict=True):
            jelly, kryo, name = found[ours], found[f"{peer}_{kind}"], f"{ours}_vs_{peer}_{kind}"
            size, speed = GOALS.values() if kind == "jena" else (None, None)
            run.results.compare_figures(f"{name}_size", kryo.bytes / jelly.bytes, size)
            run.results.compare(f"{name}_speed", jelly.seconds, kryo.seconds, speed)


def report(results: Results) -> list[str]:
    """Return the table."""
    return table(results.tables["encoders"], "objects and encoder", digits=0)


PART = Part("Jena's quads in a shuffle", "encoders", measure, report)


def _measure(
    rows: int, rounds: int, heap: str, names: Sequence[str], *, fields: bool
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
    jars = [*jena_jars(), peers_classpath().split(os.pathsep)[0]]
    registrator = "org.jellyspark.benchmarks.JenaRegistrator"
    settings = {} if fields else {"spark.kryo.registrator": registrator}
    spark = start_spark("local[1]", heap, jars, settings)
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
        _, held, shuffled, quads = map(median, each)
        assert quads == rows
        seconds = [nanos / 1e9 for nanos in each[0]]
        found[name] = Encoded(held / quads, shuffled / quads, seconds)
    return found
