"""The ordinals that a reader gives to rows."""

from collections.abc import Iterable

from jelly_spark.core.rows import PatchRow, RowNumbering


def numbered(rows: Iterable[PatchRow]) -> list[PatchRow]:
    """Return the rows as a reader numbers them."""
    number = RowNumbering().number
    return [PatchRow(*row[:7], *number(row.op)) for row in rows]
