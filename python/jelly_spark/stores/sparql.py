"""Any store with SPARQL 1.1 Update."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import groupby, islice
from operator import attrgetter
from urllib.parse import quote

from jelly_spark import codec
from jelly_spark.core.rows import PatchRow, RdfRow
from jelly_spark.core.terms import (
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    parse_term,
)
from jelly_spark.core.terms.skolem_iris import skolem_iri
from jelly_spark.errors import StoreError
from jelly_spark.formats.sparql_update.options import SparqlUpdateOptions
from jelly_spark.formats.sparql_update.writer import SparqlUpdateWriter
from jelly_spark.patches import Statement
from jelly_spark.stores.http import check_url
from jelly_spark.stores.store import TripleStore

_LOAD_SIZE = 100_000
"""The most statements in one request of the first load."""

# How terms begin that are blank nodes or may contain some.
_MAY_BE_BLANK = ("_:", "<_:", "<<")

# A segment `.` or `..` in the path of an IRI (RFC 3986, 5.2.4).
_HAS_DOT_SEGMENT = re.compile(r"[^:/?#]*:(?://[^/?#]*)?(?:[^?#]*/)?\.\.?(?:[/?#]|$)")


class SparqlStore(TripleStore):
    """A store with SPARQL 1.1 Update. Each patch is one request, which it applies as a whole.

        store = SparqlStore("http://localhost:7878/update", query="http://localhost:7878/query")

    Args:
        update: the URL of the update service.
        query: the URL of the query service; by default, that of the update service.
        graph_store: the URL of the service with the Graph Store Protocol. If it is given, the first
            load uses it, which is faster than updates in most stores. Its requests do not have the
            position, so it is not noticed if the store carries one out late.
        skolem_base: the beginning of the IRIs that replace blank nodes, an absolute IRI. By
            default, blank nodes are rejected, because SPARQL cannot delete them by their labels.
        timeout: how long a request and its answer may take, in seconds.
        retries: how often a request is repeated after a transient error.

    Raises:
        OptionError: a URL or IRI is not valid, a URL has credentials, or a number is out of range.
    """

    def __init__(
        self,
        update: str,
        *,
        query: str | None = None,
        graph_store: str | None = None,
        skolem_base: str = "",
        timeout: int = 120,
        retries: int = 5,
    ) -> None:
        super().__init__(update, query, timeout, retries)
        self.skolem_base = skolem_base
        self._graph_store = None if graph_store is None else check_url(graph_store)
        self.loads = graph_store is not None
        self._options = SparqlUpdateOptions(skolem_base=skolem_base)

    def send(self, rows: Sequence[PatchRow]) -> None:
        """Send rows as one update; see `TripleStore.send`."""
        body = BytesIO()
        with SparqlUpdateWriter(body, self._options) as writer:
            writer.write_all(rows)
        self.http.post(self.url, body.getvalue(), "application/sparql-update")

    def check(self, statements: Iterable[Statement]) -> None:
        """Check that SPARQL keeps the terms as they are; see `TripleStore.check`.

        Raises:
            StoreError: there is a blank node that is not replaced, an IRI that is like those that
                replace blank nodes, or an IRI with dot segments.
        """
        for statement in statements:
            for term in statement:
                if term is not None and self._may_be_unsuitable(term):
                    self._check_term(term)

    def _may_be_unsuitable(self, text: str) -> bool:
        """Return whether a term must be parsed to check it."""
        return (
            text.startswith(_MAY_BE_BLANK)
            or "/." in text
            or ":." in text
            or (self.skolem_base != "" and self.skolem_base in text)
        )

    def _check_term(self, text: str) -> None:
        for term in _terms_in(parse_term(text)):
            if isinstance(term, BlankNode):
                if not self.skolem_base:
                    raise StoreError(
                        f"{text} has a blank node, which SPARQL cannot delete by its label later: "
                        "give a `skolem_base`, such as "
                        "https://example.org/.well-known/genid/, to replace blank nodes with IRIs; "
                        "or use Fuseki's patch service (`FusekiStore`)"
                    )
                iri = skolem_iri(self.skolem_base, term.label)
            else:
                iri = term.value
                if self.skolem_base and iri.startswith(self.skolem_base):
                    raise StoreError(
                        f"{text} begins with the `skolem_base`, as the IRIs that "
                        "replace blank nodes do: give another one"
                    )
            if _HAS_DOT_SEGMENT.match(iri):
                raise StoreError(
                    f"<{iri}> has a segment `.` or `..`, which SPARQL removes, so that it becomes "
                    "another IRI: use Fuseki's patch service (`FusekiStore`)"
                )

    def load(self, statements: Sequence[Statement], done: Callable[[int], None]) -> None:
        """Add statements with the Graph Store Protocol; see `TripleStore.load`."""
        count = 0
        for graph, in_graph in groupby(statements, attrgetter("graph")):
            url = self._graph_url(graph)
            while batch := [*islice(in_graph, _LOAD_SIZE)]:
                post = partial(self.http.post, url, self._triples(batch), "application/n-triples")
                self.http.retry(post)
                count += len(batch)
                done(count)

    def _graph_url(self, graph: str | None) -> str:
        assert self._graph_store is not None
        query = "default" if graph is None else f"graph={quote(self._replaced(graph)[1:-1], '')}"
        return f"{self._graph_store}{'&' if '?' in self._graph_store else '?'}{query}"

    def _triples(self, statements: Iterable[Statement]) -> bytes:
        body = BytesIO()
        rows = (
            RdfRow(self._replaced(subject), self._replaced(predicate), self._replaced(obj))
            for subject, predicate, obj, _ in statements
        )
        codec.write_ntriples(body, rows)
        return body.getvalue()

    def _replaced(self, text: str) -> str:
        """Return a term in which blank nodes are replaced."""
        if not text.startswith(_MAY_BE_BLANK):
            return text
        return format_term(self._without_blank_nodes(parse_term(text)))

    def _without_blank_nodes(self, term: Term) -> Term:
        if isinstance(term, BlankNode):
            return Iri(skolem_iri(self.skolem_base, term.label))
        if isinstance(term, TripleTerm):
            return TripleTerm(
                *map(self._without_blank_nodes, (term.subject, term.predicate, term.object))
            )
        return term


def _terms_in(term: Term) -> Iterator[BlankNode | Iri]:
    """Yield the blank nodes and IRIs of a term."""
    if isinstance(term, TripleTerm):
        for part in (term.subject, term.predicate, term.object):
            yield from _terms_in(part)
    elif isinstance(term, Literal):
        if term.datatype is not None:
            yield Iri(term.datatype)
    else:
        yield term
