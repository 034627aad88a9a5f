"""pyoxigraph: terms, patches for stores, and the statements of stores as rows.

    from pyoxigraph import Store
    from jelly_spark import codec
    from jelly_spark.integrations.oxigraph import apply_patch, rows

    store = Store()
    apply_patch(store, codec.read("changes.jellyp"))
    codec.write("state.jelly", rows(store))

It needs the extra `jelly-spark[oxigraph]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from jelly_spark.core import terms
from jelly_spark.core.packages import needs_extra
from jelly_spark.core.rows import PatchRow, RdfRow, StatementTuple, triple_columns, unwritable
from jelly_spark.core.term_patterns import COMMON_TAG
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.errors import InvalidTermError, OptionError
from jelly_spark.integrations.net_changes import converted, net_changes

with needs_extra("oxigraph", "jelly_spark.integrations.oxigraph needs a package"):
    import pyoxigraph as ox

__all__ = ["OxigraphTerm", "apply_patch", "from_oxigraph", "load", "rows", "to_oxigraph"]

OxigraphTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
"""A term of pyoxigraph."""

_DEFAULT_GRAPH = ox.DefaultGraph()
_IRI = r'<([^\x00-\x20<>"{}|^`\\]*)>'
# An IRI or a literal without escapes. Datatypes of literals with language tags are left out.
_COMMON = re.compile(
    rf'{_IRI}|"([^"\\\n\r]*)"(?:@({COMMON_TAG})|\^\^(?![^>]*[lL]angString>){_IRI})?'
)
# How many terms are kept, in case they come again.
_CACHED_TERMS = 1 << 16


def to_oxigraph(term: str) -> OxigraphTerm:
    """Return a term as pyoxigraph's `NamedNode`, `BlankNode`, `Literal` or `Triple`.

    Lexical forms and blank node labels stay as they are. pyoxigraph writes language tags in lower
    case.

        to_oxigraph('"Tasse"@de').language  # 'de'

    Args:
        term: a term in N-Triples syntax.

    Raises:
        InvalidTermError: the string is not a term; or pyoxigraph has no such term: an IRI that is
            not absolute or not valid, a language tag that is not well-formed, or a label that `_:`
            cannot hold.
    """
    return _convert_common(term) or _convert(parse_term(term))


def _convert_common(term: str) -> OxigraphTerm | None:
    """Convert a term of a common shape, without parsing it; None for others, and for errors."""
    try:
        match = _COMMON.fullmatch(term)
        if match is None:
            return None
        iri, lexical, tag, datatype = match.groups()
        if iri is not None:
            return ox.NamedNode(iri)
        if tag is not None:
            return ox.Literal(lexical, language=tag)
        if datatype is not None:
            return ox.Literal(lexical, datatype=ox.NamedNode(datatype))
        return ox.Literal(lexical)
    except (TypeError, ValueError):
        return None


def _convert(term: terms.Term) -> OxigraphTerm:
    try:
        if isinstance(term, terms.Iri):
            return ox.NamedNode(term.value)
        if isinstance(term, terms.BlankNode):
            return ox.BlankNode(term.label)
        if isinstance(term, terms.TripleTerm):
            parts: list[Any] = [
                _convert(part) for part in (term.subject, term.predicate, term.object)
            ]
            return ox.Triple(*parts)
        if term.language is not None:
            direction = None if term.direction is None else ox.BaseDirection(term.direction)
            return ox.Literal(term.lexical, language=term.language, direction=direction)
        if term.datatype is not None:
            return ox.Literal(term.lexical, datatype=ox.NamedNode(term.datatype))
        return ox.Literal(term.lexical)
    except InvalidTermError:
        # Of a part of a triple term.
        raise
    except (TypeError, ValueError) as error:
        raise InvalidTermError(f"pyoxigraph has no term {format_term(term)}: {error}") from None


def from_oxigraph(term: object) -> str:
    """Return a term of pyoxigraph as a string in N-Triples syntax.

        from_oxigraph(pyoxigraph.Literal(7))  # '"7"^^<http://www.w3.org/2001/XMLSchema#integer>'

    Args:
        term: a `NamedNode`, a `BlankNode`, a `Literal` or a `Triple`.

    Raises:
        InvalidTermError: the term is something else, such as a `Variable`, or nests triples more
            than 63 deep.
    """
    return format_term(_parse(term))


def _parse(term: object) -> terms.Term:
    if isinstance(term, ox.NamedNode):
        return terms.Iri(term.value)
    if isinstance(term, ox.BlankNode):
        return terms.BlankNode(term.value)
    if isinstance(term, ox.Literal):
        if term.language is None:
            return terms.Literal(term.value, None, term.datatype.value)
        direction = None if term.direction is None else term.direction.value
        return terms.Literal(term.value, term.language, None, direction)
    if isinstance(term, ox.Triple):
        return terms.TripleTerm(*map(_parse, term))
    raise InvalidTermError(
        "a term must be a NamedNode, a BlankNode, a Literal or a Triple of pyoxigraph, not "
        f"{type(term).__name__}"
    )


def apply_patch(store: ox.Store, rows: Iterable[PatchRow]) -> None:
    """Apply the rows of patches to a store of pyoxigraph.

        store = pyoxigraph.Store()
        apply_patch(store, codec.read("changes.jellyp"))
        len(store)  # 1

    Aborted transactions have no effect. All rows are read and checked before the first change, so
    an error in them leaves the store as it was. Until then, the changed statements are held in
    memory. After an error of the store itself, statements that were deleted are added again. But
    pyoxigraph has no transactions in Python: a reader at the same time can see the state after the
    deletions, and a process that is killed may leave it in a store on disk.

    Prefixes are ignored, because a store has none. A store keeps values, not lexical forms: for it,
    `"01"^^xsd:integer`, `"1"^^xsd:integer` and `"1"^^xsd:byte` are one term, so deleting one of
    them deletes them all.

    Args:
        store: the store to change.
        rows: the rows of the patches, in order.

    Raises:
        MalformedInputError: the rows are read from a file that breaks its format.
        OptionError: `store` is not a `Store`, or an item of `rows` is not a `PatchRow`.
        OSError, RuntimeError: the store cannot be changed, or is read-only.
        PatchError: a transaction is neither committed nor aborted in its patch.
        UnwritableRowError: a row is not valid, or has what pyoxigraph cannot hold; see
            `to_oxigraph`.
    """
    _check_store(store)
    changes = net_changes(rows).statements
    quads = _Quads()
    deleted: list[ox.Quad] = []
    added: list[ox.Quad] = []
    for statement, op in changes.items():
        try:
            (added if op == "A" else deleted).append(quads.quad(*statement))
        except InvalidTermError as error:
            raise unwritable(error, PatchRow(op, *statement)) from None
    removed: list[ox.Quad] = []
    try:
        for quad in deleted:
            if quad in store:
                store.remove(quad)
                removed.append(quad)
        store.extend(added)
    except BaseException:
        if removed:
            store.extend(removed)
        raise


def rows(source: Iterable[ox.Quad | ox.Triple]) -> Iterator[RdfRow]:
    """Yield the statements of a store, a dataset, a parser or a CONSTRUCT query, in their order.

        codec.write("state.jelly", rows(store))
        codec.write("data.jelly", rows(pyoxigraph.parse(path="data.nt")))

    Raises:
        OptionError: `source` is something else.
        OSError, SyntaxError: the source cannot be read.
    """
    if not isinstance(source, Iterable):
        raise OptionError(f"expected statements of pyoxigraph, not {type(source).__name__}")
    for item in source:
        if not isinstance(item, (ox.Quad, ox.Triple)):
            raise OptionError(f"expected statements of pyoxigraph, not {type(item).__name__}")
        subject, predicate, obj = map(from_oxigraph, (item.subject, item.predicate, item.object))
        name = item.graph_name if isinstance(item, ox.Quad) else _DEFAULT_GRAPH
        graph = None if isinstance(name, ox.DefaultGraph) else from_oxigraph(name)
        yield RdfRow(subject, predicate, obj, graph)


def load(store: ox.Store, rows: Iterable[RdfRow | StatementTuple]) -> None:
    """Add the statements of rows to a store, with its bulk loader; rows of namespaces are ignored.

        load(store, codec.read("data.jelly"))
        load(store, Log("log").state_at())

    The rows are not held in memory. After an error, the store may have some of the statements.

    Args:
        store: the store to change.
        rows: the statements, as rows, or as tuples of three or four terms.

    Raises:
        MalformedInputError: the rows are read from a file that breaks its format.
        OptionError: `store` is not a `Store`.
        OSError: the store cannot be changed.
        UnwritableRowError: a row is not valid, or has what pyoxigraph cannot hold; see
            `to_oxigraph`.
    """
    _check_store(store)
    quads = _Quads()

    def quad(row: RdfRow) -> ox.Quad | None:
        return quads.quad(*triple_columns(row), row.graph) if row.name is None else None

    store.bulk_extend(made for made in converted(rows, quad) if made is not None)


def _check_store(store: object) -> None:
    if not isinstance(store, ox.Store):
        raise OptionError(f"expected a Store of pyoxigraph, not {type(store).__name__}")


class _Quads:
    """Makes quads of pyoxigraph; terms that come again are converted once."""

    def __init__(self) -> None:
        # The annotation is that of the constructor of a quad, which checks the kinds of the terms.
        self._term: Callable[[str], Any] = lru_cache(_CACHED_TERMS)(to_oxigraph)

    def quad(self, subject: str, predicate: str, obj: str, graph: str | None) -> ox.Quad:
        """Return the quad of a statement.

        Raises:
            InvalidTermError: pyoxigraph cannot hold the statement.
        """
        term = self._term
        name = _DEFAULT_GRAPH if graph is None else term(graph)
        try:
            return ox.Quad(term(subject), term(predicate), term(obj), name)
        except TypeError as error:
            raise InvalidTermError(f"pyoxigraph has no such statement: {error}") from None
