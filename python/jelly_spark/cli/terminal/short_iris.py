"""IRIs as people read and write them on a terminal: shortened by the prefixes of a log."""

from __future__ import annotations

import re
from collections.abc import Callable

import click

from jelly_spark.cli.terminal.output import is_terminal
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log

_LOCAL = re.compile(r"(?:\w[\w\-]*(?:\.[\w\-]+)*)?")
"""The local names that need no escapes in Turtle, and more."""

_SCHEMES = ("data", "did", "doi", "file", "info", "mailto", "tag", "urn")
"""Schemes of IRIs without `//` that are no prefixes in arguments."""


def shortener(*logs: Log[PatchRow] | None) -> Callable[[object], object]:
    """Return a function that shortens a cell of a table if it is an IRI: `ex:cup`.

    In a pipe, it changes nothing.

    Args:
        logs: the logs whose prefixes are used, those of their default graphs; None for no log.
    """
    found: dict[str, str] = {}
    if is_terminal():
        for log in filter(None, logs):
            for name, iri in _prefixes(log).items():
                if iri != "<>":
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


def expand(argument: str, log: Log[PatchRow]) -> str:
    """Return the IRI of an argument such as `ex:cup`; other arguments stay as they are.

    An argument with an unknown prefix is an IRI without brackets if the log has no prefixes.

    Raises:
        UsageError: the log has other prefixes, and this is not one of the common schemes of IRIs.
    """
    name, colon, local = argument.partition(":")
    if not colon or argument.startswith(("<", "_:", '"')) or local.startswith("//"):
        return argument
    if name.lower() in _SCHEMES:
        return argument
    known = _prefixes(log)
    if name in known:
        return f"{known[name][:-1]}{local}>"
    if not known:
        return argument
    raise click.UsageError(
        f"{name!r} is not a prefix of the log, whose prefixes are: {', '.join(sorted(known))}; "
        f"if {argument!r} is an IRI, write <{argument}>"
    )


def _prefixes(log: Log[PatchRow]) -> dict[str, str]:
    """Return the prefixes of the default graph in the last version, by their names."""
    return {name: iri for (graph, name), iri in log.prefixes_at().items() if graph is None}
