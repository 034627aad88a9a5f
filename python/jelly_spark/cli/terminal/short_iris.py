"""IRIs as people read them on a terminal: shortened by the prefixes of a log."""

from __future__ import annotations

import re
from collections.abc import Callable

from jelly_spark.cli.terminal.output import is_terminal
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log

_LOCAL = re.compile(r"(?:\w[\w\-]*(?:\.[\w\-]+)*)?")
"""The local names that need no escapes in Turtle, and more."""


def shortener(*logs: Log[PatchRow] | None) -> Callable[[object], object]:
    """Return a function that shortens a cell of a table if it is an IRI: `ex:cup`.

    In a pipe, it changes nothing.

    Args:
        logs: the logs whose prefixes are used, those of their default graphs; None for no log.
    """
    found: dict[str, str] = {}
    if is_terminal():
        for log in filter(None, logs):
            for (graph, name), iri in log.prefixes_at().items():
                if graph is None and iri != "<>":
                    found.setdefault(iri[:-1], name)
    # The longest namespace first.
    namespaces = sorted(found, key=len, reverse=True)

    def shorten(cell: object) -> object:
        if not isinstance(cell, str) or not cell.startswith("<") or cell.startswith("<<"):
            return cell
        for namespace in namespaces:
            if cell.startswith(namespace):
                local = cell[len(namespace) : -1]
                if _LOCAL.fullmatch(local):
                    return f"{found[namespace]}:{local}"
        return cell

    return shorten
