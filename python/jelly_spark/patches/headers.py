"""The headers that give a patch its position in a log."""

from __future__ import annotations

from typing import NamedTuple

from jelly_spark.core.rows import PatchRow


class Headers(NamedTuple):
    """The headers of a patch that give its position in a log.

    Attributes:
        id: the header `id`; None if the patch has none.
        prev: the header `prev`; None if the patch has none.
    """

    id: str | None = None
    prev: str | None = None

    def after(self, header: PatchRow) -> Headers:
        """Return the headers after another `H` row. The last one of a key counts, as in Jena."""
        if header.name in Headers._fields:
            return self._replace(**{header.name: header.value})
        return self
