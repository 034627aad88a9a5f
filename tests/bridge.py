"""The JVM's codec from Python: what the package has of it, and how tests write with it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jelly_spark._bridge import call, decode, engines, find
from jelly_spark._format_options import reader_strings
from jelly_spark.codec import AnyRow, WriteOptions, source_format_of, target_format_of
from jelly_spark.core.format import WrittenFormat
from jelly_spark.core.rows import check_row, describe_row, encode_text
from jelly_spark.errors import UnwritableRowError
from tests.shared import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["decode", "encode", "engines", "rewrite"]

_CLASSES = ROOT / "jvm/target/scala-2.13/test-classes"
"""Where `sbt jvm/testClasspath` compiles `WritingBridge` to, which is only for tests."""


def encode(
    rows: Iterable[AnyRow],
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    engine: str = "native",
    spark: SparkSession | None = None,
) -> bytes:
    """Encode rows on the JVM."""
    target = target_format_of(None, format, options)
    strings = _strings(target, options)
    if engine != "native":
        # It rejects options that it does not support.
        defaults = target.options().to_strings()
        strings = {name: value for name, value in strings.items() if defaults.get(name) != value}
    with tempfile.TemporaryDirectory() as folder:
        lines, file = Path(folder, "rows"), Path(folder, "file")
        with lines.open("w", encoding="utf-8", newline="\n") as out:
            for row in rows:
                out.write(_line(row, target))
        options_of_spark = {**strings, "engine": engine}
        call(_writing_bridge(spark).encode, target.name, str(lines), str(file), options_of_spark)
        return file.read_bytes()


def rewrite(
    source: Path,
    target: Path,
    *,
    source_format: str | None = None,
    options: WriteOptions | None = None,
    spark: SparkSession | None = None,
    **read_options: Any,
) -> None:
    """Read a file on the JVM and write its rows to another one."""
    found = source_format_of(source, source_format)
    wanted = target_format_of(target, None, options)
    call(
        _writing_bridge(spark).rewrite,
        found.name,
        str(source),
        wanted.name,
        str(target),
        reader_strings(read_options),
        _strings(wanted, options),
    )


def _writing_bridge(spark: SparkSession | None) -> Any:
    """Return the JVM's `WritingBridge`, after adding its class to the JVM."""
    from py4j.java_gateway import JavaPackage
    from pyspark import SparkContext

    find(spark)
    jvm = SparkContext._jvm
    assert jvm is not None
    if isinstance(jvm.org.jellyspark.bridge.WritingBridge, JavaPackage):
        assert _CLASSES.is_dir(), f"no {_CLASSES}: run sbt jvm/testClasspath"
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        loader.addURL(jvm.java.io.File(str(_CLASSES)).toURI().toURL())
    return jvm.org.jellyspark.bridge.WritingBridge


def _strings(format: WrittenFormat, options: WriteOptions | None) -> dict[str, str]:
    return (format.options() if options is None else options).to_strings()


def _line(row: AnyRow, format: WrittenFormat) -> str:
    try:
        check_row(row, format.row)
        text = json.dumps(row, ensure_ascii=False) + "\n"
        encode_text(text, "a string")
    except UnwritableRowError as error:
        raise UnwritableRowError(error.rule, describe_row(row)) from None
    return text
