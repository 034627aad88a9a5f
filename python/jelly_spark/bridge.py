"""The JVM's codec, from Python, through Py4J.

Bulk passes through files in a temporary folder, since Py4J is slow with it: so Python and Spark's
driver must share a file system, as they do unless the session is one of Spark Connect.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from jelly_spark._version import __version__
from jelly_spark.core.files import check_target
from jelly_spark.core.format import Format
from jelly_spark.core.options import WriteOptions, check_class, strings_of
from jelly_spark.core.rows import AnyRow
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
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions
from jelly_spark.jelly.options import ReadLimits
from jelly_spark.jvm import PACKAGE, find_bridge

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["decode", "encode", "rewrite"]


def encode(
    rows: Iterable[AnyRow],
    options: WriteOptions = JellyPatchOptions(),
    *,
    spark: SparkSession | None = None,
) -> bytes:
    """Return the rows as a file, as the Python writer of the format writes it, but by the JVM.

    Args:
        rows: the rows, with the ordinals that a reader gave them or without.
        options: how the file is written; their class says in what format.
        spark: the session whose driver does it; the active one by default.

    Raises:
        OptionError: the options fit no format of the JVM's.
        UnwritableRowError: no file with these options can hold one of the rows.
        SessionError: the JVM's codec cannot be reached.
    """
    check_class("options", options, WriteOptions)
    bridge = _bridge(spark)
    with tempfile.TemporaryDirectory() as folder:
        lines, target = Path(folder, "rows"), Path(folder, "file")
        with lines.open("w", encoding="utf-8", newline="\n") as out:
            for row in rows:
                out.write(_line(row))
        _call(bridge.encode, options.format, str(lines), str(target), options.to_strings())
        return target.read_bytes()


def decode(
    source: bytes | bytearray | str | os.PathLike[str],
    format: str = JellyPatchOptions.format,
    *,
    spark: SparkSession | None = None,
    **options: Any,
) -> Iterator[Any]:
    """Yield the rows of a file, as the Python reader of the format does, but read by the JVM.

    Args:
        source: the bytes, or the path of a file on the driver.
        format: the short name of its format.
        spark: the session whose driver does it; the active one by default.
        options: those of the format's Python reader: `strict`, `limits` and so on.

    Raises:
        MalformedInputError: the input breaks the format.
        OptionError: there is no such format, or it has no such option.
        OSError: the file cannot be read.
        SessionError: the JVM's codec cannot be reached.
    """
    found = find_format(format)
    read_options = _read_options(found, options)
    bridge = _bridge(spark)
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(source, (bytes, bytearray)):
            path, name = Path(folder, "file"), "<stream>"
            path.write_bytes(source)
        else:
            path, name = _readable(source), os.fspath(source)
        lines = Path(folder, "rows")
        _call(bridge.decode, format, str(path), name, str(lines), read_options)
        with lines.open(encoding="utf-8", newline="\n") as rows:
            for line in rows:
                yield found.row(*json.loads(line))


def rewrite(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    options: WriteOptions = JellyPatchOptions(),
    *,
    source_format: str = JellyPatchOptions.format,
    spark: SparkSession | None = None,
    **read_options: Any,
) -> int:
    """Write a file anew, file to file on the driver, and return its number of rows.

    Args:
        source: the file to read.
        target: the file to write; it is there when all went well, or left as it was.
        options: how it is written; their class says in what format.
        source_format: the short name of the format that is read.
        spark: the session whose driver does it; the active one by default.
        read_options: those of the source's Python reader: `strict`, `limits` and so on.

    Raises:
        MalformedInputError: the source breaks its format.
        OptionError: there is no such format, or its reader has no such option.
        OSError: the source cannot be read, or no file made at the target.
        UnwritableRowError: no file with these options can hold one of its rows.
        SessionError: the JVM's codec cannot be reached.
    """
    check_class("options", options, WriteOptions)
    spark_options = _read_options(find_format(source_format), read_options)
    bridge = _bridge(spark)
    count: int = _call(
        bridge.rewrite,
        source_format,
        str(_readable(source)),
        os.fspath(source),
        options.format,
        _writable(target),
        spark_options,
        options.to_strings(),
    )
    return count


def _read_options(format: Format, options: dict[str, Any]) -> dict[str, str]:
    """Return arguments of the format's reader as options of Spark's; limits are several of those.

    Raises:
        OptionError: the reader has no such argument, or the limits are none.
    """
    known = [name for name in signature(format.reader).parameters if name != "file"]
    for name in options:
        if name not in known:
            raise OptionError(f"unknown option {name!r}; the options are: {', '.join(known)}")
    strings = strings_of((name, value) for name, value in options.items() if name != "limits")
    if "limits" in options:
        limits = options["limits"]
        check_class("limits", limits, ReadLimits)
        strings |= limits.to_strings()
    return strings


def _readable(path: str | os.PathLike[str]) -> Path:
    """The path as it means the same to the JVM, whose working directory can be another."""
    with open(path, "rb"):
        return Path(path).absolute()


def _writable(path: str | os.PathLike[str]) -> str:
    """The path as it means the same to the JVM; a file can be made there."""
    check_target(path)
    return os.path.abspath(path)


def _line(row: AnyRow) -> str:
    try:
        text = json.dumps(row, ensure_ascii=False) + "\n"
        text.encode()
    except (TypeError, ValueError) as error:
        raise UnwritableRowError(f"no row of text and whole numbers: {error}", repr(row)) from None
    return text


def _bridge(spark: SparkSession | None) -> Any:
    """The JVM's `FormatBridge`, of the version of this package."""
    try:
        from pyspark import SparkContext
        from pyspark.sql.utils import is_remote
    except ImportError as error:
        raise NoSessionError(f"PySpark is needed: install jelly-spark[spark] ({error})") from error

    if is_remote() or (spark is not None and not hasattr(spark, "_jvm")):
        raise SparkConnectError(
            "the JVM cannot be reached through Spark Connect: use jelly_spark.codec, or the data "
            "sources, which work there"
        )
    jvm = SparkContext._jvm if SparkContext._active_spark_context is not None else None
    if spark is not None:
        jvm = spark._jvm
    if jvm is None:
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


def _call(method: Callable[..., Any], *args: Any) -> Any:
    """Call a method of the bridge; its errors become those of this package."""
    from py4j.java_collections import MapConverter
    from py4j.protocol import Py4JJavaError
    from pyspark.errors.exceptions.captured import CapturedException

    client = method.gateway_client  # type: ignore[attr-defined]
    converter = MapConverter()
    converted = [converter.convert(a, client) if isinstance(a, dict) else a for a in args]
    try:
        return method(*converted)
    except Py4JJavaError as error:
        _raise(error.java_exception, error)
    except CapturedException as error:
        _raise(error._origin, error)


def _raise(thrown: Any, cause: Exception) -> NoReturn:
    name = thrown.getClass().getName()
    if name == f"{PACKAGE}.MalformedInputException":
        row = thrown.row()
        raise MalformedInputError(
            thrown.file(),
            thrown.place(),
            thrown.offset(),
            None if row < 0 else row,
            thrown.expected(),
            thrown.found(),
        ) from cause
    if name == f"{PACKAGE}.UnwritableRowException":
        raise UnwritableRowError(thrown.rule(), thrown.row()) from cause
    if name == f"{PACKAGE}.OptionException":
        raise OptionError(thrown.getMessage()) from cause
    raise JellySparkError(thrown.toString()) from cause
