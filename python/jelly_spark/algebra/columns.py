"""The columns of the algebra's inputs: statements, prefixes, and rows of patches.

These functions bring DataFrames into one form: terms become strings, even if they are structs in
the input, and optional columns that the input lacks are added. The names of columns may differ in
case, as in Spark; if both are there, the exact name wins.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from jelly_spark import functions as jf
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.formats import FORMATS

STATEMENT = ("subject", "predicate", "object", "graph")
"""The columns of a statement; a null `graph` is the default graph."""

PREFIX = ("graph", "name", "value")
"""The columns of a prefix."""

PLACE = ("log_seq", "seq")
"""The columns that order the rows of a log."""

PATCH = ("log_seq", "patch")
"""The columns that identify a patch in a log."""

PATCH_ROW = PatchRow._fields
"""The columns of the patch formats, in order."""

LOG_ROW = ("file", "log_seq", *PATCH_ROW)
"""The columns of the rows of a log."""

IN_ORDER = {"jelly_spark.order": "seq"}
"""Column metadata of a `seq` that orders all rows, even if they come from several files."""

# Sources can only use the first condition. The second one repeats it: Spark may reorder them.
_IS_STATEMENT = """subject IS NOT NULL AND CASE
    WHEN subject IS NULL THEN false
    WHEN predicate IS NULL OR object IS NULL THEN CAST(raise_error(concat(
        'a statement of a state must have a subject, a predicate and an object; in row ',
        to_json(struct(subject, predicate, object)))) AS BOOLEAN)
    ELSE true END"""
_TERMS = frozenset((*STATEMENT, "value"))
_NUMBERS = frozenset(("log_seq", "patch", "tx", "seq"))
_NEEDED_OF_PATCHES = ("op", *STATEMENT[:3], "patch", "seq")


def statements_of(frame: DataFrame, argument: str = "state") -> DataFrame:
    """Return the statements of a DataFrame. Rows with a null subject are not statements.

    The query fails if another term of a statement is null.

    Args:
        frame: has `subject`, `predicate`, `object`, and `graph` if it has graphs.
        argument: the name of the user's argument, for error messages.

    Raises:
        OptionError: a column is missing, or the DataFrame has rows of patches.
    """
    frame = _named(frame, argument, (*STATEMENT, "op"))
    _require(frame, argument, STATEMENT[:3])
    if "op" in frame.columns:
        raise OptionError(
            f"{argument} has a column op, so it holds patches, not a state: `state` returns the "
            "state that patches give"
        )
    return frame.where(_IS_STATEMENT).select(*_columns(frame, STATEMENT))


def prefixes_of(frame: DataFrame) -> DataFrame:
    """Return the prefixes of a DataFrame. Rows with a null name are not prefixes.

    Args:
        frame: has `name` and `value`, and `graph` if prefixes belong to graphs.

    Raises:
        OptionError: a column is missing.
    """
    frame = _named(frame, "prefixes", PREFIX)
    _require(frame, "prefixes", PREFIX[1:])
    return frame.where(F.col("name").isNotNull()).select(*_columns(frame, PREFIX))


def patch_rows_of(frame: DataFrame, argument: str = "patches") -> DataFrame:
    """Return the rows of patches with the columns `LOG_ROW`.

    Args:
        frame: has `op`, `subject`, `predicate`, `object`, `patch` and `seq`, and `tx` if there are
            transactions. If it has no `log_seq`, its rows come from one file, and `log_seq` is the
            value of `patch`. Other missing columns become null.
        argument: the name of the user's argument, for error messages.

    Raises:
        OptionError: a column is missing, or the rows come from several files and have no `log_seq`
            to order them, or a column that is not a term is a struct.
    """
    frame = _named(frame, argument, LOG_ROW)
    _require(frame, argument, _NEEDED_OF_PATCHES)
    if "log_seq" not in frame.columns:
        if not frame.schema["seq"].metadata.items() >= IN_ORDER.items():
            _check_one_file(frame, argument)
        frame = frame.withColumn("log_seq", F.col("patch"))
    return frame.select(*_columns(frame, LOG_ROW))


def _named(frame: DataFrame, argument: str, names: tuple[str, ...]) -> DataFrame:
    """Return the DataFrame with the columns `names` under exactly these names, if it has them.

    Raises:
        OptionError: several columns have one of the names but for case, and none has it exactly.
    """
    columns = frame.columns
    inexact = [column for column in columns if column.lower() in names and column not in names]
    if not inexact:
        return frame
    renamed: dict[str, str] = {}
    for column in inexact:
        name = column.lower()
        if name in renamed.values():
            raise OptionError(
                f"{argument} has several columns {name} that differ in case: rename one to {name}"
            )
        # Spark would find both columns for the exact name, so the other one gets a new name.
        renamed[column] = f"_{column}" if name in columns else name
    return frame.toDF(*(renamed.get(column, column) for column in columns))


def _require(frame: DataFrame, argument: str, columns: tuple[str, ...]) -> None:
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise OptionError(
            f"{argument} has no column {', '.join(missing)}: its columns are "
            f"{', '.join(frame.columns)}"
        )


def _columns(frame: DataFrame, names: tuple[str, ...]) -> list[Column | str]:
    types = {field.name: field.dataType for field in frame.schema}
    found: list[Column | str] = []
    for name in names:
        kind = "bigint" if name in _NUMBERS else "string"
        if name not in types:
            found.append(F.expr(f"CAST(NULL AS {kind}) AS {name}"))
        elif name in _TERMS and isinstance(types[name], StructType):
            found.append(jf.struct_to_term(F.col(name)).alias(name))
        elif name != "file" and isinstance(types[name], StructType):
            raise OptionError(f"the column {name} must be a {kind}, not a struct")
        elif types[name].simpleString() == kind:
            found.append(name)
        else:
            found.append(F.expr(f"CAST({name} AS {kind}) AS {name}"))
    return found


_EXTENSIONS = tuple(format.extension for format in FORMATS.values() if format.row is PatchRow)
_COMPRESSED = (".gz", ".zst", ".bz2", ".lz4", ".snappy", ".deflate")


def _check_one_file(frame: DataFrame, argument: str) -> None:
    """Refuse rows of several patch files, because `seq` starts at 0 in each of them.

    Files of other formats belong to a table, where `seq` may order all rows.
    """
    files = sorted(path for path in frame.inputFiles() if _is_patch_file(path))
    if len(files) > 1:
        raise OptionError(
            f"{argument} has rows of {len(files)} files ({files[0]}, {files[1]}, …) and no column "
            "log_seq, so their order is not known: read them with jelly_spark.read_log, or add "
            "log_seq, the place of each row's file in the log"
        )


def _is_patch_file(path: str) -> bool:
    name = path.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return name.endswith(_EXTENSIONS)
