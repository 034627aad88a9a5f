"""Measure what each of the three paths through a row of a Jelly file gains: see `JellyDecoder`.

    .venv/bin/python -m benchmarks.guides.row_paths --rows 2000000

The program prints a table. Its files contain the same statements. An unknown field, which readers
skip, keeps a row from the faster two paths, and the option `strict` turns the fastest one off.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from google.protobuf import proto
from pyspark.sql import DataFrame, SparkSession

import jelly_spark
from benchmarks.data.datasets import DATASETS
from jelly_spark._proto import rdf_pb2 as pb

UNKNOWN_FIELD = b"\xf8\x3f\x01"
"""A field with a number that no message of Jelly has: 1023, the number 1."""

FAST_SIZE = 128
"""The size in bytes from which the fastest path does not decode a row."""

WARM_UP = 4
ROUNDS = 9


class Variant(NamedTuple):
    """A file and an option that leave some of the paths.

    Attributes:
        title: which paths are used.
        strict: whether rows are read with `strict`, so without the fastest path.
        from_size: rows of this size in bytes, or more, have an unknown field; None for no row.
    """

    title: str
    strict: bool
    from_size: int | None


VARIANTS = (
    Variant("all three paths", False, None),
    Variant("without the first, `FastRows`", True, None),
    Variant("without the second, canonical rows", False, FAST_SIZE),
    Variant("only the third, `MessageWalker`", True, 0),
)


def main() -> None:
    """Write the files, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000, help="statements of a file")
    arguments = parser.parse_args()
    builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "2g")
    builder = builder.config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = jelly_spark.configure(builder).getOrCreate()
    print("| data | paths | ns per row | times the first |")
    print("| --- | --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, dataset in DATASETS.items():
            source = Path(folder) / name
            statements = dataset.statements(spark, arguments.rows).coalesce(1)
            statements.write.format("jelly_rdf").option("restartInterval", 0).save(str(source))
            scans = [
                scan_of(spark, source.with_suffix(f".{number}"), source, variant)
                for number, variant in enumerate(VARIANTS)
            ]
            for _ in range(WARM_UP):
                results = {scan()[1] for scan in scans}
                assert len(results) == 1, "the files do not have the same statements"
            rounds = [[scan()[0] for scan in scans] for _ in range(ROUNDS)]
            seconds = [median(times) for times in zip(*rounds, strict=True)]
            for variant, time in zip(VARIANTS, seconds, strict=True):
                cost = time / arguments.rows * 1e9
                print(f"| {name} | {variant.title} | {cost:.0f} | {time / seconds[0]:.2f} |")
    spark.stop()


def scan_of(
    spark: SparkSession, path: Path, source: Path, variant: Variant
) -> Callable[[], tuple[float, object]]:
    """Write a variant of the file below `source` to `path`.

    Returns:
        A function that reads it, and returns the seconds that this takes, and a sum over its terms.
    """
    (file,) = source.glob("*.jelly")
    write_variant(file, path, variant.from_size)
    reader = spark.read.format("jelly_rdf").option("strict", variant.strict)
    frame = reader.load(str(path))

    def scan() -> tuple[float, object]:
        start = perf_counter()
        found = lengths(frame).first()
        return perf_counter() - start, found

    return scan


def write_variant(source: Path, path: Path, from_size: int | None) -> None:
    """Copy a Jelly-RDF file, and give the messages of rows of at least a size an unknown field."""
    file, out = BytesIO(source.read_bytes()), BytesIO()
    while frame := proto.parse_length_prefixed(pb.RdfStreamFrame, file):
        for row in frame.rows if from_size is not None else ():
            if row.ByteSize() >= (from_size or 0) and row.WhichOneof("row") != "options":
                getattr(row, row.WhichOneof("row")).MergeFromString(UNKNOWN_FIELD)
        proto.serialize_length_prefixed(frame, out)
    path.write_bytes(out.getvalue())


def lengths(frame: DataFrame) -> DataFrame:
    """Return the sum of the lengths of all terms."""
    terms = ("subject", "predicate", "object", "graph")
    return frame.selectExpr(*(f"sum(octet_length({term}))" for term in terms))


if __name__ == "__main__":
    main()
