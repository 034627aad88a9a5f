"""The headers of patches, read with Spark. If one is repeated, the last counts, as in Jena."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.patches.log_rows import Headers


def header(key: str, value: str = "value", place: str = "seq") -> str:
    """Return SQL for an aggregate over rows: the last header with a key; null if there is none.

    Args:
        key: the key of the header.
        value: what to return of its row.
        place: what orders the headers with this key.
    """
    return f"max_by({value}, CASE WHEN op = 'H' AND name = '{key}' THEN {place} END)"


def collect_headers(
    rows: DataFrame, *patch: str, value: Column | str = "value"
) -> dict[tuple[Any, ...], Headers]:
    """Read the headers of all patches that have an `id` or a `prev`.

    The few rows of headers are collected, so that the rows of patches are not shuffled.

    Args:
        rows: the rows of patches.
        patch: the columns that identify a patch, which are the keys of the result.
        value: the column with the terms of headers, as strings.
    """
    found = collect_values(rows, *patch, names=Headers._fields, value=value)
    return {key: Headers(**values) for key, values in found.items()}


def collect_values(
    rows: DataFrame, *patch: str, names: Sequence[str], value: Column | str = "value"
) -> dict[tuple[Any, ...], dict[str, str]]:
    """Read the headers with some keys of all patches that have one of them; see `collect_headers`.

    Returns:
        The terms of the headers of each patch, by their keys.
    """
    is_header = (F.col("op") == "H") & F.col("name").isin(*names)
    columns = rows.where(is_header).select(*patch, "seq", "name", value)
    found: dict[tuple[Any, ...], dict[str, str]] = {}
    for *key, _, name, term in sorted(map(tuple, columns.collect())):
        found.setdefault(tuple(key), {})[name] = term
    return found
