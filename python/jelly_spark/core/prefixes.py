"""The prefixes that a text has declared, and IRIs that they shorten."""

from __future__ import annotations

import re
from bisect import insort


class Prefixes:
    """The declared prefixes.

    Args:
        local_name: the pattern of a whole local name that needs no escapes.
    """

    def __init__(self, local_name: re.Pattern[str]) -> None:
        self._local_name = local_name
        self._iris: dict[str, str] = {}
        # The prefixes of each IRI, in the order of their declarations.
        self._names: dict[str, list[str]] = {}
        # The lengths of all IRIs that were ever declared, in ascending order.
        self._lengths: list[int] = []

    def declare(self, name: str, iri: str) -> None:
        """Declare a prefix for an IRI, replacing an earlier declaration of that prefix."""
        old = self._iris.get(name)
        if old is not None:
            self._names[old].remove(name)
        self._iris[name] = iri
        self._names.setdefault(iri, []).append(name)
        if len(iri) not in self._lengths:
            insort(self._lengths, len(iri))

    def is_declared(self, name: str, iri: str) -> bool:
        """Return whether a prefix stands for an IRI now."""
        return self._iris.get(name) == iri

    def shorten(self, iri: str) -> str | None:
        """Return a prefixed name for an IRI, with the longest namespace; None if there is none."""
        for length in reversed(self._lengths):
            names = self._names.get(iri[:length])
            if names and self._local_name.fullmatch(iri, length):
                return f"{names[-1]}:{iri[length:]}"
        return None
