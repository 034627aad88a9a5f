"""The JVM's codec, called from Python through Py4J: what `parity` and the command need of it.

Data passes through files in a temporary folder, because Py4J is slow with large values. So Python
and Spark's driver must share a file system, as they do in every session but one of Spark Connect.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jelly_spark._format_options import reader_strings
from jelly_spark._version import __version__
from jelly_spark.codec import source_format_of
from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.files.input_file import InputFile
from jelly_spark.core.files.paths import FilePath, is_url
from jelly_spark.core.malformed_input import Violation
from jelly_spark.errors import (
    JarMissingError,
    JarVersionError,
    JellySparkError,
    MalformedInputError,
    NoSessionError,
    OptionError,
    SparkConnectError,
    UnwritableRowError,
)
from jelly_spark.formats import find_format
from jelly_spark.jvm import check_spark_version, find_bridge

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def decode(
    source: FilePath | bytes | bytearray | memoryview,
    *,
    format: str | None = None,
    engine: str = "native",
    spark: SparkSession | None = None,
    **options: Any,
) -> Iterator[Any]:
    """Decode a file on the JVM, and yield the same rows that `codec.read` yields.

    Args:
        source: a path, a URL, or bytes. A file whose extension is one of a compression is
            decompressed before the JVM reads it.
        format: the short name of the format; by default, it is found by the file's extension.
        engine: the name of the engine that decodes.
        spark: the session whose driver runs the codec; by default, the active session.
        options: options of the format's Python reader, such as `strict` and `limits`; all but
            `part`.

    Raises:
        MalformedInputError: the input breaks the format.
        OptionError: the format or the engine is not known, or has no such option.
        OSError: the file cannot be read.
        SessionError: the JVM's codec cannot be reached.
    """
    found = source_format_of(source, format)
    read_options = {**reader_strings(options), "engine": engine}
    bridge = find(spark)
    with tempfile.TemporaryDirectory() as folder:
        name, path = _local_source(source, folder)
        lines = Path(folder, "rows")
        call(bridge.decode, found.name, path, name, str(lines), read_options)
        with lines.open(encoding="utf-8", newline="\n") as rows:
            for line in rows:
                yield found.row(*json.loads(line))


def engines(format: str, *, spark: SparkSession | None = None) -> list[str]:
    """Return the names of a format's engines on the JVM: `native`, and those that jars add.

    Args:
        format: the short name of the format.
        spark: the session whose JVM is asked; by default, the active session.

    Raises:
        OptionError: the format is not known.
        SessionError: the JVM's codec cannot be reached.
    """
    return list(call(find(spark).engines, find_format(format).name))


def _is_plain(path: FilePath) -> bool:
    """Return whether the JVM can read and write the file itself.

    It can if the file is local and not compressed, and its path is valid UTF-8.
    """
    name = os.fsdecode(path)
    if is_url(name) or compression_of(name) is not None:
        return False
    absolute = os.path.abspath(name)
    return _in_utf8(absolute) == absolute


def _in_utf8(name: str) -> str:
    r"""Return a path with its bytes that are not UTF-8 escaped, as `\udcff`."""
    return name.encode("utf-8", "backslashreplace").decode()


def _local_source(
    source: FilePath | bytes | bytearray | memoryview, folder: str
) -> tuple[str, str]:
    """Return the file's name for error messages, and the path of its decompressed content.

    The path is absolute, because the JVM can have another working directory.

    Args:
        source: the file.
        folder: a folder for a copy of the content, if the JVM cannot read the file itself.

    Raises:
        MalformedInputError: the file is compressed, and damaged.
        OSError: the file cannot be read.
    """
    file = InputFile(source)
    try:
        if isinstance(source, (str, os.PathLike)) and _is_plain(source):
            return file.name, os.path.abspath(source)
        copy = os.path.join(folder, "source")
        with open(copy, "wb") as out:
            try:
                shutil.copyfileobj(file.stream, out)
            except Violation as violation:
                offset = out.tell()
                raise MalformedInputError(
                    file.name,
                    f"byte {offset} of the decompressed content",
                    offset,
                    None,
                    violation.expected,
                    violation.found,
                ) from None
        return _in_utf8(file.name), copy
    finally:
        file.close()


def find(spark: SparkSession | None) -> Any:
    """Return the JVM's `FormatBridge`, after checking that its version is that of this package."""
    check_spark_version()
    from pyspark.sql.utils import is_remote

    if is_remote() or (spark is not None and not hasattr(spark, "_jvm")):
        raise SparkConnectError(
            "the JVM cannot be reached through Spark Connect: use jelly_spark.codec, or the data "
            "sources, which work there"
        )
    from pyspark import SparkContext  # not in the package `pyspark-client`

    # All sessions of a process are in one JVM, which goes on when they are stopped.
    jvm = SparkContext._jvm
    if jvm is None or SparkContext._active_spark_context is None:
        raise NoSessionError(
            "no active Spark session: make one with "
            "jelly_spark.configure(SparkSession.builder).getOrCreate()"
        )
    bridge = find_bridge(jvm)
    if bridge is None:
        raise JarMissingError(
            "the session has no jelly-spark.jar: make it with "
            "jelly_spark.configure(SparkSession.builder), or spark-submit with --jars"
        )
    if bridge.version() != __version__:
        raise JarVersionError(
            f"the session's jelly-spark.jar is of version {bridge.version()}, this package of "
            f"version {__version__}"
        )
    return bridge


def call(method: Callable[..., Any], *args: Any) -> Any:
    """Call a method of the bridge, and raise its exceptions as errors of this package."""
    from py4j.java_collections import MapConverter
    from py4j.protocol import Py4JJavaError
    from pyspark.errors.exceptions.captured import CapturedException

    client = method.gateway_client  # type: ignore[attr-defined]
    converter = MapConverter()
    converted = [converter.convert(a, client) if isinstance(a, dict) else a for a in args]
    try:
        return method(*converted)
    except Py4JJavaError as error:
        raise _error(error.java_exception) from error
    except CapturedException as error:
        raise _error(error._origin) from error


def error_of(thrown: Any) -> JellySparkError | None:
    """Return the error of this package that an exception of the JVM, or one of its causes, is.

    Args:
        thrown: the exception, as Py4J has it; None for none.

    Returns:
        The error, or None if none of them is of this package.
    """
    while thrown is not None:
        found = _known_error(thrown)
        if found is not None:
            return found
        thrown = thrown.getCause()
    return None


def _known_error(thrown: Any) -> JellySparkError | None:
    name = thrown.getClass().getName()
    if name == "org.jellyspark.MalformedInputException":
        row = thrown.row()
        return MalformedInputError(
            thrown.file(),
            thrown.place(),
            thrown.offset(),
            None if row < 0 else row,
            thrown.expected(),
            thrown.found(),
            thrown.hint(),
        )
    if name == "org.jellyspark.UnwritableRowException":
        return UnwritableRowError(thrown.rule(), thrown.row())
    if name == "org.jellyspark.OptionException":
        return OptionError(thrown.getMessage())
    return None


def _error(thrown: Any) -> JellySparkError:
    return _known_error(thrown) or JellySparkError(thrown.toString())
