"""Reading the files of a folder as a stream.

An offset of the stream lists the files that were read: their paths, and when they were modified. So
a file is read once, whatever its time and name, also if it is removed and put back. Spark keeps the
offset in the checkpoint for each batch, and its size grows with the number of files that were read.

Before Spark 4.2, a restarted query learns which files were read only with its first batch: a file
that is put back before that is read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from jelly_spark.core.format import Format
from jelly_spark.core.options import check_size, parse_size
from jelly_spark.datasource.listing import DataFile, data_files
from jelly_spark.datasource.options import refuse
from jelly_spark.datasource.reading import FileTask
from jelly_spark.datasource.splits import plan
from jelly_spark.errors import OptionError
from jelly_spark.formats import find_read

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
    _HAS_LIMITS = False

    class _AvailableNow:  # type: ignore[no-redef]
        """Stands for what Spark has from 4.2 on."""


_MOST_FILES = 2**31 - 1
_NO_SUPPORT = ("maxBytesPerTrigger", "latestFirst", "cleanSource")


class StreamReader(_AvailableNow, DataSourceStreamReader):
    """Reads files as a stream; see `FileTask` for the arguments.

    Options and the schema are checked when Spark first uses the reader, and then raise an
    `OptionError`. PySpark would hide an error of `__init__` behind one of its own.
    """

    def __init__(self, format: Format, options: Mapping[str, str], schema: StructType) -> None:
        self._name = format.name
        self._options = dict(options)
        self._schema = schema
        self._checked = False
        # The files that earlier batches read, as far as this reader was told.
        self._known: dict[str, int] = {}
        # The last files of a query that reads what is there and ends (Trigger.AvailableNow).
        self._target: dict[str, DataFile] | None = None

    def initialOffset(self) -> dict[str, int]:
        """Return the offset before all files."""
        return {}

    def getDefaultReadLimit(self) -> Any:
        """Return the limit of a batch (Spark 4.2 and later)."""
        most = _most_files(self._options)
        return ReadAllAvailable() if most is None else ReadMaxFiles(most)

    def prepareForTriggerAvailableNow(self) -> None:
        """Remember the files that are there now: the query reads no others."""
        self._target = self._found()

    # Before Spark 4.2, it is called without arguments.
    def latestOffset(
        self,
        start: dict[str, int] | None = None,
        limit: Any = None,
    ) -> dict[str, int]:
        """Return the offset of the next batch: all files, or some of them if there is a limit.

        It has all files of the offset `start`, also those that are not there any more.
        """
        self._known.update(start or {})
        found = self._found() if self._target is None else self._target
        new = sorted(
            found.keys() - self._known.keys(), key=lambda path: (found[path].modified, path)
        )
        most = getattr(limit, "max_files", None)
        return {**self._known, **{path: found[path].modified for path in new[:most]}}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """Return what the tasks of a batch read.

        Raises:
            OptionError: a file of the batch is not there any more.
        """
        self._known.update(start)
        files = self._found()
        new = sorted(end.keys() - self._known.keys())
        for path in new:
            if path not in files:
                raise OptionError(f"a file of the stream was removed before it was read: {path}")
        return plan(find_read(self._name), [files[path] for path in new])

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the batches of a partition."""
        return self._task().read(partition)

    def _task(self) -> FileTask:
        return FileTask(find_read(self._name), self._options, self._schema)

    def _found(self) -> dict[str, DataFile]:
        """Return the files that are there; the first time, check the options and the schema."""
        files = data_files(self._options, empty_globs=True, beside_partitions=False)
        if not self._checked:
            refuse(self._options, _NO_SUPPORT)
            _most_files(self._options)
            self._task().check(files)
            self._checked = True
        return {file.path: file for file in files}


def _most_files(options: Mapping[str, str]) -> int | None:
    values = {name.lower(): text for name, text in options.items()}
    text = values.get("maxfilespertrigger")
    if text is None:
        return None
    size = parse_size(text.strip())
    check_size("maxFilesPerTrigger", size, 1, _MOST_FILES)
    if not _HAS_LIMITS:
        raise OptionError("option maxFilesPerTrigger needs Spark 4.2 or jelly-spark.jar")
    return int(size)
