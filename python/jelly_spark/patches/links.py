"""How patches are linked by `id` and `prev`: the facts behind the rules of a chain."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """The earlier patches that a patch is linked to, by their places; None if there is none.

    Attributes:
        twin: the first one with the same `id`.
        parent: the first one with the `id` that `prev` names.
        sibling: the first one with the same `prev`, or that has none either.
    """

    twin: int | None
    parent: int | None
    sibling: int | None


class Links:
    """The links of patches, which are added in some order.

    Attributes:
        places: the place of the first patch with each `id`.
    """

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self._followers: dict[str | None, int] = {}

    def add(self, place: int, id: str | None, prev: str | None) -> Link:
        """Add the next patch, and return its links to earlier ones."""
        twin, parent = (None if key is None else self.places.get(key) for key in (id, prev))
        link = Link(twin, parent, self._followers.get(prev))
        self._followers.setdefault(prev, place)
        if id is not None:
            self.places.setdefault(id, place)
        return link
