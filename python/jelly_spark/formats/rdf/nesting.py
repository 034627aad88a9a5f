"""How deep the parts of a file are nested: too deep for pyoxigraph, whose stack overflows."""

from __future__ import annotations

import re

from jelly_spark.core.malformed_input import Violation

_MOST_LEVELS = {"triple terms": 1000, "objects and arrays": 200}
"""Data has far fewer. The memory for JSON-LD grows with their square."""

# Of JSON; an escape is a mark that stands for nothing.
_MARK = re.compile(rb"\\.|[\"\[\]{}]", re.DOTALL)


class TripleTermNesting:
    """Counts the levels of triple terms in Turtle, TriG and N3.

    Those in literals and comments count, too: they have as many ends as beginnings, or few.
    """

    def __init__(self) -> None:
        self._levels = 0

    def restart(self) -> None:
        """Begin at a new statement."""
        self._levels = 0

    def watch(self, data: bytes) -> None:
        """Count in the next bytes of the file.

        Raises:
            Violation: they are nested too deep.
        """
        self._levels += data.count(b"<<(") - data.count(b")>>")
        _check(self._levels, "triple terms")


class JsonNesting:
    """Counts the levels of objects and arrays in JSON."""

    def __init__(self) -> None:
        self._levels = 0
        self._is_in_string = False
        self._escape = b""

    def watch(self, data: bytes) -> None:
        """Count in the next bytes of the file; errors as `TripleTermNesting.watch`."""
        text = self._escape + data
        slashes = len(text) - len(text.rstrip(b"\\"))
        self._escape = b"\\" * (slashes % 2)
        for mark in _MARK.findall(text):
            if mark == b'"':
                self._is_in_string = not self._is_in_string
            elif not self._is_in_string and len(mark) == 1:
                self._levels += 1 if mark in b"[{" else -1
                _check(self._levels, "objects and arrays")


def _check(levels: int, what: str) -> None:
    if levels > _MOST_LEVELS[what]:
        raise Violation(f"{what} nested at most {_MOST_LEVELS[what]} deep", "deeper ones")
