"""The fast path, which decodes rows of the common shape directly from their bytes.

It takes about half the time of parsing a Protobuf message and reading its fields. Rows of the
common shape have their fields in the order of the schema, each at most once, with tags of one byte.
Writers produce such rows.

A row of any other shape (for example, with a triple term or a long term) and a malformed row
raise one of `FAST_PATH_MISSES`. `JellyDecoder` then decodes the row again with Protobuf.
Invariants:

- A row that the fast path decodes gives the same result as with Protobuf.
- A miss changes no state of the decoder, so the retry starts from the same state.
- The fast path raises no public errors: the retry finds what is wrong with a malformed row.
"""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.message import Message

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfNameEntry
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.terms import format_blank_node
from jelly_spark.core.varint import ONE_BYTE_MAX
from jelly_spark.jelly.decoding.term_decoder import KIND_FROM, NO_TERM, TermDecoder
from jelly_spark.jelly.wire import (
    BYTES,
    PARSE_ERRORS,
    VARINT,
    FastPathMissError,
    second_byte,
    tag,
)

_PREFIX_ID = tag(RdfIri, "prefix_id", VARINT)[0]
_NAME_ID = tag(RdfIri, "name_id", VARINT)[0]
# The entries of the three lookups have the same fields.
_ENTRY_ID = tag(RdfNameEntry, "id", VARINT)[0]
_ENTRY_VALUE = tag(RdfNameEntry, "value")[0]

# Fields with a smaller number have a tag of one byte.
_LONG_TAGS_FROM = 16

# Terms by the bytes of a field: canonical strings, or None for the default graph.
_TermsByBytes = Mapping[bytes, str | None]

FAST_PATH_MISSES = (FastPathMissError, LookupError, Violation, *PARSE_ERRORS)
"""The exceptions that the fast path raises for a row that must be decoded with Protobuf."""


def parse_entry(data: bytes, at: int) -> tuple[int, str]:
    """Return the encoded id and the value of a lookup entry.

    Args:
        data: the bytes of the row; the entry ends where they end.
        at: index where the entry begins.

    Raises:
        One of `FAST_PATH_MISSES`.
    """
    encoded_id = 0
    if data[at] == _ENTRY_ID:
        encoded_id = data[at + 1]
        at += 2
        if encoded_id > ONE_BYTE_MAX:
            encoded_id += second_byte(data, at)
            at += 1
    if data[at] != _ENTRY_VALUE:
        raise FastPathMissError
    size = data[at + 1]
    at += 2
    if size > ONE_BYTE_MAX:
        size += second_byte(data, at)
        at += 1
    if at + size != len(data):
        raise FastPathMissError
    return encoded_id, data[at:].decode()


class FastStatementDecoder:
    """Decodes the statements of one stream on the fast path.

    Args:
        terms: the term decoder of the stream, whose held terms and lookups are shared.
        message: the class of a statement's message.
        letters: the first letters of the names of the fields, in the order of the positions.
    """

    def __init__(self, terms: TermDecoder, message: type[Message], letters: str) -> None:
        self._terms = terms
        self._count = len(letters)
        # Whether each position has had a term that can be repeated.
        self._complete = False
        # IRIs are not cached by their bytes, because the same bytes can stand for different IRIs.
        by_kind: dict[str, _TermsByBytes | None] = {
            "iri": None,
            "literal": terms.literals,
            "bnode": BoundedCache(lambda data: terms.short(format_blank_node(data.decode()))),
            "default_graph": {b"": None},
        }
        # By a field's tag: the position of its term, and the cache of its terms by their bytes.
        self._fields = {
            field.number << 3 | BYTES: (letters.index(field.name[0]), by_kind[kind])
            for field in message.DESCRIPTOR.fields
            if field.name[0] in letters
            and (kind := field.name[KIND_FROM:]) in by_kind
            and field.number < _LONG_TAGS_FROM
        }

    def decode(self, data: bytes, at: int) -> list[str | None]:
        """Return the terms of a statement by position, including the repeated ones.

        Args:
            data: the bytes of the row; the statement ends where they end.
            at: index where the statement begins.

        Raises:
            One of `FAST_PATH_MISSES`; the held terms and the previous ids are then unchanged.
        """
        fields = self._fields
        terms = self._terms
        iris = terms.iris
        starts = iris.starts
        joined = iris.joined
        prefix_id, name_id = iris.previous_ids
        held = terms.held.copy()
        last_position = -1
        end = len(data)
        # Everything is inlined, because a call takes as long as decoding an IRI. The exception is
        # the second byte of a varint, which is rare.
        while at < end:
            position, by_bytes = fields[data[at]]
            if position <= last_position:
                raise FastPathMissError
            last_position = position
            size = data[at + 1]
            at += 2
            if size > ONE_BYTE_MAX:
                size += second_byte(data, at)
                at += 1
            begin = at
            at += size
            if by_bytes is not None:
                held[position] = by_bytes[data[begin:at]]
                continue
            if begin < at and data[begin] == _PREFIX_ID:
                prefix_id = data[begin + 1]
                begin += 2
                if prefix_id > ONE_BYTE_MAX:
                    prefix_id += second_byte(data, begin)
                    begin += 1
                if not prefix_id:
                    raise FastPathMissError
            if begin < at:
                if data[begin] != _NAME_ID:
                    raise FastPathMissError
                name_id = data[begin + 1]
                begin += 2
                if name_id > ONE_BYTE_MAX:
                    name_id += second_byte(data, begin)
                    begin += 1
            else:
                name_id += 1
            if begin != at:
                raise FastPathMissError
            known = joined.get(name_id)
            if known is not None and known[0] is starts[prefix_id]:
                held[position] = known[1]
            else:
                held[position] = iris.join(prefix_id, name_id)
        if at != end:
            raise FastPathMissError
        if not self._complete:
            if NO_TERM in held[: self._count]:
                raise FastPathMissError
            self._complete = True
        terms.held = held
        iris.previous_ids = prefix_id, name_id
        return held
