"""IRIs as people read and write them on a terminal: shortened by the prefixes of a log."""

from __future__ import annotations

import re
from collections import ChainMap
from functools import cached_property

import click

from jelly_spark.cli.terminal.output import is_terminal
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log

_LOCAL = re.compile(r"(?:\w[\w\-]*(?:\.[\w\-]+)*)?")
"""The local names that need no escapes in Turtle, and more."""

_SCHEMES = ("data", "did", "doi", "file", "info", "mailto", "tag", "urn")
"""Schemes of IRIs without `//` that are no prefixes in arguments."""


class ShortIris:
    """Shortens IRIs by the prefixes of logs, those of their default graphs, and expands them.

    Args:
        logs: the logs, whose prefixes are read once, when they are needed; None for no log.
    """

    def __init__(self, *logs: Log[PatchRow] | None) -> None:
        self._logs = [log for log in logs if log is not None]

    @cached_property
    def _prefixes(self) -> list[dict[str, str]]:
        """The IRIs of the prefixes of each log in its last version, by their names."""
        all = (log.prefixes_at().items() for log in self._logs)
        return [{name: iri for (graph, name), iri in each if graph is None} for each in all]

    @cached_property
    def _names(self) -> dict[str, str]:
        """The names of the prefixes by namespaces, the longest namespace first."""
        found: dict[str, str] = {}
        for prefixes in self._prefixes:
            for name, iri in prefixes.items():
                if iri != "<>":
                    found.setdefault(iri[:-1], name)
        return dict(sorted(found.items(), key=lambda item: len(item[0]), reverse=True))

    def shorten(self, cell: object) -> object:
        """Return a cell of a table, shortened if it is an IRI: `ex:cup`. In a pipe, it stays."""
        if not isinstance(cell, str) or not cell.startswith("<") or cell.startswith("<<"):
            return cell
        for namespace, name in self._names.items() if is_terminal() else ():
            if cell.startswith(namespace):
                local = cell[len(namespace) : -1]
                if _LOCAL.fullmatch(local):
                    return f"{name}:{local}"
        return cell

    def expand(self, argument: str) -> str:
        """Return the IRI of an argument such as `ex:cup`; other arguments stay as they are.

        An argument with an unknown prefix is an IRI without brackets if the logs have no prefixes.

        Raises:
            UsageError: the logs have other prefixes, and this is not one of the common schemes of
                IRIs.
        """
        name, colon, local = argument.partition(":")
        if not colon or argument.startswith(("<", "_:", '"')) or local.startswith("//"):
            return argument
        if name.lower() in _SCHEMES:
            return argument
        known = ChainMap(*self._prefixes)
        if name in known:
            return f"{known[name][:-1]}{local}>"
        if not known:
            return argument
        raise click.UsageError(
            f"{name!r} is not a prefix of the log, whose prefixes are: {', '.join(sorted(known))}; "
            f"if {argument!r} is an IRI, write <{argument}>"
        )
