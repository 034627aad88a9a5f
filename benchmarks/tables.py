"""Writing figures as tables in Markdown."""

from __future__ import annotations

from collections.abc import Mapping


def table(
    rows: Mapping[str, Mapping[str, object]],
    corner: str = "",
    *,
    digits: int = 2,
    right: bool = False,
) -> list[str]:
    """Return the lines of a table.

    Args:
        rows: the cells, by the names of their rows and columns. The columns have the order in which
            rows name them. A row need not have all of them.
        corner: the heading of the names of rows.
        digits: the digits of numbers after the point. Integers have none.
        right: whether columns are aligned to the right, but for the first.
    """
    names = dict.fromkeys(name for cells in rows.values() for name in cells)
    lines = [[corner, *names], ["---", *(["---:" if right else "---"] * len(names))]]
    for row, cells in rows.items():
        lines.append([row, *(_text(cells.get(name), digits) for name in names)])
    return [f"| {' | '.join(line)} |" for line in lines]


def _text(cell: object, digits: int) -> str:
    if isinstance(cell, float):
        return f"{cell:,.{digits}f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, list):
        return " / ".join(_text(each, digits) for each in cell)
    return "" if cell is None else str(cell)


def named(figures: Mapping[str, object]) -> str:
    """Return names and values as text."""
    return ", ".join(f"{name} {value}" for name, value in figures.items())
