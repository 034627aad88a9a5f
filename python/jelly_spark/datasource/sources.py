"""The data sources, one class for each format. Spark pickles the classes by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    DataSourceWriter,
)
from pyspark.sql.types import StructType

from jelly_spark.core.columns.arrow_batches import import_pyarrow
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.datasource.reading import BatchReader, read_schema
from jelly_spark.datasource.streaming import StreamReader
from jelly_spark.datasource.writing import BatchWriter, StreamWriter
from jelly_spark.errors import OptionError
from jelly_spark.formats import find_read, find_written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class FileSource(DataSource):
    """A data source for the files of a format, in plain Python.

    Spark uses it in sessions without jelly-spark.jar, and for `rdf` in sessions without
    jelly-spark-jena.jar or without Jena. The columns, options and bytes are those of the data
    source in the jar.
    """

    format: ClassVar[str]
    """The short name of the format."""

    @classmethod
    def name(cls) -> str:
        """Return the name of the data source, which is that of the format."""
        return cls.format

    def schema(self) -> StructType:
        """Return the columns of the format, and those of partitions."""
        return read_schema(self._read(), self.options)

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return a reader of the files."""
        return BatchReader(self._read(), self.options, schema)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        """Return a writer to the folder."""
        return BatchWriter(self._write(), self.options, schema, overwrite)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """Return a reader of the files as a stream."""
        return StreamReader(self._read(), self.options, schema)

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:
        """Return a writer of a stream to the folder."""
        if overwrite:
            raise OptionError("a stream of files can only be written in output mode append")
        return StreamWriter(self._write(), self.options, schema)

    def _read(self) -> Format:
        import_pyarrow()
        return find_read(self.format)

    def _write(self) -> WrittenFormat:
        import_pyarrow()
        found = find_written(self.format)
        if found.by_jena:
            raise OptionError(
                f"{self.format} can be read, not written, by Spark: write ntriples or nquads, of "
                "which jelly-spark convert makes Turtle or TriG"
            )
        return found


def _source(name: str, format: str) -> type[FileSource]:
    """Return the data source of a format, which Spark pickles by the name of its class here."""
    doc = f"The data source `{format}`."
    return type(name, (FileSource,), {"__doc__": doc, "__module__": __name__, "format": format})


JellyPatchSource = _source("JellyPatchSource", "jelly_patch")
JellyRdfSource = _source("JellyRdfSource", "jelly_rdf")
RdfPatchSource = _source("RdfPatchSource", "rdf_patch")
RdfPatchThriftSource = _source("RdfPatchThriftSource", "rdf_patch_thrift")
NTriplesSource = _source("NTriplesSource", "ntriples")
NQuadsSource = _source("NQuadsSource", "nquads")
RdfSource = _source("RdfSource", "rdf")
SparqlUpdateSource = _source("SparqlUpdateSource", "sparql_update")

SOURCES: tuple[type[FileSource], ...] = tuple(FileSource.__subclasses__())
"""All data sources."""


def register(spark: SparkSession) -> None:
    """Register the data sources in a session.

    Spark finds them by itself where the package is installed beside PySpark. Register them where it
    is not, such as in a session that got the package with `--py-files`. In a session with
    jelly-spark.jar, they stay unused.

    Args:
        spark: the session, also one of Spark Connect.
    """
    for source in SOURCES:
        spark.dataSource.register(source)
