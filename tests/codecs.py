"""The codecs, with one interface for all formats. Importing this module needs no PySpark."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from jelly_spark.core.options import WriteOptions
from jelly_spark.core.rows import AnyRow
from jelly_spark.formats import FORMATS, find_read, find_written
from tests import bridge

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Codec(Protocol):
    """Rows to bytes and bytes to rows."""

    name: str

    def has(self, format: str) -> bool:
        """Whether it reads a format."""
        return True

    def write(self, rows: Iterable[AnyRow], options: WriteOptions, path: Path) -> None:
        """Write a file; the options' class says in what format."""

    def encode(self, rows: Iterable[AnyRow], options: WriteOptions) -> bytes:
        """What `write` writes."""

    def decode(
        self, source: Path | bytes, format: str = "jelly_patch", **options: Any
    ) -> list[Any]:
        """The rows of a file; the options are those of the format's Python reader."""


class PythonCodec(Codec):
    """The pure-Python codec."""

    name = "python"

    def write(self, rows: Iterable[AnyRow], options: WriteOptions, path: Path) -> None:
        self._write(rows, options, path)

    def encode(self, rows: Iterable[AnyRow], options: WriteOptions) -> bytes:
        out = BytesIO()
        self._write(rows, options, out)
        return out.getvalue()

    def decode(
        self, source: Path | bytes, format: str = "jelly_patch", **options: Any
    ) -> list[Any]:
        file = BytesIO(source) if isinstance(source, bytes) else source
        return list(find_read(format).reader(file, **options))

    def _write(self, rows: Iterable[AnyRow], options: WriteOptions, file: Path | BytesIO) -> None:
        with find_written(options.format).writer(file, options) as writer:
            for row in rows:
                writer.write(row)


class JvmCodec(Codec):
    """The JVM's codec, through the bridge."""

    name = "jvm"

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def has(self, format: str) -> bool:
        return format in FORMATS

    def write(self, rows: Iterable[AnyRow], options: WriteOptions, path: Path) -> None:
        path.write_bytes(self.encode(rows, options))

    def encode(self, rows: Iterable[AnyRow], options: WriteOptions) -> bytes:
        return bridge.encode(rows, options=options, spark=self._spark)

    def decode(
        self, source: Path | bytes, format: str = "jelly_patch", **options: Any
    ) -> list[Any]:
        return list(bridge.decode(source, format=format, spark=self._spark, **options))


class JellyJvmCodec(JvmCodec):
    """Jelly-JVM, the engine of the second jar, through the bridge. It has no strict reading."""

    name = "jelly-jvm"

    def has(self, format: str) -> bool:
        return format == "jelly_rdf"

    def encode(self, rows: Iterable[AnyRow], options: WriteOptions) -> bytes:
        return bridge.encode(rows, options=options, engine=self.name, spark=self._spark)

    def decode(
        self, source: Path | bytes, format: str = "jelly_patch", **options: Any
    ) -> list[Any]:
        options.pop("strict", None)
        rows = bridge.decode(source, format=format, engine=self.name, spark=self._spark, **options)
        return list(rows)
