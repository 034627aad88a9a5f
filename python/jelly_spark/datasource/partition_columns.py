"""Columns whose values are in the names of folders, such as `day=2026-11-01`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from pyspark.sql.types import (
    BooleanType,
    DataType,
    DateType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    StructField,
    StructType,
)

from jelly_spark.datasource.listing import DataFile
from jelly_spark.errors import OptionError

_WHOLE = re.compile(r"[+-]?\d+").fullmatch
_DOUBLE = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|NaN|Infinity)"
).fullmatch
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch

_PARSERS: dict[DataType, Callable[[str], Any]] = {
    StringType(): str,
    IntegerType(): int,
    LongType(): int,
    ShortType(): int,
    DoubleType(): float,
    FloatType(): float,
    DateType(): date.fromisoformat,
    BooleanType(): lambda text: {"true": True, "false": False}[text.lower()],
}


def columns_of(files: Iterable[DataFile]) -> StructType:
    """Return the columns of the folders, with the types that Spark would find.

    A column is `int`, `bigint`, `double` or `date` if all its values are, else `string`. Its name
    is that of the first folder: other folders can have it in another case.
    """
    names: dict[str, str] = {}
    values: dict[str, set[str]] = {}
    for file in files:
        for name, text in file.values:
            texts = values.setdefault(names.setdefault(name.lower(), name), set())
            if text is not None:
                texts.add(text)
    return StructType([StructField(name, _type_of(texts)) for name, texts in values.items()])


def _type_of(texts: set[str]) -> DataType:
    if not texts:
        return StringType()
    if all(map(_WHOLE, texts)):
        bits = max(int(text).bit_length() for text in texts)
        if bits < 64:
            return IntegerType() if bits < 32 else LongType()
    if all(map(_DOUBLE, texts)):
        return DoubleType()
    if all(map(_is_date, texts)):
        return DateType()
    return StringType()


def _is_date(text: str) -> bool:
    if not _DATE(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def value_of(text: str | None, field: StructField) -> Any:
    """Return the value of a folder as one of its column.

    Raises:
        OptionError: the type of the column is not supported, or the value is not of that type.
    """
    if text is None:
        return None
    parse = _PARSERS.get(field.dataType)
    kind = field.dataType.simpleString()
    if parse is None:
        raise OptionError(f"a column of partitions cannot have the type {kind}: {field.name!r}")
    try:
        return parse(text)
    except (KeyError, ValueError):
        raise OptionError(
            f"column {field.name!r}: expected a value of type {kind} in the name of a folder, "
            f"found {text!r}"
        ) from None
