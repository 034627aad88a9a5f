"""Applying patches to graphs and datasets of rdflib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

from rdflib import Graph
from rdflib.term import Identifier

from jelly_spark.core.rows import PatchRow, unwritable
from jelly_spark.errors import InvalidTermError, UnwritableRowError
from jelly_spark.integrations.net_changes import net_changes
from jelly_spark.integrations.rdflib.statements import check_graph, context_of
from jelly_spark.integrations.rdflib.terms import forms, to_rdflib


def apply_patch(target: Graph, rows: Iterable[PatchRow]) -> None:
    """Apply the rows of patches to a dataset or graph of rdflib.

        dataset = rdflib.Dataset()
        apply_patch(dataset, codec.read("changes.jellyp"))
        len(dataset)  # 1

    Aborted transactions have no effect. All rows are read and checked before the first change, so
    an error in them leaves the target as it was. Until then, the changed statements are held in
    memory.

    Prefixes are bound in the target's namespace manager, where a prefix or IRI that is bound
    already is bound anew. rdflib cannot unbind prefixes, so a `PD` has no effect on prefixes that
    were bound before.

    rdflib takes language tags that differ in case only as equal: deleting `"a"@en` also deletes
    `"a"@EN`.

    Args:
        target: a `Dataset`; or a `Graph`, for patches without graphs.
        rows: the rows of the patches, in order.

    Raises:
        MalformedInputError: the rows are read from a file that breaks its format.
        OptionError: `target` is neither, or an item of `rows` is not a `PatchRow`.
        PatchError: a transaction is neither committed nor aborted in its patch.
        UnwritableRowError: a row is not valid, or has what rdflib cannot hold: a triple term, a
            language tag that is not well-formed, a graph in a `Graph`, a graph whose name is empty
            or a literal, or a prefix with a space.
    """
    check_graph(target)
    changes = net_changes(rows)
    for name, iri in changes.prefixes.items():
        if " " in name:
            row = PatchRow("PA", name=name, value=f"<{iri}>")
            raise unwritable(UnwritableRowError("a prefix in rdflib must not have a space"), row)
    quads = _Quads(target)
    # All terms are converted before the first change.
    deleted = [quads.quad(row) for row in _rows_of("D", changes.statements)]
    added = [quads.quad(row) for row in _rows_of("A", changes.statements)]
    for subject, predicate, obj, context in deleted:
        for form in forms(obj):
            target.store.remove((subject, predicate, form), context)
    target.store.addN(added)
    for name, iri in changes.prefixes.items():
        target.namespace_manager.bind(name, iri, override=True, replace=True)


def _rows_of(op: Any, statements: dict[Any, Any]) -> Iterator[PatchRow]:
    return (PatchRow(op, *statement) for statement, last in statements.items() if last == op)


class _Quads:
    """Makes quads of rdflib from rows; equal terms and graphs become one object."""

    def __init__(self, target: Graph) -> None:
        self._term: Callable[[Any], Identifier] = cache(to_rdflib)
        self._context: Callable[[str | None], Graph] = cache(partial(context_of, target))

    def quad(self, row: PatchRow) -> tuple[Any, Any, Any, Graph]:
        """Return the quad of an `A` or `D`.

        Raises:
            UnwritableRowError: rdflib cannot hold the statement.
        """
        try:
            subject, predicate, obj = (self._term(text) for text in row[1:4])
            return subject, predicate, obj, self._context(row.graph)
        except InvalidTermError as error:
            raise unwritable(error, row) from None
