"""The schemas that DataFrames of a format can have."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql.types import DataType, LongType, StringType, StructField, StructType

from jelly_spark._format_options import Mode, ReadOptions
from jelly_spark._schema import schema as format_schema
from jelly_spark.core.format import Format, FormatOf, WrittenFormat
from jelly_spark.core.rows import ORDINALS, TERMS, PatchRow
from jelly_spark.core.terms.parts import TermParts
from jelly_spark.errors import OptionError

STRUCT = StructType([StructField(part, StringType()) for part in TermParts._fields])
"""The type of a column of terms, with the option `terms=struct`."""

# The column of Jelly-RDF that the line formats do not have: its rows can be written unchanged.
_IGNORED = "seq"


def schema_of(format: Format, settings: ReadOptions) -> StructType:
    """Return the schema of a read, without the columns of partitions."""
    found = format_schema(format.name, terms=settings.terms, namespaces=settings.namespaces)
    if settings.mode is Mode.PERMISSIVE:
        found.add(_corrupt_column(settings, found.names), StringType())
    return found


def _corrupt_column(settings: ReadOptions, names: Iterable[str]) -> str:
    name = settings.corrupt_column or ""
    if name.lower() in names:
        raise OptionError(
            f"{name!r} is a column of the format and cannot hold the text of malformed rows: set "
            "columnNameOfCorruptRecord to another name"
        )
    return name


def check_read(
    format: Format, settings: ReadOptions, schema: StructType, partitions: Iterable[str]
) -> None:
    """Check the schema of a read: each column once, nullable, with a type that it can have.

    Args:
        format: the format of the files.
        settings: the options of the read.
        schema: the schema, which may have columns of partitions.
        partitions: the names of the columns of partitions.

    Raises:
        OptionError: it is not valid; the message names the column.
    """
    own = format_schema(format.name, namespaces=settings.namespaces).names
    others = {name.lower() for name in partitions}
    if settings.corrupt_column is not None:
        _corrupt_column(settings, own)
        others.add(settings.corrupt_column.lower())
    _check_once(schema)
    for field in schema:
        _check_null(field)
        if field.name.lower() not in others:
            _check_field(format.name, field, own)
        elif settings.corrupt_column == field.name and field.dataType != StringType():
            raise _wrong_type(field, [StringType()])


def check_written(format: WrittenFormat, schema: StructType, *, namespaces: bool) -> None:
    """Check the schema of rows to write: required columns, no unknown ones, the right types.

    Raises:
        OptionError: it is not valid; the message names the column.
    """
    _check_once(schema)
    row = format.row
    if isinstance(format, FormatOf):
        own = format_schema(format.name, namespaces=namespaces).names
    else:
        own = list(row._fields)
    for field in schema:
        if field.name.lower() == _IGNORED and _IGNORED not in own:
            if field.dataType != LongType():
                raise _wrong_type(field, [LongType()])
        else:
            _check_field(format.name, field, own)
    given = {name.lower() for name in schema.names}
    for name in ("op",) if row is PatchRow else ("subject", "predicate", "object"):
        if name not in given:
            raise OptionError(f"{format.name} needs the column {name!r}")


def _check_once(schema: StructType) -> None:
    seen: dict[str, str] = {}
    for name in schema.names:
        if name.lower() in seen:
            raise OptionError(
                f"{seen[name.lower()]!r} and {name!r} are the same column: remove all but one"
            )
        seen[name.lower()] = name


def _check_null(field: StructField) -> None:
    """Check that a column can be null: Spark fails without a clear error where it is one."""
    kind = field.dataType
    parts = [field, *kind.fields] if isinstance(kind, StructType) else [field]
    if not all(part.nullable for part in parts):
        raise OptionError(f"column {field.name!r}: NOT NULL needs jelly-spark.jar; leave it out")


def _check_field(format: str, field: StructField, own: list[str]) -> None:
    name = field.name.lower()
    if name not in own:
        raise OptionError(
            f"{format} has no column {field.name!r}; its columns are {', '.join(own)}"
        )
    types: list[DataType] = [LongType() if name in ORDINALS else StringType()]
    if name in TERMS:
        types.append(STRUCT)
    if _nullable(field.dataType) not in types:
        raise _wrong_type(field, types)


def _nullable(kind: DataType) -> DataType:
    if not isinstance(kind, StructType):
        return kind
    return StructType([StructField(field.name, field.dataType) for field in kind])


def _wrong_type(field: StructField, types: list[DataType]) -> OptionError:
    expected = " or ".join(kind.simpleString() for kind in types)
    return OptionError(
        f"column {field.name!r}: expected type {expected}, found {field.dataType.simpleString()}"
    )
