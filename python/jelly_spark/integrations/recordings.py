"""What recording a patch gives, in whichever library."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.core.rows import PatchRow


class Recording:
    """The rows of a recorded patch, once the `with` block of `record` has ended.

    It can be iterated over again and again, written with `codec.write`, and appended to a log.
    """

    def __init__(self) -> None:
        self._rows: list[PatchRow] | None = None

    def _end(self, rows: list[PatchRow]) -> None:
        # Called by `record`.
        self._rows = rows

    def __iter__(self) -> Iterator[PatchRow]:
        """Return the rows.

        Raises:
            ValueError: the `with` block has not ended.
        """
        if self._rows is None:
            raise ValueError("the patch is recorded until the end of the with block")
        return iter(self._rows)
