"""`jelly-spark convert --spark`: one task that writes a file, or several that write a folder."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import (
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column
from rich.text import Text

from jelly_spark.cli.arguments.files import Source, Target
from jelly_spark.cli.spark.loading import check_name, check_source, load
from jelly_spark.cli.spark.session import job_errors, session
from jelly_spark.cli.terminal.progress import shows_progress
from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.files.output_file import check_target, is_replaced
from jelly_spark.core.files.paths import is_url

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# So that one task reads the whole file, and nothing is read twice.
_ONE_SPLIT = {
    "spark.sql.files.maxPartitionBytes": str(2**62),
    "spark.sql.files.minPartitionNum": "1",
}


def is_folder(name: str) -> bool:
    """Return whether a target is a folder of files."""
    return name.endswith("/")


def convert_on_spark(
    source: Source,
    target: Target,
    read_options: Mapping[str, str],
    conf: Sequence[str],
) -> int:
    """Convert a file with Spark, and return the number of rows.

    The rows of a file keep their order. A folder gets several files, whose rows are in order if the
    files are read in the order of their names. No patch is divided between two of them.

    Raises:
        JellySparkError: as `codec.read` and `codec.write`; or Spark cannot be used.
        OSError: the source cannot be read, or the target cannot be written.
        UsageError: Spark cannot use such a source or target.
    """
    _check(source, target)
    name = target.name.rstrip("/")
    if is_url(name):
        # Spark's commit protocol leaves nothing after an error.
        with session(conf) as spark, job_errors(source.title):
            rows = _by_patch(load(spark, source, read_options), source)
            with _shown(spark, source.title, name):
                return _write(rows, target, name, mode="error")
    with _folder_beside(name) as folder:
        with session(conf) as spark, job_errors(source.title):
            if is_folder(target.name):
                rows = _by_patch(load(spark, source, read_options), source)
            else:
                for key, value in _ONE_SPLIT.items():
                    spark.conf.set(key, value)
                rows = load(spark, source, read_options).coalesce(1)
            with _shown(spark, source.title, str(folder)):
                # The folder exists already.
                count = _write(rows, target, str(folder), mode="append")
        if is_folder(target.name):
            os.replace(folder, os.path.realpath(name))
        else:
            (written,) = folder.glob("part-*")
            _replace(written, name)
    return count


def _check(source: Source, target: Target) -> None:
    check_source(source)
    check_name(target.name)
    if is_folder(target.name):
        if not is_url(target.name) and os.path.lexists(target.name.rstrip("/")):
            raise click.UsageError(f"{target.name} exists: write to a new folder")
    elif is_url(target.name):
        raise click.UsageError(f"{target.name}: --spark writes to a URL only as a folder, OUT/")
    if not is_url(target.name):
        check_target(target.name.rstrip("/"))
    if not is_folder(target.name) and not is_replaced(target.name):
        raise click.UsageError(f"{target.name} is not a regular file")


def _by_patch(rows: DataFrame, source: Source) -> DataFrame:
    """Return the rows in their order, with all rows of a patch in one partition.

    A patch in two files would be two patches, and a transaction could not be in both.
    """
    if not source.has_patches:
        return rows
    return rows.repartitionByRange("patch").sortWithinPartitions("seq")


def _write(rows: DataFrame, target: Target, path: str, *, mode: str) -> int:
    from pyspark.sql import Observation
    from pyspark.sql import functions as F

    compression = compression_of(target.name.rstrip("/"))
    options = target.options.to_strings()
    if compression is not None:
        options["compression"] = compression.name
    seen = Observation()
    counted = rows.observe(seen, F.count(F.lit(1)).alias("rows"))
    writer = counted.write.format(target.format.name).options(**options)
    writer.mode(mode).save(path)
    count: int = seen.get["rows"]
    return count


@contextmanager
def _shown(spark: SparkSession, title: str, path: str) -> Iterator[None]:
    """Show how far the job is that writes to a folder, if standard error is a terminal."""
    if not shows_progress():
        yield
        return
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        _JobColumn(spark, path),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        progress.add_task(title, total=None)
        yield


class _JobColumn(ProgressColumn):
    """The tasks that the running stages of Spark have done, and the size of what they wrote."""

    max_refresh = 0.5

    def __init__(self, spark: SparkSession, path: str) -> None:
        super().__init__(Column(no_wrap=True))
        self._tracker = spark.sparkContext.statusTracker()
        self._path = path

    def render(self, task: Task) -> Text:
        """Return the text to show."""
        found = Text()
        # The last time is after the job: after Ctrl-C, the connection to the JVM may be lost.
        with suppress(Exception):
            for stage in map(self._tracker.getStageInfo, self._tracker.getActiveStageIds()):
                if stage is not None:
                    found.append(f"{stage.numCompletedTasks} of {stage.numTasks} tasks, ")
        return found.append(f"{self._size() / 1e6:,.1f} MB written")

    def _size(self) -> int:
        """Return the bytes of the files that are written so far, if they are local."""
        found = 0
        for folder, _, names in os.walk(self._path):
            for name in names:
                # Tasks rename and remove files.
                with suppress(FileNotFoundError):
                    found += os.stat(os.path.join(folder, name)).st_size
        return found


@contextmanager
def _folder_beside(name: str) -> Iterator[Path]:
    """Make a folder beside a file, on the same file system, and remove it at the end."""
    folder = Path(os.path.realpath(name)).with_name(f".{token_hex(8)}.part")
    try:
        folder.mkdir()
    except OSError as error:
        error.filename = name
        raise
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _replace(written: Path, name: str) -> None:
    """Give a file its name, and the permissions of the file that it replaces."""
    target = Path(os.path.realpath(name))
    if target.exists():
        written.chmod(stat.S_IMODE(target.stat().st_mode) & 0o777)
    os.replace(written, target)
