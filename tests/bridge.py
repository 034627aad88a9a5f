"""The JVM's codec from Python: what the package has of it, and how tests write with it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jelly_spark._bridge import call, decode, engines, find
from jelly_spark._reader_options import reader_strings
from jelly_spark.codec import AnyRow, WriteOptions, source_format_of, target_format_of
from jelly_spark.core.format import WrittenFormat
from jelly_spark.core.rows import check_row, describe_row, encode_text
from jelly_spark.errors import UnwritableRowError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["decode", "encode", "engines", "rewrite"]


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
        call(find(spark).encode, target.name, str(lines), str(file), options_of_spark)
        return file.read_bytes()


def rewrite(
    source: Path,
    target: Path,
    *,
    source_format: str | None = None,
    options: WriteOptions | None = None,
    spark: SparkSession | None = None,
    **read_options: Any,
) -> int:
    """Read a file on the JVM and write its rows to another one; return the number of rows."""
    found = source_format_of(source, source_format)
    wanted = target_format_of(target, None, options)
    count: int = call(
        find(spark).rewrite,
        found.name,
        os.path.abspath(source),
        str(source),
        wanted.name,
        os.path.abspath(target),
        reader_strings(read_options),
        _strings(wanted, options),
    )
    return count


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
