"""The JVM's codec, from Python, through Py4J.

Bulk passes through files in a temporary folder, since Py4J is slow with it: so Python and Spark's
driver must share a file system, as they do unless the session is one of Spark Connect.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from jelly_spark._version import __version__
from jelly_spark.codec.options import PatchOptions, ReadLimits
from jelly_spark.codec.rows import PatchRow
from jelly_spark.errors import (
    JarMissingError,
    JarVersionError,
    JellySparkError,
    MalformedPatchError,
    NoSessionError,
    OptionError,
    SparkConnectError,
    UnwritableRowError,
)
from jelly_spark.jvm import PACKAGE, find_bridge

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["decode", "encode", "rewrite"]


def encode(
    rows: Iterable[PatchRow],
    options: PatchOptions = PatchOptions(),
    *,
    spark: SparkSession | None = None,
) -> bytes:
    """Return the rows as Jelly-Patch, as `PatchWriter` writes them, but written by the JVM.

    Args:
        rows: the rows, with the ordinals that a reader gave them or without.
        options: how the stream is written.
        spark: the session whose driver does it; the active one by default.

    Raises:
        UnwritableRowError: no stream with these options can hold one of the rows.
        SessionError: the JVM's codec cannot be reached.
    """
    bridge = _bridge(spark)
    with tempfile.TemporaryDirectory() as folder:
        lines, patch = Path(folder, "rows"), Path(folder, "patch")
        with lines.open("w", encoding="utf-8", newline="\n") as out:
            for row in rows:
                out.write(_line(row))
        _call(bridge.encode, str(lines), str(patch), options.to_strings())
        return patch.read_bytes()


def decode(
    patch: bytes | bytearray | str | os.PathLike[str],
    *,
    strict: bool = False,
    limits: ReadLimits = ReadLimits(),
    spark: SparkSession | None = None,
) -> Iterator[PatchRow]:
    """Yield the rows of Jelly-Patch, as `read_patch` does, but read by the JVM.

    Args:
        patch: the bytes, or the path of a file on the driver.
        strict: whether the rules on transactions and punctuation are errors.
        limits: the biggest lookups that are accepted.
        spark: the session whose driver does it; the active one by default.

    Raises:
        MalformedPatchError: the input breaks the format.
        OSError: the file cannot be read.
        SessionError: the JVM's codec cannot be reached.
    """
    bridge = _bridge(spark)
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(patch, (bytes, bytearray)):
            path, name = Path(folder, "patch"), "<stream>"
            path.write_bytes(patch)
        else:
            path, name = _readable(patch), os.fspath(patch)
        lines = Path(folder, "rows")
        _call(bridge.decode, str(path), name, str(lines), _read_options(strict, limits))
        with lines.open(encoding="utf-8", newline="\n") as rows:
            for line in rows:
                yield PatchRow(*json.loads(line))


def rewrite(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    options: PatchOptions = PatchOptions(),
    *,
    strict: bool = False,
    limits: ReadLimits = ReadLimits(),
    spark: SparkSession | None = None,
) -> int:
    """Write a Jelly-Patch file anew, file to file on the driver, and return its number of rows.

    Args:
        source: the file to read.
        target: the file to write; it is there when all went well, or left as it was.
        options: how it is written.
        strict: whether the rules on transactions and punctuation are errors.
        limits: the biggest lookups that are accepted.
        spark: the session whose driver does it; the active one by default.

    Raises:
        MalformedPatchError: the source breaks the format.
        OSError: the source cannot be read.
        UnwritableRowError: no stream with these options can hold one of its rows.
        SessionError: the JVM's codec cannot be reached.
    """
    bridge = _bridge(spark)
    count: int = _call(
        bridge.rewrite,
        str(_readable(source)),
        os.fspath(source),
        os.path.abspath(target),
        _read_options(strict, limits),
        options.to_strings(),
    )
    return count


def _read_options(strict: bool, limits: ReadLimits) -> dict[str, str]:
    return {**limits.to_strings(), "strict": str(strict)}


def _readable(path: str | os.PathLike[str]) -> Path:
    """The path as it means the same to the JVM, whose working directory can be another."""
    with open(path, "rb"):
        return Path(path).absolute()


def _line(row: PatchRow) -> str:
    try:
        text = json.dumps(row, ensure_ascii=False) + "\n"
        text.encode()
    except (TypeError, ValueError) as error:
        raise UnwritableRowError(f"no row of text and whole numbers: {error}", repr(row)) from None
    return text


def _bridge(spark: SparkSession | None) -> Any:
    """The JVM's `PatchBridge`, of the version of this package."""
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
    if name == f"{PACKAGE}.MalformedPatchException":
        row = thrown.row()
        raise MalformedPatchError(
            thrown.file(),
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
