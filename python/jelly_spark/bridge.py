"""The JVM's codec, called from Python through Py4J.

    data = bridge.encode(rows, format="jelly_patch")
    rows = list(bridge.decode("changes.jellyp"))
    count = bridge.rewrite("changes.rdfp", "changes.jellyp")

The format is found as in `jelly_spark.codec`: by the short name that is given, else by the class of
the options, else by the file's extension.

Other jars can add engines to a format, which are other codecs for it: `engines` lists them.

Data passes through files in a temporary folder, because Py4J is slow with large values. So Python
and Spark's driver must share a file system, as they do in every session but one of Spark Connect.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jelly_spark._version import __version__
from jelly_spark.codec import source_format_of, target_format_of
from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.files.input_file import InputFile
from jelly_spark.core.files.output_file import OutputFile, check_target
from jelly_spark.core.files.paths import FilePath, is_url
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.options import (
    WriteOptions,
    check_bool,
    check_class,
    check_size,
    strings_of,
)
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
    """Encode rows on the JVM, and return the same bytes that `codec.write` writes.

        data = bridge.encode([PatchRow("TX"), PatchRow("TC")], format="jelly_patch")

    Args:
        rows: the rows, with or without the ordinals that a reader gave them.
        format: the short name of the format; by default, the format of `options`.
        options: how to write; by default, the format's default options.
        engine: the name of the engine that encodes.
        spark: the session whose driver runs the codec; by default, the active session.

    Raises:
        OptionError: the format or the engine is not known, or contradicts the options.
        UnwritableRowError: a row is not valid or cannot be written with these options, or the file
            may not end after the last row.
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
    """Decode a file on the JVM, and yield the same rows that `codec.read` yields.

        rows = list(bridge.decode("changes.jellyp", strict=True))

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
    """Return the names of a format's engines on the JVM: `native`, and those that jars add.

        bridge.engines("jelly_rdf")  # ['native']

    Args:
        format: the short name of the format.
        spark: the session whose JVM is asked; by default, the active session.

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
    """Read a file and write its rows to another one on the driver; return the number of rows.

        bridge.rewrite("changes.rdfp", "changes.jellyp.gz")

    From Jelly-RDF to a patch format, statements become `A` rows and namespaces become `PA` rows.
    From a patch format to Jelly-RDF, it is the other way round, and other rows are an error.

    Args:
        source: path or URL of the file to read.
        target: path or URL of the file to write. It appears when it is complete; after an error,
            the file that was there before is unchanged.
        source_format: the short name of the format to read; by default, it is found by the source's
            extension.
        target_format: the short name of the format to write; by default, the format of `options`,
            else it is found by the target's extension.
        options: how to write; by default, the format's default options.
        spark: the session whose driver runs the codec; by default, the active session.
        read_options: options of the source format's Python reader, such as `strict` and `limits`;
            all but `part`.

    Returns:
        The number of rows that were written.

    Raises:
        MalformedInputError: the source breaks its format.
        OptionError: a format is not known or contradicts the options, or the source's reader has no
            such option.
        OSError: the source cannot be read, or the target cannot be written.
        UnwritableRowError: a row of the source cannot be written with these options.
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
    """Return write options under their names in Spark; the defaults if there are none."""
    return (format.options() if options is None else options).to_strings()


def _for_engine(engine: str, options: dict[str, str], defaults: dict[str, str]) -> dict[str, str]:
    """Add the engine to the options, and leave out those that have their default values.

    An engine other than `native` rejects the options that it does not support.
    """
    check_class("engine", engine, str)
    if engine == _NATIVE:
        return options
    changed = {name: value for name, value in options.items() if defaults.get(name) != value}
    return {**changed, "engine": engine}


def _read_options(format: Format, options: dict[str, Any]) -> dict[str, str]:
    """Return arguments of the format's Python reader under their names in Spark.

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
    """Return a row as the line of JSON that the JVM reads.

    Raises:
        UnwritableRowError: the row is not of the format's class, a column is not of its type, or a
            string holds a lone surrogate.
    """
    try:
        check_row(row, format.row)
        text = json.dumps(row, ensure_ascii=False) + "\n"
        encode_text(text, "a string")
    except UnwritableRowError as error:
        raise UnwritableRowError(error.rule, describe_row(row)) from None
    return text


def _bridge(spark: SparkSession | None) -> Any:
    """Return the JVM's `FormatBridge`, after checking that its version is that of this package."""
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
    if name == f"{PACKAGE}.MalformedInputException":
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
    if name == f"{PACKAGE}.UnwritableRowException":
        return UnwritableRowError(thrown.rule(), thrown.row())
    if name == f"{PACKAGE}.OptionException":
        return OptionError(thrown.getMessage())
    return None


def _error(thrown: Any) -> JellySparkError:
    return _known_error(thrown) or JellySparkError(thrown.toString())
