"""Python UDFs that exchange Arrow batches with Spark."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from jelly_spark.errors import MissingPackageError

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType


def call_udf(
    function: Callable[..., Any], name: str, result: DataType, *arguments: Column
) -> Column:
    """Return the column of a function's results, row by row.

    The kind of UDF is the one that has the same results in all versions of PySpark from 4.0 on.
    `arrow_udf` exists from 4.1 on.

    Args:
        function: a function of this package, or a `functools.partial` of one: the executors import
            it.
        name: the name of the function in plans.
        result: the type of its results.
        arguments: its arguments.

    Raises:
        MissingPackageError: pandas or pyarrow is not installed. PySpark would run the UDF without
            Arrow, and pass strings that are not UTF-8 with the invalid bytes replaced.
    """
    from pyspark.sql.functions import udf

    try:
        import_module("pandas")
        import_module("pyarrow")
    except ImportError as error:
        raise MissingPackageError(
            f"{name} needs the jar, or pandas and pyarrow: pip install 'pyspark[sql]' ({error})"
        ) from error

    def call(*values: Any) -> Any:
        return function(*values)

    call.__name__ = name
    made: Column = udf(call, result, useArrow=True)(*arguments)
    return made
