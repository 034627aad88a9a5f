"""Files that Spark reads for commands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from jelly_spark._format_options import reader_strings
from jelly_spark.cli.arguments.files import STANDARD, Source
from jelly_spark.cli.spark.session import job_errors, session
from jelly_spark.core.files.paths import is_url
from jelly_spark.patches import PrefixKey

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def check_name(name: str) -> None:
    """Check that Spark can use the name of a file.

    Raises:
        UsageError: it cannot.
    """
    if name == STANDARD:
        raise click.UsageError("--spark reads and writes files, not standard input or output")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise click.UsageError(
            f"{name!r} is not UTF-8: Spark cannot open a file with such a name"
        ) from None


def check_source(source: Source) -> None:
    """Check that Spark can read a file.

    Raises:
        OSError: it cannot be read.
        UsageError: Spark cannot read such files.
    """
    check_name(source.name)
    if not is_url(source.name):
        # Spark says of a file that it cannot read, or ignores, less than the system does.
        with open(source.name, "rb"):
            pass
        if os.path.basename(os.path.abspath(source.name)).startswith((".", "_")):
            raise click.UsageError(
                f"{source.name}: Spark ignores files whose names begin with . or _"
            )


def load(spark: SparkSession, source: Source, options: Mapping[str, str]) -> DataFrame:
    """Return the rows of a file, with options of Spark's reader."""
    path = source.name if is_url(source.name) else os.path.abspath(source.name)
    # Spark takes a path as a glob.
    escaped = re.sub(r"[\\*?{}\[\]]", r"\\\g<0>", path)
    return spark.read.format(source.format.name).options(**options).load(escaped)


@contextmanager
def loaded_state(
    source: Source, conf: Sequence[str]
) -> Iterator[tuple[SparkSession, DataFrame, dict[PrefixKey, str]]]:
    """Start Spark, and return the session, the statements of a file, and its prefixes.

    Args:
        source: the file.
        conf: settings of Spark, `KEY=VALUE`.

    Raises:
        JellySparkError: as in `session`, or the file is malformed.
        OSError: the file cannot be read.
        UsageError: Spark cannot read such files.
    """
    check_source(source)
    options = reader_strings(source.arguments(namespaces=True))
    with session(conf) as spark, job_errors(source.title):
        rows = load(spark, source, options)
        prefixes: dict[PrefixKey, str] = {}
        if "name" in rows.columns:
            found = rows.where("name IS NOT NULL").select("name", "value").collect()
            prefixes = {(None, name): value for name, value in found}
        yield spark, rows, prefixes
