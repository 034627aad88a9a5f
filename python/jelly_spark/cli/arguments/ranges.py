"""Ranges of ordinals, such as `10:20`, and the rows that they select."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import click

_RANGE = re.compile(r"(\d{0,18})(:?)(\d{0,18})")


class Range(NamedTuple):
    """Ordinals from `start` to before `end`; None for no end."""

    start: int = 0
    end: int | None = None


class RangeType(click.ParamType[Range]):
    """The type of an option whose value is a range: `A:B`, `A:`, `:B`, or `A` for that one."""

    name = "A:B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Range:
        """Return the range."""
        if isinstance(value, Range):
            return value
        match = _RANGE.fullmatch(value)
        if match is None or value == "":
            self.fail(f"{value!r} is not a range: write A:B, A:, :B or A", param, ctx)
        first, colon, last = match.groups()
        start = int(first or 0)
        if not colon:
            return Range(start, start + 1)
        end = int(last) if last else None
        if end is not None and end < start:
            self.fail(f"{value!r} is not a range: {end} comes before {start}", param, ctx)
        return Range(start, end)


def select_rows(rows: Iterable[Any], ranges: dict[str, Range]) -> Iterator[Any]:
    """Yield the rows whose ordinals are in all ranges; stop reading after the last of them.

    Args:
        rows: the rows of a file, in order.
        ranges: the range of each column: `patch`, `tx` or `seq`. A row outside transactions is in
            no range of `tx`.
    """
    columns = [(column, start, end) for column, (start, end) in ranges.items()]
    for row in rows:
        for column, start, end in columns:
            ordinal = getattr(row, column)
            if ordinal is None:
                break
            # The ordinals of a column never decrease.
            if end is not None and ordinal >= end:
                return
            if ordinal < start:
                break
        else:
            yield row
