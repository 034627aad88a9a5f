"""From messages to terms: lookups, repeated terms, literals, quoted triples."""

from __future__ import annotations

from typing import Any

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfLiteral, RdfQuad, RdfTriple
from jelly_spark.core.memo import Memo
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
from jelly_spark.jelly.wire import BYTES, NotPlainError, second_byte, tag

NO_TERM = ""
"""What stands for a term that there was none of yet; no term is like that."""

_POSITIONS = (("subject", "a subject"), ("predicate", "a predicate"), ("object", "an object"))
_GRAPH = 3
_LEX = tag(RdfLiteral, "lex", BYTES)[0]


class TermDecoder:
    """Decodes the terms of one stream, in their order (Jelly-RDF, "RDF terms").

    Args:
        sizes: the most entries of the lookups.
        restarted: whether reading began at a restart point: then nothing refers to what was before.

    Attributes:
        iris: what makes IRIs.
        literals: by its message's bytes, a literal that is as writers write it.
        last: the terms that repeats refer to, subject, predicate, object and graph. None is the
            default graph, which is also repeated where there was no graph before, at the start.
    """

    __slots__ = ("_datatypes", "_endings", "_restarted", "iris", "last", "literals")

    def __init__(self, sizes: TableSizes, *, restarted: bool) -> None:
        prefixes, names = sizes.max_prefix_table_size, sizes.max_name_table_size
        self.iris = IriDecoder(prefixes, names, restarted=restarted)
        self._datatypes = DecoderLookup(
            sizes.max_datatype_table_size, "datatype", restarted=restarted
        )
        self._restarted = restarted
        # By what follows its lexical form in its message: how a literal's term ends.
        self._endings: Memo[bytes, str] = Memo(self._ending)
        self.literals: Memo[bytes, str] = Memo(self._plain_literal)
        self.last: list[str | None] = [NO_TERM] * 4

    def set_datatype(self, wire_id: int, text: str) -> None:
        """Take an entry of the datatype lookup, as `DecoderLookup.set` does."""
        # Kept in the form that literals need.
        self._datatypes.set(wire_id, format_datatype(text))
        self.literals.clear()
        self._endings.clear()

    def triple(self, message: RdfTriple | RdfQuad) -> tuple[str | None, str | None, str | None]:
        """Return a statement's subject, predicate and object; one left out repeats the last.

        Raises:
            Violation: a term is malformed, or left out where there is none before it.
        """
        for position, (oneof, expected) in enumerate(_POSITIONS):
            field: str | None = message.WhichOneof(oneof)
            if field is not None:
                self.last[position] = self.term(message, field)
            elif self.last[position] == NO_TERM:
                raise Violation(expected, "none, and none before to repeat")
        subject, predicate, obj, _ = self.last
        return subject, predicate, obj

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
            required: whether there must be a last one then; if not, it is the default graph, but
                not behind a restart point.

        Raises:
            Violation: the term is malformed, or left out where there is none before it.
        """
        field: str | None = message.WhichOneof("graph")
        if field is not None:
            self.last[_GRAPH] = self.graph(message, field)
        elif self.last[_GRAPH] == NO_TERM:
            if required or self._restarted:
                raise Violation("a graph", "none, and none before to repeat")
            return None
        return self.last[_GRAPH]

    def iri(self, iri: RdfIri) -> str:
        """Return the IRI's term.

        Raises:
            Violation: it refers to an entry of a lookup that was never set.
        """
        return self.iris.decode(iri.prefix_id, iri.name_id)

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
            return self.iris.decode(value.prefix_id, value.name_id)
        if kind == "literal":
            return self._literal(value)
        if kind == "bnode":
            return format_blank_node(value)
        return self._quoted(value, depth + 1)

    def _literal(self, literal: RdfLiteral) -> str:
        return f'"{escape_lexical(literal.lex)}{self._end_of(literal)}'

    def _end_of(self, literal: RdfLiteral) -> str:
        """Return what follows the lexical form of a literal's term."""
        kind = literal.WhichOneof("literal_kind")
        if kind is None:
            return '"'
        if kind == "langtag":
            return f'"{format_language(literal.langtag)}'
        if literal.datatype == 0:
            raise Violation("a datatype id", "id 0")
        return f'"{self._datatypes.get(literal.datatype)}'

    def _plain_literal(self, data: bytes) -> str:
        """Return the literal of a message that is as writers write it."""
        if not data or data[0] != _LEX:
            return f'"{self._endings[data]}'
        size = data[1]
        begin = 2
        if size > 127:
            size += second_byte(data, 2)
            begin = 3
        end = begin + size
        if end > len(data):
            raise NotPlainError
        return f'"{escape_lexical(data[begin:end].decode())}{self._endings[data[end:]]}'

    def _ending(self, data: bytes) -> str:
        literal = RdfLiteral.FromString(data)
        if literal.lex or literal.SerializeToString() != data:
            raise NotPlainError
        return self._end_of(literal)

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
