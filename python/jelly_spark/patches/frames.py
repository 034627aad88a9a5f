"""The differences between consecutive frames of a stream of RDF data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from jelly_spark.core.rows import MOST_SKIPPED_FRAMES, PatchRow, RdfRow
from jelly_spark.errors import OptionError
from jelly_spark.patches.canonical import PrefixChanges, canonical_rows, check_headers, number_rows
from jelly_spark.patches.sequences import numbered
from jelly_spark.patches.statements import Statement


def diff_frames(
    rows: Iterable[RdfRow],
    *,
    id: Callable[[int], str] | None = None,
    prev: str | None = None,
) -> Iterator[PatchRow]:
    """Return a log: for each frame of a stream, the patch that turns the frame before into it.

    A frame is a state: its statements without order and duplicates. The state before the first
    frame is empty. The patches are those of `diff`. A frame without rows deletes all statements of
    the frame before; after the last row, such frames are not known.

        cup = RdfRow("<urn:x:cup>", "<urn:x:price>", '"8.50"', frame=0)
        rows = [cup, cup._replace(object='"9.20"', frame=1)]
        log = patches.diff_frames(rows, id="<urn:x:price:{}>".format)
        [row.op for row in log]  # ['H', 'TX', 'A', 'TC', 'H', 'H', 'TX', 'D', 'A', 'TC']

    Blank nodes are equal if their labels are. Namespaces are ignored.

    Args:
        rows: the rows of the stream, in order: those of grouped Jelly-RDF, or of N-Triples or
            N-Quads with messages.
        id: returns the header `id` of the patch of a frame, a term, given the ordinal of the frame.
            Then each frame has a patch, and `prev` of a patch is `id` of the patch before. By
            default, there are no headers, and equal frames have no patch between them.
        prev: the header `prev` of the first patch; by default, there is none.

    Returns:
        An iterator of the rows, numbered as those of one file. At most two frames are held in
        memory. There are no `END` rows: a new value in `patch` ends a patch.

    Raises:
        InvalidTermError: `prev` or, while iterating, a result of `id` is not a term.
        OptionError: while iterating: a row has no `frame`, one that is less than that of the row
            before, or one that is greater by more than 10,000,000.
    """
    check_headers(prev=prev)
    return numbered(_patches(rows, id, prev))


def _patches(
    rows: Iterable[RdfRow], id: Callable[[int], str] | None, prev: str | None
) -> Iterator[list[PatchRow]]:
    before: set[Statement] = set()
    for frame, after in _frames(rows):
        own = None if id is None else id(frame)
        check_headers(id=own)
        if own is None and before == after:
            continue
        yield number_rows(
            canonical_rows(own, prev, PrefixChanges({}, {}), before - after, after - before)
        )
        before = after
        prev = own


def _frames(rows: Iterable[RdfRow]) -> Iterator[tuple[int, set[Statement]]]:
    """Yield the ordinal and the statements of each frame, also of those without rows."""
    current = 0
    found: set[Statement] = set()
    row = None
    for row in rows:
        if row.frame is not None and row.frame - current > MOST_SKIPPED_FRAMES:
            raise OptionError(
                f"frame must not increase by more than {MOST_SKIPPED_FRAMES}: "
                f"{row.frame} comes after {current}"
            )
        if row.frame is None or row.frame < current:
            what = "a row has none" if row.frame is None else f"{row.frame} comes after {current}"
            raise OptionError(f"rows must have a frame that does not decrease: {what}")
        while current < row.frame:
            yield current, found
            current += 1
            found = set()
        if row.subject is not None and row.predicate is not None and row.object is not None:
            found.add(Statement(row.subject, row.predicate, row.object, row.graph))
    if row is not None:
        yield current, found
