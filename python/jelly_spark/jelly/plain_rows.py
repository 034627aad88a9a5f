"""Rows that are as writers write them, decoded from their bytes: in half the time of Protobuf.

What is not quite so is left to Protobuf: fields in another order, quoted triples, and above all
whatever is malformed. So nothing here says what is wrong with a row.
"""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.message import Message

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfNameEntry
from jelly_spark.core.memo import Memo
from jelly_spark.core.terms import format_blank_node
from jelly_spark.core.violation import Violation
from jelly_spark.jelly.term_decoder import NO_TERM, TermDecoder
from jelly_spark.jelly.wire import BYTES, PARSE_ERRORS, VARINT, NotPlainError, second_byte, tag

_PREFIX_ID = tag(RdfIri, "prefix_id", VARINT)[0]
_NAME_ID = tag(RdfIri, "name_id", VARINT)[0]
# The entries of the three lookups have the same fields.
_ENTRY_ID = tag(RdfNameEntry, "id", VARINT)[0]
_ENTRY_VALUE = tag(RdfNameEntry, "value", BYTES)[0]

# The terms of a position by their bytes; there are none for IRIs, which other bytes belong to too.
_Values = Mapping[bytes, str | None]

LEFT_TO_PROTOBUF = (NotPlainError, LookupError, Violation, *PARSE_ERRORS)
"""What reading a row here raises; then Protobuf must read it, and says what is wrong, if it is."""


def parse_entry(data: bytes, at: int) -> tuple[int, str]:
    """Return the id, as on the wire, and the value of a lookup's entry, which ends with the data.

    Raises:
        One of `LEFT_TO_PROTOBUF`.
    """
    wire_id = 0
    if data[at] == _ENTRY_ID:
        wire_id = data[at + 1]
        at += 2
        if wire_id > 127:
            wire_id += second_byte(data, at)
            at += 1
    if data[at] != _ENTRY_VALUE:
        raise NotPlainError
    size = data[at + 1]
    at += 2
    if size > 127:
        size += second_byte(data, at)
        at += 1
    if at + size != len(data):
        raise NotPlainError
    return wire_id, data[at:].decode()


class PlainStatements:
    """Takes the terms of the statements of one stream, in their order.

    Args:
        terms: what decodes the terms.
        message: the class of a statement's message.
        letters: what the names of its fields begin with, by position.
    """

    def __init__(self, terms: TermDecoder, message: type[Message], letters: str) -> None:
        self._terms = terms
        self._count = len(letters)
        # Whether there was a term in each position, so that it can be repeated.
        self._complete = False
        values: dict[str, _Values | None] = {
            "iri": None,
            "literal": terms.literals,
            "bnode": Memo(lambda data: format_blank_node(data.decode())),
            "default_graph": {b"": None},
        }
        # By the tag of a field, if that is one byte: the position of its term, and what its bytes
        # are.
        self._fields = {
            field.number << 3 | BYTES: (letters.index(field.name[0]), values[field.name[2:]])
            for field in message.DESCRIPTOR.fields
            if field.name[0] in letters and field.name[2:] in values and field.number < 16
        }

    def take(self, data: bytes, at: int) -> list[str | None]:
        """Take the terms of a statement, which begins there and ends with the data.

        Returns:
            Its terms, and those that it repeats.

        Raises:
            One of `LEFT_TO_PROTOBUF`: then nothing was taken.
        """
        fields = self._fields
        terms = self._terms
        iris = terms.iris
        starts = iris.starts
        terms_by_name = iris.terms
        prefix_id, name_id = iris.last_ids
        last = terms.last.copy()
        last_position = -1
        end = len(data)
        # No helpers but where they are few: each call costs as much as the bytes of an IRI.
        while at < end:
            position, values = fields[data[at]]
            if position <= last_position:
                raise NotPlainError
            last_position = position
            size = data[at + 1]
            at += 2
            if size > 127:
                size += second_byte(data, at)
                at += 1
            begin = at
            at += size
            if values is not None:
                last[position] = values[data[begin:at]]
                continue
            if begin < at and data[begin] == _PREFIX_ID:
                prefix_id = data[begin + 1]
                begin += 2
                if prefix_id > 127:
                    prefix_id += second_byte(data, begin)
                    begin += 1
                if not prefix_id:
                    raise NotPlainError
            if begin < at:
                if data[begin] != _NAME_ID:
                    raise NotPlainError
                name_id = data[begin + 1]
                begin += 2
                if name_id > 127:
                    name_id += second_byte(data, begin)
                    begin += 1
            else:
                name_id += 1
            if begin != at:
                raise NotPlainError
            known = terms_by_name.get(name_id)
            if known is not None and known[0] is starts[prefix_id]:
                last[position] = known[1]
            else:
                last[position] = iris.term(prefix_id, name_id)
        if at != end:
            raise NotPlainError
        if not self._complete:
            if NO_TERM in last[: self._count]:
                raise NotPlainError
            self._complete = True
        terms.last = last
        iris.last_ids = prefix_id, name_id
        return last
