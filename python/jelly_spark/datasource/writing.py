"""Writing files: what a task writes, and what the driver does at the end of a job.

Tasks write below `_temporary` in the target, which readers do not see. When all have ended, the
driver moves their files into place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pyspark import TaskContext
from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    WriterCommitMessage,
)
from pyspark.sql.types import StructType

from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.files.managed_logs import check_write
from jelly_spark.core.files.storage import find_storage
from jelly_spark.core.format import WrittenFormat
from jelly_spark.core.rows import AnyRow
from jelly_spark.datasource.options import write_settings, writes_into_log
from jelly_spark.datasource.paths import FoundFile, absolute, files_at
from jelly_spark.datasource.row_schema import check_written
from jelly_spark.datasource.sink_log import last_batch, log_batch
from jelly_spark.errors import OptionError
from jelly_spark.formats import find_written

if TYPE_CHECKING:
    import pyarrow as pa

try:
    from pyspark.sql.datasource import DataSourceStreamArrowWriter as _StreamWriter

    _GETS_ROWS = False
except ImportError:  # Spark 4.0
    from pyspark.sql.datasource import (  # type: ignore[assignment]
        DataSourceStreamWriter as _StreamWriter,
    )

    _GETS_ROWS = True

_TEMPORARY = "_temporary"
_SUCCESS = "_SUCCESS"


@dataclass(frozen=True)
class TaskFiles(WriterCommitMessage):
    """The files of a task.

    Attributes:
        files: their paths below `_temporary`, and their names in the target.
    """

    files: tuple[tuple[str, str], ...]


class FileOutput:
    """Writes the files of a job; what batches and streams share.

    Args:
        format: the format of the files.
        options: the options of the write; `path` is the folder.
        schema: the schema of the rows.
        is_overwrite: whether the job replaces what is in the folder.

    Raises:
        LogError: the write would damage a managed log.
        OptionError: an option or the schema is not valid, or the path is a file.
    """

    def __init__(
        self,
        format: WrittenFormat,
        options: Mapping[str, str],
        schema: StructType,
        *,
        is_overwrite: bool = False,
    ) -> None:
        self._codec, self._extension = write_settings(format, options)
        check_written(format, schema, namespaces=getattr(self._codec, "namespaces", False))
        if "path" not in options:
            raise OptionError("there is no path: give one to save()")
        folder = absolute(options["path"])
        if not writes_into_log(options):
            check_write(folder, "the option writeIntoLog=true", is_overwrite=is_overwrite)
        self.storage, self.folder = find_storage(folder)
        if self.storage.exists(self.folder) and not self.storage.is_folder(self.folder):
            raise OptionError(f"the path is a file, not a folder: {folder}")
        self._made_folder = not self.storage.exists(self.folder)
        self._format = format.name
        self.job = str(uuid4())

    def write(self, rows: Iterator[AnyRow], id: str) -> TaskFiles:
        """Write the rows of a task to one file.

        As in Spark's own file sources, only the first task writes a file that has no rows.

        Args:
            rows: the rows.
            id: a part of the file's name, by which it differs from those of other jobs.

        Raises:
            UnwritableRowError: a row breaks a rule of the format.
        """
        context = TaskContext.get()
        number, attempt = (
            (0, 0) if context is None else (context.partitionId(), context.taskAttemptId())
        )
        first = next(rows, None)
        if first is None and number > 0:
            return TaskFiles(())
        name = f"part-{number:05}-{id}-c000{self._extension}"
        temporary = f"{self._jobs()}/{self.job}/{attempt}-{name}"
        self.storage.make_folder(f"{self._jobs()}/{self.job}")
        stream = self.storage.create(temporary)
        try:
            compression = compression_of(name)
            sink: Any = stream if compression is None else compression.compress(stream)
            with find_written(self._format).writer(sink, self._codec) as writer:
                if first is not None:
                    writer.write(first)
                    writer.write_all(rows)
            if compression is not None:
                sink.close()
            stream.close()
        except BaseException:
            with suppress(Exception):
                stream.close()
            self.storage.remove(temporary)
            raise
        return TaskFiles(((temporary, name),))

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> list[FoundFile]:
        """Move the files of all tasks into place, and return them."""
        moved: list[FoundFile] = []
        for message in messages:
            if isinstance(message, TaskFiles):
                for temporary, name in message.files:
                    target = f"{self.folder}/{name}"
                    self.storage.move(temporary, target)
                    moved += files_at(self.storage, target)
        self.discard(messages)
        return moved

    def clear(self) -> None:
        """Remove all that is in the folder but the files of jobs that run."""
        for name in self.storage.names(self.folder):
            if name != _TEMPORARY:
                self.storage.remove(f"{self.folder}/{name}")

    def succeed(self) -> None:
        """Leave the empty file by which Hadoop's jobs say that they have ended."""
        self.storage.replace(f"{self.folder}/{_SUCCESS}", b"")

    def discard(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Remove what the job made and is not in place, also the folder if it is empty."""
        # In a stream, Spark commits with another instance than the one that tasks write with.
        for message in messages:
            if isinstance(message, TaskFiles):
                for temporary, _ in message.files:
                    self.storage.remove(temporary)
                    self.storage.remove_empty(temporary.rpartition("/")[0])
        self.storage.remove(f"{self._jobs()}/{self.job}")
        self.storage.remove_empty(self._jobs())
        if self._made_folder:
            self.storage.remove_empty(self.folder)

    def _jobs(self) -> str:
        return f"{self.folder}/{_TEMPORARY}"


def _rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[AnyRow]:
    # Not at the top: the module needs pyarrow, and Spark looks up data sources without it.
    from jelly_spark.datasource.column_batches import written_rows

    for batch in batches:
        yield from written_rows(batch)


class BatchWriter(DataSourceArrowWriter):
    """Writes a batch of rows to a folder; see `FileOutput` for the other arguments.

    Args:
        overwrite: whether to replace what is in the folder.
    """

    def __init__(
        self,
        format: WrittenFormat,
        options: Mapping[str, str],
        schema: StructType,
        overwrite: bool,
    ) -> None:
        self._output = FileOutput(format, options, schema, is_overwrite=overwrite)
        self._overwrite = overwrite

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Write the rows of a task."""
        return self._output.write(_rows_of(iterator), self._output.job)

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Replace what was there, if asked to, and move the new files into place."""
        if self._overwrite:
            self._output.clear()
        self._output.commit(messages)
        self._output.succeed()

    def abort(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Remove what the tasks wrote."""
        self._output.discard(messages)


class StreamWriter(_StreamWriter):
    """Writes the batches of a stream to a folder; see `FileOutput` for the arguments.

    The files of a batch can be read when the batch is in the log of the folder (see `sink_log`). A
    batch that is already there, because the query was restarted, is not written again.
    """

    def __init__(
        self, format: WrittenFormat, options: Mapping[str, str], schema: StructType
    ) -> None:
        self._output = FileOutput(format, options, schema)
        self._schema = schema

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Write the rows of a task in a batch."""
        if _GETS_ROWS:
            from jelly_spark.datasource.column_batches import batches_of

            iterator = batches_of(iterator, self._schema)
        # Other than the writer, this id is new for each batch.
        return self._output.write(_rows_of(iterator), str(uuid4()))

    def commit(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:
        """Move the files of a batch into place, and add it to the log, unless it is there."""
        output = self._output
        if batchId <= last_batch(output.storage, output.folder):
            output.discard(messages)
        else:
            log_batch(output.storage, output.folder, batchId, output.commit(messages))

    def abort(self, messages: Sequence[WriterCommitMessage | None], batchId: int) -> None:
        """Remove what the tasks wrote."""
        self._output.discard(messages)
