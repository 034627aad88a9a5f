"""Columns of the functions that decode and encode messages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql import Row
from pyspark.sql.types import ArrayType, BinaryType, StringType

from jelly_spark._schema import schema
from jelly_spark.formats import find_format
from jelly_spark.python_functions.arrow_udf import call_udf
from jelly_spark.python_functions.message_options import parse_options
from jelly_spark.python_functions.messages import decode, encode

if TYPE_CHECKING:
    from pyspark.sql import Column


def message_column(name: str, argument: Column, options: Mapping[str, str]) -> Column:
    """Return the column of a function on messages.

    Args:
        name: the name of the function, `from_…` or `to_…`.
        argument: its first argument.
        options: its options.

    Raises:
        OptionError: a name or a value of the options is not valid.
    """
    direction, _, format = name.partition("_")
    parsed = parse_options(name, format, options)
    columns = schema(format, terms=parsed.read.terms, namespaces=parsed.read.namespaces)
    names = tuple(columns.names)
    is_text = find_format(format).reader_class.is_text
    if direction == "to":
        result = StringType() if is_text else BinaryType()
        return call_udf(partial(encode, parsed, names), name, result, argument)
    message = argument.cast("binary") if is_text else argument
    rows = ArrayType(columns, containsNull=False)
    return call_udf(partial(decode, parsed, names, Row(*names)), name, rows, message)
