"""Reading patch files as one DataFrame whose rows have an order."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from jelly_spark.core.files.paths import FilePath
from jelly_spark.core.options import camel
from jelly_spark.core.packages import needs_extra
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.order import order as chain_order

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FILE = "_log_file"
_ORDERS = ("chain", "name")


def read_log(
    spark: SparkSession,
    format: str,
    path: FilePath | Sequence[FilePath],
    *,
    order: Literal["chain", "name"] = "chain",
    **options: str | bool | int | float,
) -> DataFrame:
    """Read the patch files of a log as a DataFrame, with each patch's position in the log.

        log = jelly_spark.read_log(spark, "jelly_patch", "log")
        log.orderBy("log_seq", "seq").show()

    This is `spark.read` with the additional column `log_seq`, by which the functions of
    `jelly_spark.algebra` order the rows of several files. `read_log` reads the headers of the
    patches right away; the query reads the rest. Files added later are not part of the DataFrame.
    For a managed log, use `Log.read`, which knows what has expired and what is in packs.
    Works over Spark Connect too.

    Args:
        spark: the session, with the jar on it or on its server.
        format: the short name of a patch format, such as `jelly_patch`.
        path: one or more paths, as `spark.read` takes them: files, folders and globs.
        order: how to order the patches. `chain`: by their headers `id` and `prev`. `name`: by the
            paths of their files, compared by code point, then by their position in the file.
        options: read options of the format, by their names in Spark or in `snake_case`.

    Returns:
        A DataFrame with the columns of the format, partition columns, and `log_seq`, a bigint: the
        0-based position of the patch in the log.

    Raises:
        LogError: the patches do not form one chain, or a file has no patch with an `id`.
        MissingPackageError: PySpark is not installed.
        OptionError: `order` is not one of its values, the format is not a patch format, or a
            partition column is called `log_seq`.
        pyspark.errors.PySparkException: the files or the format do not exist; or, when the query
            runs, one of several patches in a file has neither `id` nor `prev`.
    """
    with needs_extra("spark", "read_log needs PySpark"):
        from pyspark.sql import functions as F

    if order not in _ORDERS:
        raise OptionError(f"order must be one of: {', '.join(_ORDERS)}; not {order!r}")
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    given = {camel(name): value for name, value in options.items()}
    reader = spark.read.format(format).options(**given)
    rows = reader.load([os.fspath(one) for one in paths])
    columns = rows.columns
    if "op" not in columns:
        raise OptionError(f"read_log reads patches, and {format} is not a patch format")
    if "log_seq" in map(str.lower, columns):
        raise OptionError("log_seq must not be a partition column: read_log adds this column")
    rows = rows.withColumn(_FILE, F.col("_metadata.file_path"))
    found = _by_name(rows) if order == "name" else _by_chain(rows)
    # The name of a partition column may have dots.
    quoted = (name.replace("`", "``") for name in columns)
    return found.select(*(f"`{name}`" for name in quoted), "log_seq")


def _by_name(rows: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    lasts = rows.groupBy(_FILE).agg(F.max("patch")).collect()
    before, firsts = 0, []
    for file, last in sorted(tuple(row) for row in lasts):
        firsts.append((file, before))
        before += last + 1
    spark = rows.sparkSession
    places = F.broadcast(spark.createDataFrame(firsts, f"{_FILE} string, _first bigint"))
    known = rows.where(F.col(_FILE).isin([file for file, _ in firsts]))
    return known.join(places, _FILE).withColumn("log_seq", F.col("_first") + F.col("patch"))


def _by_chain(rows: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F
    from pyspark.sql.types import StructType

    from jelly_spark.algebra.headers import collect_headers
    from jelly_spark.functions import struct_to_term

    value = F.col("value")
    if isinstance(rows.schema["value"].dataType, StructType):
        value = struct_to_term(value)
    headers = collect_headers(rows, _FILE, "patch", value=value)
    # The patches that have a header `id` or `prev`.
    patches = [Entry(*found, file=file, patch=patch) for (file, patch), found in headers.items()]
    files = sorted({each.file for each in patches})
    known = F.col(_FILE).isin(files)
    if len(rows.inputFiles()) > len(files):
        stray = rows.where(~known).select(_FILE).first()
        if stray is not None:
            raise LogError(
                f"{stray[0]} has no patch with a header id, so it has no place in the log: give "
                "order='name' if the names of the files have the order of the patches"
            )
    places = [(each.file, each.patch, each.position) for each in chain_order(patches)]
    columns = f"{_FILE} string, patch bigint, log_seq bigint"
    found = F.broadcast(rows.sparkSession.createDataFrame(places, columns))
    missing = F.concat(
        F.lit("patch "),
        F.col("patch"),
        F.lit(" of "),
        F.col(_FILE),
        F.lit(" has no header id, so it has no place in the log"),
    )
    place = F.coalesce("log_seq", F.raise_error(missing).cast("bigint"))
    return rows.where(known).join(found, [_FILE, "patch"], "left").withColumn("log_seq", place)
