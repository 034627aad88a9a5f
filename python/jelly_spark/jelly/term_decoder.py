"""From messages to terms: lookups, repeated terms, literals, quoted triples."""

from __future__ import annotations

from typing import Any

from jelly_spark._proto.rdf_pb2 import (
    RdfDatatypeEntry,
    RdfIri,
    RdfLiteral,
    RdfNameEntry,
    RdfPrefixEntry,
    RdfQuad,
    RdfTriple,
)
from jelly_spark.core.terms import (
    MAX_NESTING,
    escape_lexical,
    format_blank_node,
    format_datatype,
    format_language,
    format_quoted,
)
from jelly_spark.core.violation import Violation
from jelly_spark.jelly.lookups import DecoderLookup, IriDecoder
from jelly_spark.jelly.options import TableSizes


class TermDecoder:
    """Decodes the terms of one stream, in their order (Jelly-RDF, "RDF terms").

    Args:
        sizes: the most entries of the lookups.
    """

    __slots__ = (
        "_datatypes",
        "_graph",
        "_graph_set",
        "_iris",
        "_object",
        "_predicate",
        "_subject",
    )

    def __init__(self, sizes: TableSizes) -> None:
        self._iris = IriDecoder(sizes.max_prefix_table_size, sizes.max_name_table_size)
        self._datatypes = DecoderLookup(sizes.max_datatype_table_size, "datatype")
        # The terms that repeats refer to; a graph can be None, the default graph, and still be set.
        self._subject: str | None = None
        self._predicate: str | None = None
        self._object: str | None = None
        self._graph: str | None = None
        self._graph_set = False

    def set_name(self, entry: RdfNameEntry) -> None:
        """Take an entry of the name lookup, as `DecoderLookup.set` does."""
        self._iris.set_name(entry.id, entry.value)

    def set_prefix(self, entry: RdfPrefixEntry) -> None:
        """Take an entry of the prefix lookup, as `DecoderLookup.set` does."""
        self._iris.set_prefix(entry.id, entry.value)

    def set_datatype(self, entry: RdfDatatypeEntry) -> None:
        """Take an entry of the datatype lookup, as `DecoderLookup.set` does."""
        # Kept in the form that literals need.
        self._datatypes.set(entry.id, format_datatype(entry.value))

    def triple(self, message: RdfTriple | RdfQuad) -> tuple[str, str, str]:
        """Return a statement's subject, predicate and object; one left out repeats the last.

        Raises:
            Violation: a term is malformed, or left out where there is none before it.
        """
        field: str | None = message.WhichOneof("subject")
        if field is not None:
            self._subject = self.term(message, field)
        elif self._subject is None:
            raise Violation("a subject", "none, and none before to repeat")
        field = message.WhichOneof("predicate")
        if field is not None:
            self._predicate = self.term(message, field)
        elif self._predicate is None:
            raise Violation("a predicate", "none, and none before to repeat")
        field = message.WhichOneof("object")
        if field is not None:
            self._object = self.term(message, field)
        elif self._object is None:
            raise Violation("an object", "none, and none before to repeat")
        return self._subject, self._predicate, self._object

    def graph(self, message: Any, field: str) -> str | None:
        """Return the graph in a field, named `g_iri` and so on; None is the default graph.

        Raises:
            Violation: the term is malformed.
        """
        return None if field == "g_default_graph" else self.term(message, field)

    def repeated_graph(self, message: Any, *, required: bool) -> str | None:
        """Return the graph of a message; one left out repeats the last.

        Args:
            message: what has a oneof `graph`.
            required: whether there must be a last one then; if not, it is the default graph.

        Raises:
            Violation: the term is malformed, or left out where there is none before it.
        """
        field: str | None = message.WhichOneof("graph")
        if field is not None:
            self._graph = self.graph(message, field)
            self._graph_set = True
        elif required and not self._graph_set:
            raise Violation("a graph", "none, and none before to repeat")
        return self._graph

    def iri(self, iri: RdfIri) -> str:
        """Return the IRI's term.

        Raises:
            Violation: it refers to an entry of a lookup that was never set.
        """
        return self._iris.decode(iri.prefix_id, iri.name_id)

    def term(self, message: Any, field: str, depth: int = 0) -> str:
        """Return the term in a field, whose name says its kind: `s_iri`, `h_literal` and so on.

        Args:
            message: what has the field.
            field: its name.
            depth: how many triples are quoted around the term.

        Raises:
            Violation: the term is malformed.
        """
        value = getattr(message, field)
        kind = field[2:]
        if kind == "iri":
            return self._iris.decode(value.prefix_id, value.name_id)
        if kind == "literal":
            return self._literal(value)
        if kind == "bnode":
            return format_blank_node(value)
        return self._quoted(value, depth + 1)

    def _literal(self, literal: RdfLiteral) -> str:
        lexical = escape_lexical(literal.lex)
        kind = literal.WhichOneof("literal_kind")
        if kind is None:
            return f'"{lexical}"'
        if kind == "langtag":
            return f'"{lexical}"{format_language(literal.langtag)}'
        if literal.datatype == 0:
            raise Violation("a datatype id", "id 0")
        return f'"{lexical}"{self._datatypes.get(literal.datatype)}'

    def _quoted(self, triple: RdfTriple, depth: int) -> str:
        if depth > MAX_NESTING:
            raise Violation(f"triples quoted at most {MAX_NESTING} deep", "deeper ones")
        terms = []
        for position in ("subject", "predicate", "object"):
            field: str | None = triple.WhichOneof(position)
            if field is None:
                raise Violation("all terms of a quoted triple", f"no {position}")
            terms.append(self.term(triple, field, depth))
        return format_quoted(*terms)
