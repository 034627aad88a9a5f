"""From messages to the canonical strings of terms: repeated terms, literals, quoted triples."""

from __future__ import annotations

from typing import Any

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfLiteral, RdfQuad, RdfTriple
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.terms import (
    MAX_NESTING,
    escape_lexical,
    format_blank_node,
    format_datatype,
    format_language,
    format_quoted,
)
from jelly_spark.core.varint import ONE_BYTE_MAX
from jelly_spark.jelly.decoding.lookups import DecoderLookup, IriDecoder
from jelly_spark.jelly.options import TableSizes
from jelly_spark.jelly.wire import BYTES, FastPathMissError, second_byte, tag

NO_TERM = ""
"""The held term of a position that had none yet; no canonical string is empty."""

# The positions of a statement: oneofs of its message, and how error messages call them.
_TRIPLE_POSITIONS = (
    ("subject", "a subject"),
    ("predicate", "a predicate"),
    ("object", "an object"),
)
_GRAPH = 3
_POSITIONS = 4
KIND_FROM = 2
"""Where the kind of term begins in a field's name: `s_iri`, `h_literal`."""

_LEX = tag(RdfLiteral, "lex", BYTES)[0]


class TermDecoder:
    """Decodes the terms of one stream, in their order (Jelly-RDF, "RDF terms").

    Held terms: a statement omits each term that repeats the one before in its position ("Repeated
    terms"). So for each position the decoder holds the last term, in `held`.

    Args:
        sizes: the most entries of the lookups.
        restarted: whether decoding began at a restart point; then nothing may refer to what was
            before.

    Attributes:
        iris: decodes IRIs.
        literals: for the fast path, the literal of a message by the message's bytes. Datatype ids
            are part of these bytes, so the cache is cleared whenever a datatype entry is set.
        held: the last subject, predicate, object and graph; `NO_TERM` before the first one. None
            is the default graph.
    """

    __slots__ = ("_datatypes", "_endings", "_restarted", "held", "iris", "literals")

    def __init__(self, sizes: TableSizes, *, restarted: bool) -> None:
        prefixes, names = sizes.max_prefix_table_size, sizes.max_name_table_size
        self.iris = IriDecoder(prefixes, names, restarted=restarted)
        self._datatypes = DecoderLookup(
            sizes.max_datatype_table_size, "datatype", restarted=restarted
        )
        self._restarted = restarted
        # By the fields after the lexical form in a literal's message, the end of its string.
        self._endings: BoundedCache[bytes, str] = BoundedCache(self._decode_ending)
        self.literals: BoundedCache[bytes, str] = BoundedCache(self._decode_literal)
        self.held: list[str | None] = [NO_TERM] * _POSITIONS

    def set_datatype(self, encoded_id: int, text: str) -> None:
        """Set an entry of the datatype lookup; see `DecoderLookup.set`."""
        # Entries are stored as literals end with them.
        self._datatypes.set(encoded_id, format_datatype(text))
        self.literals.clear()
        self._endings.clear()

    def triple(self, message: RdfTriple | RdfQuad) -> tuple[str | None, str | None, str | None]:
        """Return a statement's subject, predicate and object; an omitted term is the held one.

        Raises:
            Violation: a term is malformed, or omitted in the first statement.
        """
        for position, (oneof, expected) in enumerate(_TRIPLE_POSITIONS):
            field: str | None = message.WhichOneof(oneof)
            if field is not None:
                self.held[position] = self.term(message, field)
            elif self.held[position] == NO_TERM:
                raise Violation(expected, f"no {oneof}, and no earlier one to repeat")
        subject, predicate, obj, _ = self.held
        return subject, predicate, obj

    def graph(self, message: Any, field: str) -> str | None:
        """Return the graph in a field such as `g_iri`; None is the default graph.

        Raises:
            Violation: the term is malformed.
        """
        return None if field == "g_default_graph" else self.term(message, field)

    def repeated_graph(self, message: Any, *, required: bool) -> str | None:
        """Return the graph of a message; an omitted graph is the held one.

        Args:
            message: a message with a oneof `graph`.
            required: whether the first graph of the stream must be there. If not, an omitted first
                graph is the default graph, except after a restart point.

        Raises:
            Violation: the graph is malformed, or omitted where there is no held one.
        """
        field: str | None = message.WhichOneof("graph")
        if field is not None:
            self.held[_GRAPH] = self.graph(message, field)
        elif self.held[_GRAPH] == NO_TERM:
            if required or self._restarted:
                raise Violation("a graph", "no graph, and no earlier one to repeat")
            return None
        return self.held[_GRAPH]

    def iri(self, iri: RdfIri) -> str:
        """Return the canonical string of an IRI.

        Raises:
            Violation: it refers to a lookup entry that was never set.
        """
        return self.iris.decode(iri.prefix_id, iri.name_id)

    def term(self, message: Any, field: str, depth: int = 0) -> str:
        """Return the term in a field, whose name says the kind: `s_iri`, `h_literal` and so on.

        Args:
            message: the message with the field.
            field: the field's name.
            depth: number of quoted triples around the term.

        Raises:
            Violation: the term is malformed.
        """
        value = getattr(message, field)
        kind = field[KIND_FROM:]
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
        """Return the end of a literal's canonical string: all after its lexical form."""
        kind = literal.WhichOneof("literal_kind")
        if kind is None:
            return '"'
        if kind == "langtag":
            return f'"{format_language(literal.langtag)}'
        if literal.datatype == 0:
            raise Violation("a datatype id of at least 1", "id 0")
        return f'"{self._datatypes.get(literal.datatype)}'

    def _decode_literal(self, data: bytes) -> str:
        """Decode the message of a literal on the fast path: the lexical form comes first, once.

        Raises:
            One of `FAST_PATH_MISSES`.
        """
        if not data or data[0] != _LEX:
            return f'"{self._endings[data]}'
        size = data[1]
        begin = 2
        if size > ONE_BYTE_MAX:
            size += second_byte(data, 2)
            begin = 3
        end = begin + size
        if end > len(data):
            raise FastPathMissError
        return f'"{escape_lexical(data[begin:end].decode())}{self._endings[data[end:]]}'

    def _decode_ending(self, data: bytes) -> str:
        # Whatever Protobuf would not write as it stands, such as two tags, is not on the fast path.
        literal = RdfLiteral.FromString(data)
        if literal.lex or literal.SerializeToString() != data:
            raise FastPathMissError
        return self._end_of(literal)

    def _quoted(self, triple: RdfTriple, depth: int) -> str:
        if depth > MAX_NESTING:
            raise Violation(f"quoted triples nested at most {MAX_NESTING} deep", "deeper nesting")
        terms = []
        for position in ("subject", "predicate", "object"):
            field: str | None = triple.WhichOneof(position)
            if field is None:
                raise Violation("all terms of a quoted triple", f"no {position}")
            terms.append(self.term(triple, field, depth))
        return format_quoted(*terms)
