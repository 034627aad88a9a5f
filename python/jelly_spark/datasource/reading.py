"""Reading files as a batch: what the driver plans, and what a task reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from jelly_spark.core.format import Format
from jelly_spark.datasource.listing import DataFile, data_files
from jelly_spark.datasource.malformed_rows import items_of
from jelly_spark.datasource.options import read_settings
from jelly_spark.datasource.partition_columns import columns_of, value_of
from jelly_spark.datasource.row_schema import check_read, schema_of
from jelly_spark.datasource.splits import FilesPartition, plan
from jelly_spark.formats import find_read

if TYPE_CHECKING:
    import pyarrow as pa


def read_schema(format: Format, options: Mapping[str, str]) -> StructType:
    """Return the schema of a read: the columns of the format, then those of partitions.

    As in Spark, a column of partitions replaces one of the format with the same name.

    Raises:
        OptionError: an option is not valid, or a path does not exist.
    """
    own = schema_of(format, read_settings(format, options))
    # A glob of a stream can match nothing. If it is one of a batch, the reader raises an error.
    files = data_files(options, empty_globs=True)
    found = {field.name.lower(): field for field in columns_of(files)}
    fields = [found.pop(field.name.lower(), field) for field in own]
    return StructType([*fields, *found.values()])


class FileTask:
    """Reads partitions: what tasks share in batches and streams.

    Args:
        format: the format of the files.
        options: the options of the read.
        schema: the schema of the rows.

    Raises:
        OptionError: an option is not valid.
    """

    def __init__(self, format: Format, options: Mapping[str, str], schema: StructType) -> None:
        # By name, because formats hold functions, which would be pickled for each task.
        self._format = format.name
        self._settings = read_settings(format, options)
        self._schema = schema

    def check(self, files: list[DataFile]) -> None:
        """Check the schema.

        Raises:
            OptionError: the schema is not valid.
        """
        partitions: list[str] = columns_of(files).names
        check_read(find_read(self._format), self._settings, self._schema, partitions)

    def _values_of(self, file: DataFile) -> dict[str, Any]:
        """Return the values of the columns of partitions of a file, by name in lower case."""
        fields = {field.name.lower(): field for field in self._schema}
        return {
            name.lower(): value_of(text, fields[name.lower()])
            for name, text in file.values
            if name.lower() in fields
        }

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the batches of a partition.

        Raises:
            MalformedInputError: the input is malformed; see `items_of`.
        """
        # Not at the top: the module needs pyarrow, and Spark looks up data sources without it.
        from jelly_spark.datasource.column_batches import BatchMaker

        if not isinstance(partition, FilesPartition):
            return  # Spark's stand-in for no partitions
        format = find_read(self._format)
        maker = BatchMaker(format, self._schema, self._settings.corrupt_column)
        for part in partition.parts:
            items = items_of(format, self._settings, part)
            yield from maker.batches(items, self._values_of(part.file))


class BatchReader(DataSourceReader):
    """Reads files as a batch; see `FileTask` for the arguments.

    It has no `pushFilters`: Spark would keep the reader with the conditions of the first query, and
    use it for all later queries of the same DataFrame.

    Raises:
        OptionError: an option or the schema is not valid, or a path does not exist.
    """

    def __init__(self, format: Format, options: Mapping[str, str], schema: StructType) -> None:
        self._task = FileTask(format, options, schema)
        self._name = format.name
        self._files = data_files(options)
        self._task.check(self._files)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the files: a task gets its own with its partition."""
        return {**self.__dict__, "_files": []}

    def partitions(self) -> list[InputPartition]:
        """Return what each task reads."""
        return plan(find_read(self._name), self._files)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the batches of a partition."""
        return self._task.read(partition)
