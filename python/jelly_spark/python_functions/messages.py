"""Decoding and encoding messages, in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

from jelly_spark._format_options import Mode
from jelly_spark.core.rows import TERMS, AnyRow, describe_row
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.terms.parts import parts_of, term_of
from jelly_spark.errors import (
    InvalidTermError,
    MalformedInputError,
    OptionError,
    UnwritableRowError,
)
from jelly_spark.formats import find_format
from jelly_spark.python_functions.message_options import MessageOptions


def decode(
    options: MessageOptions,
    columns: tuple[str, ...],
    make_row: Callable[..., Any],
    message: bytes | None,
) -> list[Any] | None:
    """Return the rows of a message; None for None, and for a malformed message if that is allowed.

    Args:
        options: the options of the call.
        columns: the columns of the rows.
        make_row: makes a row from its values. It should make PySpark's `Row`, with the names of the
            columns, because PySpark passes the result of a UDF to another one as it is.
        message: the message, in UTF-8 if it is text.

    Raises:
        MalformedInputError: the message is malformed, and the mode is FAILFAST.
        OptionError: the message is not binary.
    """
    if message is None:
        return None
    if not isinstance(message, (bytes, bytearray)):
        raise OptionError(
            f"{options.function}: the message must be BINARY, not {type(message).__name__}"
        )
    format = find_format(options.format)
    pick = _picker(format.row, columns, options.read.terms == "struct")
    try:
        return [make_row(*pick(row)) for row in format.read(message, **options.read.arguments)]
    except MalformedInputError as error:
        if options.read.mode is Mode.PERMISSIVE:
            return None
        error.file = options.function
        raise


def _picker(
    kind: type[AnyRow], columns: tuple[str, ...], has_structs: bool
) -> Callable[[AnyRow], tuple[Any, ...]]:
    """Return a function that takes the columns from a row."""
    if not has_structs and columns == kind._fields:
        return tuple
    places = [kind._fields.index(name) for name in columns]
    if not has_structs:
        return lambda row: tuple([row[place] for place in places])
    fields = [(kind._fields.index(name), name in TERMS) for name in columns]
    return lambda row: tuple(
        [_struct(row[place]) if is_term else row[place] for place, is_term in fields]
    )


def _struct(text: Any) -> tuple[str | None, ...] | None:
    return None if text is None else tuple(parts_of(parse_term(text)))


def encode(
    options: MessageOptions, columns: tuple[str, ...], rows: Sequence[Any] | None
) -> bytes | str | None:
    """Return the message that holds rows; None for None.

    Args:
        options: the options of the call.
        columns: the columns that rows may have.
        rows: instances of PySpark's `Row`, with some of the columns in any order.

    Raises:
        OptionError: the rows do not have the columns of the format.
        UnwritableRowError: a row is None, or the format with its options cannot hold it.
    """
    if rows is None:
        return None
    format = find_format(options.format)
    out = BytesIO()
    try:
        with format.writer(out, options.write) as writer:
            builder: Callable[[Any], AnyRow] | None = None
            for i, row in enumerate(rows):
                if row is None:
                    raise UnwritableRowError(f"element {i} must not be null")
                if builder is None:
                    builder = _builder(options, format.row, columns, row)
                writer.write(builder(row))
    except UnwritableRowError as error:
        raise UnwritableRowError(f"{options.function}: {error.rule}", error.row) from None
    message = out.getvalue()
    return message.decode() if format.reader_class.is_text else message


def _builder(
    options: MessageOptions, kind: type[AnyRow], columns: tuple[str, ...], first: Any
) -> Callable[[Any], AnyRow]:
    """Return a function that makes a row of the format from one of Spark's.

    Args:
        options: the options of the call.
        kind: the class of the format's rows.
        columns: the columns that rows may have.
        first: the first of Spark's rows, which all have the same columns.

    Raises:
        OptionError: a column is missing, unknown, or there twice.
    """
    given = getattr(first, "__fields__", None)
    if given is None:
        raise OptionError(f"{options.function}: the rows must be an ARRAY of STRUCTs")
    names = [name.lower() for name in given]
    required = ("op",) if "op" in columns else ("subject", "predicate", "object")
    for name, lower in zip(given, names, strict=True):
        if lower not in columns:
            valid = ", ".join(columns)
            raise OptionError(f"{options.function}: no column {name!r}; the columns are {valid}")
        if names.count(lower) > 1:
            raise OptionError(f"{options.function}: the column {lower!r} is there twice")
    for name in required:
        if name not in names:
            raise OptionError(f"{options.function}: {options.format} needs the column {name!r}")
    empty = kind(op=None) if "op" in columns else kind()  # type: ignore[call-arg,arg-type]

    def build(row: Any) -> AnyRow:
        values = dict(zip(names, row, strict=True))
        for name, value in values.items():
            if isinstance(value, tuple):
                values[name] = _text_of(name, value, empty._replace(**values))
        return empty._replace(**values)

    return build


def _text_of(name: str, struct: tuple[Any, ...], row: AnyRow) -> str:
    try:
        return format_term(term_of(*struct))
    except InvalidTermError as error:
        raise UnwritableRowError(f"{name}: {error}", describe_row(row)) from None
