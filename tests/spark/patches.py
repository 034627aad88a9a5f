"""Patches as DataFrames, as files, and as rows of the Python codec."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

import jelly_spark
from jelly_spark.codec import JellyPatchOptions, PatchRow
from tests.codecs import PythonCodec
from tests.parity.oplines import rows_from_ops

FORMAT = "jelly_patch"

SCHEMA = jelly_spark.schema(FORMAT)

EX = "http://example.org/"

XSD = "http://www.w3.org/2001/XMLSchema#"

SAMPLE = list(
    rows_from_ops(
        [
            ["H", "id", "<urn:uuid:1>"],
            ["H", "prev", '"none"'],
            ["TX"],
            ["PA", "ex", f"<{EX}>"],
            ["A", f"<{EX}s>", f"<{EX}p>", '"chat"@fr', f"<{EX}g>"],
            ["A", f"<{EX}s>", f"<{EX}p>", f'"1"^^<{XSD}integer>', f"<{EX}g>"],
            ["A", f"<<( <{EX}s> <{EX}p> _:b )>>", f"<{EX}q>", '"line\\nbreak é"'],
            ["TC"],
            ["END"],
            ["H", "id", "<urn:uuid:2>"],
            ["TX"],
            ["D", f"<{EX}s>", f"<{EX}p>", '"chat"@fr', f"<{EX}g>"],
            ["PD", "ex"],
            ["TA"],
            ["END"],
        ]
    )
)
"""Two patches, with every code and every kind of term."""


def adds(count: int, first: int = 0) -> list[PatchRow]:
    """A patch of so many quads, each with a subject of its own."""
    ops = (["A", f"<{EX}s{first + i}>", f"<{EX}p>", f'"{first + i}"'] for i in range(count))
    return list(rows_from_ops(ops))


def encoded(rows: Iterable[PatchRow], options: JellyPatchOptions = JellyPatchOptions()) -> bytes:
    """What the Python codec writes."""
    return PythonCodec().encode(rows, options)


def write_file(path: Path, rows: Iterable[PatchRow]) -> Path:
    """Write a file with the Python codec, and the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encoded(rows))
    return path


def read(spark: SparkSession, *paths: Path | str, **options: Any) -> DataFrame:
    """The files as a DataFrame."""
    return spark.read.format(FORMAT).options(**options).load([str(path) for path in paths])


def rows_of(frame: DataFrame) -> list[PatchRow]:
    """The rows of a DataFrame with all columns, in their order."""
    return [PatchRow(*row) for row in frame.collect()]


def frame_of(
    spark: SparkSession, rows: Iterable[PatchRow], schema: str | StructType = SCHEMA
) -> DataFrame:
    """The rows as a DataFrame of one partition."""
    return spark.createDataFrame([tuple(row) for row in rows], schema).coalesce(1)


def save(frame: DataFrame, folder: Path, mode: str = "error", **options: Any) -> None:
    """Write the DataFrame to a folder."""
    frame.write.format(FORMAT).mode(mode).options(**options).save(str(folder))


def data_files(folder: Path) -> list[Path]:
    """The files of data below a folder, as Spark sees them."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        folder / path for path in files if all(part[0] not in "._" for part in path.parts)
    )


def only_file(folder: Path) -> Path:
    """The one file of data below a folder."""
    (path,) = data_files(folder)
    return path


@contextmanager
def fails(*parts: str) -> Iterator[None]:
    """Expect an error of Spark's, of the driver or of a task, whose text has all the parts."""
    with pytest.raises((PySparkException, Py4JJavaError)) as caught:
        yield
    text = str(caught.value)
    for part in parts:
        assert part in text


_REFUSAL = re.compile(r"UnwritableRowException: (.+); in row (\{.*\})$", re.MULTILINE)


@dataclass
class Refusal:
    """Why a row was not written, and the row: known when the block of `refuses` has ended."""

    rule: str = ""
    row: dict[str, Any] = field(default_factory=dict)


@contextmanager
def refuses(*parts: str) -> Iterator[Refusal]:
    """Expect a write to fail because of one row, for a rule whose text has all the parts."""
    refusal = Refusal()
    with pytest.raises((PySparkException, Py4JJavaError)) as caught:
        yield refusal
    found = _REFUSAL.search(str(caught.value))
    assert found, caught.value
    refusal.rule, refusal.row = found[1], json.loads(found[2])
    for part in parts:
        # Not in the whole message: that holds the row's values and the names of its columns.
        assert part in refusal.rule
