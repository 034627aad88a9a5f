"""The two codecs, with one face."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from pyspark.sql import SparkSession

from jelly_spark import bridge
from jelly_spark.codec import PatchOptions, PatchRow, PatchWriter, read_patch


class Codec(Protocol):
    """Rows to bytes and bytes to rows."""

    name: str

    def encode(self, rows: Iterable[PatchRow], options: PatchOptions) -> bytes: ...

    def decode(self, path: Path, *, strict: bool = False) -> list[PatchRow]: ...


class PythonCodec:
    """The pure-Python codec."""

    name = "python"

    def encode(self, rows: Iterable[PatchRow], options: PatchOptions) -> bytes:
        out = io.BytesIO()
        with PatchWriter(out, options) as writer:
            for row in rows:
                writer.write(row)
        return out.getvalue()

    def decode(self, path: Path, *, strict: bool = False) -> list[PatchRow]:
        return list(read_patch(path, strict=strict))


class JvmCodec:
    """The JVM's codec, through the bridge."""

    name = "jvm"

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def encode(self, rows: Iterable[PatchRow], options: PatchOptions) -> bytes:
        return bridge.encode(rows, options, spark=self._spark)

    def decode(self, path: Path, *, strict: bool = False) -> list[PatchRow]:
        return list(bridge.decode(path, strict=strict, spark=self._spark))
