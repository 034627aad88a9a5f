"""The JVM's codec, from Python, through Py4J.

    data = bridge.encode(rows, format="jelly_patch")
    rows = list(bridge.decode("changes.jellyp"))
    count = bridge.rewrite("changes.rdfp", "changes.jellyp")

Formats are named as `jelly_spark.codec` has it: by a short name, else by the class of the options,
else by the file's extension.

A jar can bring further engines, the codecs that a format has beside its own: `engines` lists them.

Bulk passes through files in a temporary folder, since Py4J is slow with it: so Python and Spark's
driver must share a file system, as they do unless the session is one of Spark Connect.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from jelly_spark._version import __version__
from jelly_spark.codec import source_format_of, target_format_of
from jelly_spark.core.compression import compression_of
from jelly_spark.core.files import FilePath, InputFile, OutputFile, check_target
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.options import (
    WriteOptions,
    check_bool,
    check_class,
    check_size,
    strings_of,
)
from jelly_spark.core.remote import is_url
from jelly_spark.core.rows import AnyRow, check_row, describe_row, encode_text
from jelly_spark.errors import (
    JarVersionError,
    JellySparkError,
    MalformedInputError,
    NoSessionError,
    OptionError,
    SparkConnectError,
    UnwritableRowError,
)
from jelly_spark.formats import find_format
from jelly_spark.jelly.options import ReadLimits
from jelly_spark.jvm import PACKAGE, check_spark_version, require_bridge

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["decode", "encode", "engines", "rewrite"]

_NATIVE = "native"


def encode(
    rows: Iterable[AnyRow],
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    engine: str = _NATIVE,
    spark: SparkSession | None = None,
) -> bytes:
    """Return the rows as a file: the bytes that `codec.write` writes, but made by the JVM.

        data = bridge.encode([PatchRow("TX"), PatchRow("TC")], format="jelly_patch")

    Args:
        rows: the rows, with the ordinals that a reader gave them or without.
        format: short name of the format to write; by default the class of the options says it.
        options: how to write; by default the format's default options.
        engine: which of the engines writes it.
        spark: the session whose driver does it; the active one by default.

    Raises:
        OptionError: the format or the engine is not known, or contradicts the options.
        UnwritableRowError: no file with these options can hold one of the rows, or end after them.
        SessionError: the JVM's codec cannot be reached.
    """
    target = target_format_of(None, format, options)
    bridge = _bridge(spark)
    with tempfile.TemporaryDirectory() as folder:
        lines, file = Path(folder, "rows"), Path(folder, "file")
        with lines.open("w", encoding="utf-8", newline="\n") as out:
            for row in rows:
                out.write(_line(row, target))
        strings = _for_engine(engine, _strings(target, options), target.options().to_strings())
        _call(bridge.encode, target.name, str(lines), str(file), strings)
        return file.read_bytes()


def decode(
    source: FilePath | bytes | bytearray | memoryview,
    *,
    format: str | None = None,
    engine: str = _NATIVE,
    spark: SparkSession | None = None,
    **options: Any,
) -> Iterator[Any]:
    """Yield the rows of a file, as `codec.read` does, but read by the JVM.

        rows = list(bridge.decode("changes.jellyp", strict=True))

    Args:
        source: the bytes, or a path or URL; what is compressed by its extension is decompressed
            before the JVM reads it.
        format: short name of the file's format; by default its extension says it.
        engine: which of the engines reads it.
        spark: the session whose driver does it; the active one by default.
        options: those of the format's Python reader, but for `part`: `strict`, `limits` and so on.

    Raises:
        MalformedInputError: the input breaks the format.
        OptionError: the format or the engine is not known, or has no such option.
        OSError: the file cannot be read.
        SessionError: the JVM's codec cannot be reached.
    """
    found = source_format_of(source, format)
    read_options = _for_engine(engine, _read_options(found, options), {})
    _check_source(source)
    bridge = _bridge(spark)
    with tempfile.TemporaryDirectory() as folder:
        name, path = _local_source(source, folder)
        lines = Path(folder, "rows")
        _call(bridge.decode, found.name, path, name, str(lines), read_options)
        with lines.open(encoding="utf-8", newline="\n") as rows:
            for line in rows:
                yield found.row(*json.loads(line))


def engines(format: str, *, spark: SparkSession | None = None) -> list[str]:
    """Return the names of the engines that a format has on the JVM: `native`, and those of jars.

        bridge.engines("jelly_rdf")  # ['native']

    Args:
        format: short name of the format.
        spark: the session whose driver is asked; the active one by default.

    Raises:
        OptionError: the format is not known.
        SessionError: the JVM's codec cannot be reached.
    """
    return list(_call(_bridge(spark).engines, find_format(format).name))


def rewrite(
    source: FilePath,
    target: FilePath,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    options: WriteOptions | None = None,
    spark: SparkSession | None = None,
    **read_options: Any,
) -> int:
    """Write a file anew, file to file on the driver, and return its number of rows.

        bridge.rewrite("changes.rdfp", "changes.jellyp.gz")

    Between Jelly-RDF and the patch formats, a statement is an `A` row and a namespace a `PA` row,
    in both directions. Jelly-RDF refuses the other rows of a patch.

    Args:
        source: path or URL of the file to read.
        target: path or URL of the file to write; it is there when all went well, or left as it was.
        source_format: short name of the format that is read; by default the source's extension
            says it.
        target_format: short name of the format that is written; by default the class of the options
            says it, else the target's extension.
        options: how to write; by default the format's default options.
        spark: the session whose driver does it; the active one by default.
        read_options: those of the source's Python reader, but for `part`: `strict`, `limits` and so
            on.

    Raises:
        MalformedInputError: the source breaks its format.
        OptionError: a format is not known or contradicts the options, or the source's reader has no
            such option.
        OSError: the source cannot be read, or no file made at the target.
        UnwritableRowError: no file with these options can hold one of its rows.
        SessionError: the JVM's codec cannot be reached.
    """
    found = source_format_of(source, source_format)
    wanted = target_format_of(target, target_format, options)
    spark_options = _read_options(found, read_options)
    _check_path("source", source)
    _check_path("target", target)
    bridge = _bridge(spark)
    with tempfile.TemporaryDirectory() as folder:
        name, path = _local_source(source, folder)
        plain = _is_plain(target)
        if plain:
            check_target(target)
        written = os.path.abspath(target) if plain else str(Path(folder, "target"))
        count: int = _call(
            bridge.rewrite,
            found.name,
            path,
            name,
            wanted.name,
            written,
            spark_options,
            _strings(wanted, options),
        )
        if not plain:
            _copy(written, target)
    return count


def _strings(format: WrittenFormat, options: WriteOptions | None) -> dict[str, str]:
    """Return how to write, as options of Spark's."""
    return (format.options() if options is None else options).to_strings()


def _for_engine(engine: str, options: dict[str, str], defaults: dict[str, str]) -> dict[str, str]:
    """Add the engine to options; those that have their defaults need not be set.

    An engine refuses options that it cannot follow.
    """
    check_class("engine", engine, str)
    if engine == _NATIVE:
        return options
    changed = {name: value for name, value in options.items() if defaults.get(name) != value}
    return {**changed, "engine": engine}


def _read_options(format: Format, options: dict[str, Any]) -> dict[str, str]:
    """Return arguments of the format's reader as options of Spark's; limits are several of those.

    Raises:
        OptionError: the reader has no such argument, or an argument is not valid.
    """
    format.check_read_options(options)
    if options.get("part") is not None:
        raise OptionError("the bridge reads whole files: use the codec for a part of one")
    values = {name: value for name, value in options.items() if name not in ("limits", "part")}
    for name, value in values.items():
        if name == "max_row_size":
            check_size(name, value, 1, 2**31 - 1)
        else:
            check_bool(name, value)
    strings = strings_of(values.items())
    if "limits" in options:
        limits = options["limits"]
        check_class("limits", limits, ReadLimits)
        strings |= limits.to_strings()
    return strings


def _check_path(name: str, file: object) -> None:
    if not isinstance(file, (str, os.PathLike)):
        raise OptionError(f"{name} must be a path, not {type(file).__name__}")


def _check_source(source: object) -> None:
    if not isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)):
        raise OptionError(f"source must be a path or bytes, not {type(source).__name__}")


def _is_plain(path: FilePath) -> bool:
    """Whether the JVM can read and write the file itself.

    It can where it is a local file that is not compressed, and its path is UTF-8.
    """
    name = os.fsdecode(path)
    if is_url(name) or compression_of(name) is not None:
        return False
    absolute = os.path.abspath(name)
    return _in_utf8(absolute) == absolute


def _in_utf8(name: str) -> str:
    r"""Return a path whose bytes that are not UTF-8 are escaped, as `\udcff`."""
    return name.encode("utf-8", "backslashreplace").decode()


def _local_source(
    source: FilePath | bytes | bytearray | memoryview, folder: str
) -> tuple[str, str]:
    """Return (what errors call the file, the path at which the JVM finds its plain content).

    The path is absolute, as the JVM's working directory can be another.

    Args:
        source: the file.
        folder: a folder for the content of a source that is not a file of the local file system.

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


def _copy(path: str, target: FilePath) -> None:
    """Copy a file to a target that the JVM cannot write itself."""
    output = OutputFile(target)
    try:
        with open(path, "rb") as file:
            shutil.copyfileobj(file, output.stream)
    except BaseException:
        output.discard()
        raise
    output.keep()


def _line(row: AnyRow, format: WrittenFormat) -> str:
    """Return a row as the line of JSON in which it goes to the JVM.

    Raises:
        UnwritableRowError: the row is not of the format's class, or a column not of its type.
    """
    try:
        check_row(row, format.row)
        text = json.dumps(row, ensure_ascii=False) + "\n"
        encode_text(text, "a string")
    except UnwritableRowError as error:
        raise UnwritableRowError(error.rule, describe_row(row)) from None
    return text


def _bridge(spark: SparkSession | None) -> Any:
    """The JVM's `FormatBridge`, of the version of this package."""
    try:
        from pyspark.sql.utils import is_remote
    except ImportError as error:
        raise NoSessionError(f"PySpark is needed: install jelly-spark[spark] ({error})") from error

    check_spark_version()
    if is_remote() or (spark is not None and not hasattr(spark, "_jvm")):
        raise SparkConnectError(
            "the JVM cannot be reached through Spark Connect: use jelly_spark.codec, or the data "
            "sources, which work there"
        )
    from pyspark import SparkContext  # not in the package `pyspark-client`

    jvm = SparkContext._jvm if SparkContext._active_spark_context is not None else None
    if spark is not None:
        jvm = spark._jvm
    if jvm is None:
        raise NoSessionError(
            "no active Spark session: make one with "
            "jelly_spark.configure(SparkSession.builder).getOrCreate()"
        )
    bridge = require_bridge(jvm)
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
            thrown.hint(),
        ) from cause
    if name == f"{PACKAGE}.UnwritableRowException":
        raise UnwritableRowError(thrown.rule(), thrown.row()) from cause
    if name == f"{PACKAGE}.OptionException":
        raise OptionError(thrown.getMessage()) from cause
    raise JellySparkError(thrown.toString()) from cause
