"""Appending patches of others: the headers `id` and `prev` that they lack are added."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from jelly_spark.errors import LogConflictError
from jelly_spark.log.engines.engine import Engine
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.order import new_id
from jelly_spark.log.entries.view import LogView
from jelly_spark.patches.log_rows import Headers


def append_assigned(
    engine: Engine,
    look: Callable[[], LogView],
    patches: Iterable[Any],
    append: Callable[[Iterable[Any]], Iterator[Entry]],
) -> Iterator[Entry]:
    """Append patches, with the headers that they lack.

    If another program appends first, a patch that had no `prev` gets that of the new last patch.

    Args:
        engine: prepares the patches.
        look: returns the patches that the log has now.
        patches: the patches.
        append: appends patches that have their headers, each when its entry is asked for.

    Raises:
        LogConflictError: the `prev` of a patch is not the id of the last patch.
    """
    waiting = iter(patches)
    # The patch that is being appended, and the last patch of the log when it got its headers.
    rows: Any = None
    head: str | None = None

    def with_headers() -> Iterator[Any]:
        nonlocal rows, head
        for patch in waiting:
            rows = engine.prepare(patch)
            headers, view = engine.headers(rows), look()
            found, head = _complete(headers, view), view.head
            yield rows if found == headers else engine.with_headers(rows, found)

    while True:
        try:
            yield from append(with_headers())
        except LogConflictError:
            if head == look().head or engine.headers(rows).prev is not None:
                raise
            waiting = chain([rows], waiting)
        else:
            return


def _complete(headers: Headers, view: LogView) -> Headers:
    """Return headers with a new `id` if they have none, and the `prev` that they lack.

    A patch that the log has already gets the `prev` that it has there.
    """
    id, prev = headers
    if prev is None:
        there = None if id is None else view.find(id)
        prev = view.head if there is None else view.entry(there).prev
    return Headers(id or new_id(), prev)
