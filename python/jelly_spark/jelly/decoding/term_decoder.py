"""Decoding messages to the canonical strings of terms, including repeated terms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfLiteral, RdfQuad, RdfTriple
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.row_size import RowText, TableSpace
from jelly_spark.core.terms import MAX_NESTING
from jelly_spark.core.terms.base_direction import check_direction
from jelly_spark.core.terms.text import escape_lexical, format_datatype
from jelly_spark.core.varint import ONE_BYTE_MAX
from jelly_spark.jelly.decoding.lookups import DecoderLookup, IriDecoder
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.wire import FastPathMissError, second_byte, tag

NO_TERM: Final = ""
"""The held term of a position that has had no term yet. No canonical string is empty."""

# The positions of a statement: the oneof in its message, and the name in error messages.
_TRIPLE_POSITIONS: Final = (
    ("subject", "a subject"),
    ("predicate", "a predicate"),
    ("object", "an object"),
)
_GRAPH: Final = 3
_POSITIONS: Final = 4
KIND_FROM: Final = 2
"""The index where the kind of term begins in a field's name, such as `s_iri` or `h_literal`."""

_LEX: Final = tag(RdfLiteral, "lex")[0]

# The largest number of characters of a term that the fast path decodes or repeats.
_LONGEST: Final = 1 << 12


class TermDecoder:
    """Decodes the terms of one stream, in order (Jelly-RDF, "RDF terms").

    A statement omits each term that equals the previous one in its position ("Repeated terms"). So
    the decoder holds the last term of each position in `held`.

    Args:
        options: the options of the stream.
        max_row_size: the reader's option.
        restarted: whether decoding began at a restart point, so that no row may refer to an earlier
            one.

    Attributes:
        iris: the decoder of IRIs.
        text: the builder of the strings of a row's terms, on the slow path.
        literals: for the fast path, a cache of literals by the bytes of their messages. Datatype
            ids are part of these bytes, so it is cleared when a datatype entry is set.
        held: the last subject, predicate, object and graph; `NO_TERM` before the first one. None
            is the default graph.
    """

    __slots__ = (
        "_datatypes",
        "_endings",
        "_longest",
        "_restarted",
        "check",
        "held",
        "iris",
        "literals",
        "text",
    )

    def __init__(self, options: JellyOptions, max_row_size: int, *, restarted: bool) -> None:
        prefixes, names = options.max_prefix_table_size, options.max_name_table_size
        space = TableSpace("lookup entries", max_row_size)
        # The fast path does not count the size of a row. So it leaves terms out that are so long
        # that four of them, with four bytes per character, could come near the limit; and it
        # decodes many rows at once, so that they must be short. See also `holds_short_terms`.
        self._longest = min(max_row_size // 64, _LONGEST)
        self.iris = IriDecoder(prefixes, names, space, self._longest, restarted=restarted)
        self._datatypes = DecoderLookup(
            options.max_datatype_table_size, "datatype", space, restarted=restarted
        )
        self._restarted = restarted
        self.text = RowText(max_row_size)
        # The end of a literal's string, by the bytes after the lexical form in its message.
        self._endings: BoundedCache[bytes, str] = BoundedCache(self._decode_ending)
        self.literals: BoundedCache[bytes, str] = BoundedCache(self._decode_literal)
        self.held: list[str | None] = [NO_TERM] * _POSITIONS
        # Checks the field of a term before the term is decoded.
        self.check: Callable[[str], None] | None = None

    def set_datatype(self, encoded_id: int, text: str) -> None:
        """Set an entry of the datatype lookup; see `DecoderLookup.set`."""
        # Store the end of a literal's string: `^^<datatype>`.
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
            else:
                self.text.count(self.held[position])
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
            required: whether the first graph of the stream must not be omitted. If false, an
                omitted first graph is the default graph, except after a restart point.

        Raises:
            Violation: the graph is malformed, or it is omitted and there is no held graph.
        """
        field: str | None = message.WhichOneof("graph")
        if field is not None:
            self.held[_GRAPH] = self.graph(message, field)
        elif self.held[_GRAPH] == NO_TERM:
            if required or self._restarted:
                raise Violation("a graph", "no graph, and no earlier one to repeat")
            return None
        else:
            self.text.count(self.held[_GRAPH])
        return self.held[_GRAPH]

    def holds_short_terms(self) -> bool:
        """Return whether the fast path may repeat the held terms."""
        return all(term is None or len(term) <= self._longest for term in self.held)

    def hold_graph(self, graph: str | None) -> None:
        """Hold a graph that no statement states itself."""
        self.held[_GRAPH] = graph

    def iri(self, iri: RdfIri) -> str:
        """Return the canonical string of an IRI.

        Raises:
            Violation: the IRI refers to a lookup entry that was never set.
        """
        self.iris.add(self.text, iri.prefix_id, iri.name_id)
        return self.text.end_term()

    def term(self, message: Any, field: str) -> str:
        """Return the term in a field, whose name says its kind, such as `s_iri` or `h_literal`.

        Raises:
            Violation: the term is malformed, or the row is too long.
        """
        self._add(message, field, 0)
        return self.text.end_term()

    def _add(self, message: Any, field: str, depth: int) -> None:
        """Add a term to the text of the row; `depth` is the number of triple terms around it."""
        if self.check is not None:
            self.check(field)
        value = getattr(message, field)
        kind = field[KIND_FROM:]
        if kind == "iri":
            self.iris.add(self.text, value.prefix_id, value.name_id)
        elif kind == "literal":
            self.text.add('"')
            self.text.add_escaped(escape_lexical, value.lex)
            self._add_ending(value)
        elif kind == "bnode":
            self.text.add_blank_node(value)
        else:
            self._add_triple(value, depth + 1)

    def _add_ending(self, literal: RdfLiteral) -> None:
        """Add the end of a literal's canonical string, from its closing quote on."""
        self.text.add('"')
        kind = literal.WhichOneof("literal_kind")
        if kind == "langtag":
            check_direction(literal.langtag)
            self.text.add_language(literal.langtag)
        elif kind is not None:
            if literal.datatype == 0:
                raise Violation("a datatype id of at least 1", "id 0")
            self.text.add(self._datatypes.get(literal.datatype))

    def _add_triple(self, triple: RdfTriple, depth: int) -> None:
        if depth > MAX_NESTING:
            raise Violation(f"triple terms nested at most {MAX_NESTING} deep", "deeper nesting")
        self.text.begin_triple_term()
        for position in ("subject", "predicate", "object"):
            field: str | None = triple.WhichOneof(position)
            if field is None:
                raise Violation("all terms of a triple term", f"no {position}")
            self.text.begin_inner_term()
            self._add(triple, field, depth)
            self.text.end_inner_term()
        self.text.end_triple_term()

    def short(self, term: str) -> str:
        """Return a term that the fast path decoded, unless it is long.

        Raises:
            FastPathMissError: the term is long.
        """
        if len(term) > self._longest:
            raise FastPathMissError
        return term

    def _decode_literal(self, data: bytes) -> str:
        """Decode the message of a literal on the fast path, where the lexical form comes first.

        Raises:
            One of `FAST_PATH_MISSES`.
        """
        if not data or data[0] != _LEX:
            return self.short(f'"{self._endings[data]}')
        size = data[1]
        begin = 2
        if size > ONE_BYTE_MAX:
            size += second_byte(data, 2)
            begin = 3
        end = begin + size
        if end > len(data):
            raise FastPathMissError
        ending = self._endings[data[end:]] if end < len(data) else '"'
        term = f'"{escape_lexical(data[begin:end].decode())}{ending}'
        # `short` inlined, because most literals are not in the cache.
        if len(term) > self._longest:
            raise FastPathMissError
        return term

    def _decode_ending(self, data: bytes) -> str:
        # Accept only the bytes that Protobuf itself would write, and not two language tags, for
        # example.
        literal = RdfLiteral.FromString(data)
        if literal.lex or literal.SerializeToString() != data:
            raise FastPathMissError
        self.text.begin_row()
        self._add_ending(literal)
        return self.text.end_term()
