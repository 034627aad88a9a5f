"""The two codecs, with one face."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Protocol

from pyspark.sql import SparkSession

from jelly_spark import bridge
from jelly_spark.codec import RdfOptions, RdfRow, RdfWriter, read_rdf


class Codec(Protocol):
    """Rows of Jelly-RDF to bytes and bytes to rows."""

    name: str

    def encode(self, rows: Iterable[RdfRow], options: RdfOptions) -> bytes: ...

    def decode(self, source: Path | bytes, *, strict: bool = False) -> list[RdfRow]:
        """The rows, those of namespace declarations included."""
        ...


class PythonCodec(Codec):
    """The pure-Python codec."""

    name = "python"

    def encode(self, rows: Iterable[RdfRow], options: RdfOptions) -> bytes:
        out = BytesIO()
        with RdfWriter(out, options) as writer:
            for row in rows:
                writer.write(row)
        return out.getvalue()

    def decode(self, source: Path | bytes, *, strict: bool = False) -> list[RdfRow]:
        file = BytesIO(source) if isinstance(source, bytes) else source
        return list(read_rdf(file, namespaces=True, strict=strict))


class JvmCodec(Codec):
    """The JVM's codec, through the bridge."""

    name = "jvm"

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def encode(self, rows: Iterable[RdfRow], options: RdfOptions) -> bytes:
        return bridge.encode(rows, options, spark=self._spark)

    def decode(self, source: Path | bytes, *, strict: bool = False) -> list[RdfRow]:
        return list(
            bridge.decode(source, "jelly_rdf", namespaces=True, strict=strict, spark=self._spark)
        )
