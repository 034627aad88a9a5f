"""Recording the changes of a graph or dataset of rdflib as a patch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rdflib import Dataset, Graph
from rdflib.store import Store

from jelly_spark import patches
from jelly_spark.core.options import check_bool
from jelly_spark.core.rows import PatchRow, RowOp, describe_row
from jelly_spark.core.terms import Iri, format_term
from jelly_spark.errors import UnwritableRowError
from jelly_spark.integrations.rdflib.statements import check_graph, graph_of
from jelly_spark.integrations.rdflib.terms import forms, from_rdflib
from jelly_spark.integrations.recordings import Recording
from jelly_spark.patches.canonical import check_headers, header_rows, number_rows
from jelly_spark.patches.statements import Prefixes, Statement, by_terms, statement_of

_Change = tuple[RowOp, Statement]
_METHODS = ("add", "addN", "remove", "remove_graph", "update", "commit", "rollback")
_ALL = (None, None, None)


@contextmanager
def record(
    target: Graph, *, id: str | None = None, prev: str | None = None, net: bool = True
) -> Iterator[Recording]:
    """Record as a patch what a `with` block changes in a dataset or graph of rdflib.

        with record(dataset, id="<urn:uuid:2>", prev="<urn:uuid:1>") as patch:
            dataset.update("INSERT DATA { GRAPH <urn:x:g> { <urn:x:s> <urn:x:p> 'new' } }")
        codec.write("patch.jellyp", patch)

    Changes are recorded however they are made: by methods of the dataset, of its graphs and of its
    store, by parsers, and by SPARQL, for which rdflib's own engine is used. Only changes that have
    an effect count. If the block raises an error, the changes before it are recorded. A rollback
    undoes the changes since the last commit; if that was before the block, also those from before
    the block. To find these, the first such rollback reads all statements twice.

    The events of rdflib's stores do not tell which statements a removal removes, and the store in
    memory has no events for removals. So the methods of the store object are replaced until the
    block ends. Another `record` of the same store may be open, if it ends later. Changes that other
    processes make in the store are not recorded.

    Args:
        target: a `Dataset`; or a `Graph`, whose statements have no graph in the patch.
        id: the header `id` of the patch, a term such as `<urn:uuid:...>`; by default, none.
        prev: the header `prev` of the patch, the `id` of the patch before it; by default, none.
        net: whether to record the net changes, as a canonical patch: deletions, then additions,
            each sorted. Otherwise, the changes are recorded in their order, after the prefixes.

    Raises:
        InvalidTermError: `id` or `prev` is not a term; or, in the block, before the change: a
            statement has something that is not an RDF term.
        OptionError: `target` or `net` has a wrong type.
        UnwritableRowError: in the block, before the change: a statement belongs to an N3 formula.
    """
    check_graph(target)
    check_headers(id=id, prev=prev)
    check_bool("net", net)
    recording = Recording()
    before = _prefixes(target)
    recorder = _Recorder(target)
    try:
        yield recording
    finally:
        recorder.stop()
        prefixes = (before, _prefixes(target))
        if net:
            ends = _ends(recorder.changes)
            recording._end(patches.diff(*ends, id=id, prev=prev, prefixes=prefixes))
        else:
            recording._end(_patch_in_order(recorder.changes, prefixes, id, prev))


def _prefixes(target: Graph) -> Prefixes:
    # A namespace manager binds rdflib's own prefixes when it is made, at its first use.
    manager = target.namespace_manager
    return {
        (None, str(name)): format_term(Iri(str(iri))) for name, iri in manager.store.namespaces()
    }


def _ends(changes: list[_Change]) -> tuple[set[Statement], set[Statement]]:
    """Return which of the changed statements were there before the changes, and which after."""
    # All changes have an effect, so the first one of a statement says whether it was there before,
    # and the last one whether it is there after.
    first = {statement: op for op, statement in reversed(changes)}
    last = {statement: op for op, statement in changes}
    return (
        {statement for statement, op in first.items() if op == "D"},
        {statement for statement, op in last.items() if op == "A"},
    )


def _patch_in_order(
    changes: list[_Change], prefixes: tuple[Prefixes, Prefixes], id: str | None, prev: str | None
) -> list[PatchRow]:
    rows: list[Any] = [row[:7] for row in patches.diff((), (), prefixes=prefixes)][1:-1]
    rows += [(op, *statement, None, None) for op, statement in changes]
    if rows:
        rows = [PatchRow("TX")[:7], *rows, PatchRow("TC")[:7]]
    return number_rows([*header_rows(id, prev), *rows])


class _Recorder:
    """Takes the place of the methods of a store that change it, and lists what they change.

    Attributes:
        changes: the changes that had an effect, in their order.
    """

    def __init__(self, target: Graph) -> None:
        self.changes: list[_Change] = []
        # The one graph to record; None for all graphs of a dataset.
        self._graph = None if isinstance(target, Dataset) else target
        self._store: Store = target.store
        # How many changes a rollback keeps; None if it may also undo changes from before the block.
        self._kept: int | None = None
        # Attributes of the store object hide the methods of its class.
        attributes = vars(self._store)
        self._hidden = {name: attributes[name] for name in _METHODS if name in attributes}
        self._original: dict[str, Callable[..., Any]] = {
            name: getattr(self._store, name) for name in _METHODS
        }
        attributes.update({name: getattr(self, f"_{name.lower()}") for name in _METHODS})

    def stop(self) -> None:
        """Give the store its methods back."""
        attributes = vars(self._store)
        for name in _METHODS:
            del attributes[name]
        attributes.update(self._hidden)

    def _add(self, triple: Any, context: Any, quoted: bool = False) -> None:
        if self._is_recorded(context):
            statement = self._statement(triple, context)
            if quoted:
                rule = "a patch cannot have statements of N3 formulas"
                raise UnwritableRowError(rule, describe_row(PatchRow("A", *statement)))
            there = self._has(triple, context)
            self._original["add"](triple, context, quoted)
            if not there:
                self.changes.append(("A", statement))
        else:
            self._original["add"](triple, context, quoted)

    def _addn(self, quads: Iterable[Any]) -> None:
        for subject, predicate, obj, context in quads:
            self._add((subject, predicate, obj), context)

    def _remove(self, pattern: Any, context: Any = None) -> None:
        found = self._find(pattern, context)
        self._original["remove"](pattern, context)
        for statement in sorted(found, key=by_terms):
            # The other form of a string may still be there.
            if not self._has(*found[statement]):
                self.changes.append(("D", statement))

    def _remove_graph(self, graph: Any) -> None:
        # Most stores call their `remove` for this; then there is nothing left to remove.
        self._remove(_ALL, graph)
        self._original["remove_graph"](graph)

    def _update(self, *_: Any, **__: Any) -> None:
        # Then rdflib runs the update with its own engine, which calls the methods above.
        raise NotImplementedError

    def _commit(self) -> None:
        self._original["commit"]()
        self._kept = len(self.changes)

    def _rollback(self) -> None:
        if self._kept is not None or not self._store.transaction_aware:
            self._original["rollback"]()
            if self._kept is not None:
                del self.changes[self._kept :]
            return
        # Only a comparison of all statements tells what was changed before the block.
        now = self._find(_ALL, self._graph)
        self._original["rollback"]()
        then = self._find(_ALL, self._graph)
        self.changes += [("D", statement) for statement in now.keys() - then]
        self.changes += [("A", statement) for statement in then.keys() - now]
        net = patches.diff(*_ends(self.changes))
        self.changes = [(row.op, statement_of(row)) for row in net if row.op in ("A", "D")]
        self._kept = len(self.changes)

    def _find(self, pattern: Any, context: Any) -> dict[Statement, tuple[Any, Any]]:
        """Return the recorded statements that match, each with its triple and its graph."""
        return {
            self._statement(triple, each): (triple, each)
            for triple, contexts in self._store.triples(pattern, context)
            for each in ([context] if context is not None else list(contexts))
            if self._is_recorded(each)
        }

    def _is_recorded(self, context: Any) -> bool:
        return self._graph is None or _identifier(context) == self._graph.identifier

    def _statement(self, triple: Any, context: Any) -> Statement:
        subject, predicate, obj = map(from_rdflib, triple)
        graph = graph_of(_identifier(context)) if self._graph is None else None
        return Statement(subject, predicate, obj, graph)

    def _has(self, triple: Any, context: Any) -> bool:
        subject, predicate, obj = triple
        return any(
            True
            for form in forms(obj)
            for _ in self._store.triples((subject, predicate, form), context)
        )


def _identifier(context: Any) -> Any:
    """Return the name of a graph; stores may give a graph or its name."""
    return context.identifier if isinstance(context, Graph) else context
