"""Measure what each of the three paths through a row of a Jelly file gains: see `JellyDecoder`.

The files contain the same statements. An unknown field, which readers skip, keeps a row from the
faster two paths, and the option `strict` turns the fastest one off.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from google.protobuf import proto
from pyspark.sql import SparkSession

from benchmarks.data.datasets import DATASETS, TERMS
from benchmarks.guides.guide import Guide, Table
from benchmarks.running.rounds import in_turns, timed
from benchmarks.workers.spark import start_spark
from jelly_spark._proto import rdf_pb2 as pb

UNKNOWN_FIELD = b"\xf8\x3f\x01"
"""A field with a number that no message of Jelly has: 1023, the number 1."""

FAST_SIZE = 128
"""The size in bytes from which the fastest path does not decode a row."""

WARM_UPS = 4

_SUMS = [f"sum(octet_length({term}))" for term in TERMS]


class Variant(NamedTuple):
    """A file and an option that leave some of the paths.

    Attributes:
        strict: whether rows are read with `strict`, so without the fastest path.
        from_size: rows of this size in bytes, or more, have an unknown field; None for no row.
    """

    strict: bool
    from_size: int | None


VARIANTS = {
    "all three paths": Variant(False, None),
    "without the first, `FastRows`": Variant(True, None),
    "without the second, canonical rows": Variant(False, FAST_SIZE),
    "only the third, `MessageWalker`": Variant(True, 0),
}


def run(options: Namespace) -> Iterator[Table]:
    """Write the files, and read them in turns."""
    spark = start_spark("local[1]", "2g", [])
    with TemporaryDirectory() as made:
        for name in DATASETS:
            seconds = measure(spark, name, Path(made), options)
            first, *_ = seconds.values()
            rows = {
                variant: {
                    "ns per row": f"{s / options.rows * 1e9:.0f}",
                    "times the first": s / first,
                }
                for variant, s in seconds.items()
            }
            yield Table(name, rows, digits=2)
    spark.stop()


def measure(spark: SparkSession, name: str, folder: Path, options: Namespace) -> dict[str, float]:
    """Return the median seconds to read each variant of the file of a dataset."""
    source = folder / name
    statements = DATASETS[name].statements(spark, options.rows).coalesce(1)
    statements.write.format("jelly_rdf").option("restartInterval", 0).save(str(source))
    (file,) = source.glob("*.jelly")
    scans: dict[str, Callable[[], tuple[float, object]]] = {}
    for variant, (strict, from_size) in VARIANTS.items():
        path = source.with_suffix(f".{len(scans)}")
        write_variant(file, path, from_size)
        frame = spark.read.format("jelly_rdf").option("strict", strict).load(str(path))
        scans[variant] = timed(frame.selectExpr(*_SUMS).first)
    found = in_turns(scans, WARM_UPS, options.rounds, dict.fromkeys(scans, "the lengths of terms"))
    return {variant: median(taken) for variant, taken in found.items()}


def write_variant(source: Path, path: Path, from_size: int | None) -> None:
    """Copy a Jelly-RDF file, and give the messages of rows of at least a size an unknown field."""
    file, out = BytesIO(source.read_bytes()), BytesIO()
    while frame := proto.parse_length_prefixed(pb.RdfStreamFrame, file):
        for row in frame.rows if from_size is not None else ():
            if row.ByteSize() >= (from_size or 0) and row.WhichOneof("row") != "options":
                getattr(row, row.WhichOneof("row")).MergeFromString(UNKNOWN_FIELD)
        proto.serialize_length_prefixed(frame, out)
    path.write_bytes(out.getvalue())


GUIDE = Guide(run, {"rows": 2_000_000, "rounds": 9})
