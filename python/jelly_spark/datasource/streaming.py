"""Reading the files of a folder as a stream.

An offset of the stream lists the files that were read: their paths, and when they were modified. So
a file is read once, whatever its time and name. Spark keeps the offset in the checkpoint for each
batch, and its size grows with the number of files in the folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from jelly_spark.core.format import Format
from jelly_spark.core.options import check_size, parse_size
from jelly_spark.datasource.filters import Conditions
from jelly_spark.datasource.listing import data_files
from jelly_spark.datasource.reading import FileTask
from jelly_spark.datasource.splits import plan
from jelly_spark.errors import OptionError
from jelly_spark.formats import find_format

if TYPE_CHECKING:
    import pyarrow as pa

try:
    from pyspark.sql.streaming.datasource import (
        ReadAllAvailable,
        ReadMaxFiles,
    )
    from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow as _AvailableNow

    _HAS_LIMITS = True
except ImportError:  # before Spark 4.2
    _AvailableNow = object  # type: ignore[assignment,misc]
    _HAS_LIMITS = False

_MOST_FILES = 2**31 - 1
_NO_SUPPORT = ("maxBytesPerTrigger", "latestFirst", "cleanSource")


class StreamReader(_AvailableNow, DataSourceStreamReader):
    """Reads files as a stream; see `FileTask` for the arguments.

    Raises:
        OptionError: an option or the schema is not valid, or is one that needs the jar.
    """

    def __init__(self, format: Format, options: Mapping[str, str], schema: StructType) -> None:
        values = {name.lower(): text for name, text in options.items()}
        for name in _NO_SUPPORT:
            if name.lower() in values:
                raise OptionError(f"option {name} needs jelly-spark.jar")
        self._most_files = _most_files(values)
        self._task = FileTask(format, options, schema)
        self._name = format.name
        self._options = dict(options)
        self._task.check(data_files(options))
        # The last files of a query that reads what is there and ends (Trigger.AvailableNow).
        self._target: dict[str, int] | None = None

    def initialOffset(self) -> dict[str, int]:
        """Return the offset before all files."""
        return {}

    def getDefaultReadLimit(self) -> Any:
        """Return the limit of a batch (Spark 4.2 and later)."""
        return ReadAllAvailable() if self._most_files is None else ReadMaxFiles(self._most_files)

    def prepareForTriggerAvailableNow(self) -> None:
        """Remember the files that are there now: the query reads no others."""
        self._target = self._found()

    # Before Spark 4.2, it is called without arguments.
    def latestOffset(
        self,
        start: dict[str, int] | None = None,
        limit: Any = None,
    ) -> dict[str, int]:
        """Return the offset of the next batch: all files, or some of them if there is a limit."""
        found = self._found() if self._target is None else self._target
        most = getattr(limit, "max_files", None)
        if start is None or most is None:
            return found
        new = sorted(found.keys() - start.keys(), key=lambda path: (found[path], path))
        chosen = {*new[:most], *start.keys()}
        return {path: modified for path, modified in found.items() if path in chosen}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """Return what the tasks of a batch read.

        Raises:
            OptionError: a file of the batch is not there any more.
        """
        files = {file.path: file for file in data_files(self._options)}
        new = sorted(end.keys() - start.keys())
        for path in new:
            if path not in files:
                raise OptionError(f"a file of the stream was removed before it was read: {path}")
        return plan(find_format(self._name), [files[path] for path in new])

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the batches of a partition."""
        return self._task.read(partition, Conditions())

    def _found(self) -> dict[str, int]:
        return {file.path: file.modified for file in data_files(self._options)}


def _most_files(values: Mapping[str, str]) -> int | None:
    text = values.get("maxfilespertrigger")
    if text is None:
        return None
    size = parse_size(text.strip())
    check_size("max_files_per_trigger", size, 1, _MOST_FILES)
    if not _HAS_LIMITS:
        raise OptionError("option maxFilesPerTrigger needs Spark 4.2 or jelly-spark.jar")
    return int(size)
