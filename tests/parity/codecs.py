"""The two codecs, with one face."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from pyspark.sql import SparkSession

from jelly_spark import bridge
from jelly_spark.codec import PatchOptions, PatchRow, PatchWriter, read_patch


class Codec(Protocol):
    """Rows to bytes and bytes to rows."""

    name: str

    def write(self, rows: Iterable[PatchRow], options: PatchOptions, path: Path) -> None: ...

    def encode(self, rows: Iterable[PatchRow], options: PatchOptions) -> bytes:
        """What `write` writes."""
        with TemporaryDirectory() as folder:
            self.write(rows, options, Path(folder, "patch"))
            return Path(folder, "patch").read_bytes()

    def decode(self, path: Path, *, strict: bool = False) -> list[PatchRow]: ...


class PythonCodec(Codec):
    """The pure-Python codec."""

    name = "python"

    def write(self, rows: Iterable[PatchRow], options: PatchOptions, path: Path) -> None:
        with PatchWriter(path, options) as writer:
            for row in rows:
                writer.write(row)

    def decode(self, path: Path, *, strict: bool = False) -> list[PatchRow]:
        return list(read_patch(path, strict=strict))


class JvmCodec(Codec):
    """The JVM's codec, through the bridge."""

    name = "jvm"

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def write(self, rows: Iterable[PatchRow], options: PatchOptions, path: Path) -> None:
        path.write_bytes(bridge.encode(rows, options, spark=self._spark))

    def decode(self, path: Path, *, strict: bool = False) -> list[PatchRow]:
        return list(bridge.decode(path, strict=strict, spark=self._spark))
