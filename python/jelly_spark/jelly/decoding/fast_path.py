"""The fast path, which decodes rows of the common shape directly from their bytes.

It takes less than half the time of parsing a Protobuf message and reading its fields. Rows of the
common shape have their fields in the order of the schema, each at most once, with tags of one byte
and lengths of at most two. Writers produce such rows.

The fast path decodes a run of rows, and stops before a row of any other shape (for example, with a
triple term or a long term) and before a malformed row. `JellyDecoder` then decodes that row with
Protobuf. Invariants:

- A row that the fast path decodes gives the same result as with Protobuf.
- The row before which it stops has changed no state of the decoder.
- The fast path raises no errors: Protobuf's way finds what is wrong with a malformed row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from google.protobuf.message import Message

from jelly_spark._proto.rdf_pb2 import RdfIri, RdfNameEntry
from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.columns import Runs
from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.rows import RowOp
from jelly_spark.core.terms.text import format_blank_node
from jelly_spark.core.varint import ONE_BYTE_MAX
from jelly_spark.jelly.decoding.term_decoder import KIND_FROM, NO_TERM, TermDecoder
from jelly_spark.jelly.frames.frame_format import ROW_TAG
from jelly_spark.jelly.wire import (
    BYTES,
    PARSE_ERRORS,
    VARINT,
    FastPathMissError,
    second_byte,
    tag,
)

_ROW: Final = ROW_TAG[0]
_PREFIX_ID: Final = tag(RdfIri, "prefix_id", VARINT)[0]
_NAME_ID: Final = tag(RdfIri, "name_id", VARINT)[0]
# The entries of the three lookups have the same fields.
_ENTRY_ID: Final = tag(RdfNameEntry, "id", VARINT)[0]
_ENTRY_VALUE: Final = tag(RdfNameEntry, "value")[0]

# Fields with a smaller number have a tag of one byte.
_LONG_TAGS_FROM: Final = 16
# The kinds of terms that the fast path decodes, and the number for all other fields. A field's code
# is its position times 8, plus the kind of its term.
_IRI: Final = 0
_LITERAL: Final = 1
_BLANK_NODE: Final = 2
_DEFAULT_GRAPH: Final = 3
_KINDS: Final = {
    "iri": _IRI,
    "literal": _LITERAL,
    "bnode": _BLANK_NODE,
    "default_graph": _DEFAULT_GRAPH,
}
_KIND_BITS: Final = 3
_KIND_MASK: Final = (1 << _KIND_BITS) - 1
_NO_FIELD: Final = 0xFF
# No row has this tag.
_NO_TAG: Final = -1

# The most statements in a run. Each has four terms of limited length, so memory is bounded.
_MOST_STATEMENTS: Final = 512

_NO_OPS: Final[list[RowOp | None]] = [None] * 256

_MISSES: Final = (FastPathMissError, LookupError, Violation, *PARSE_ERRORS)


class FastRows:
    """Decodes runs of rows of one stream on the fast path, to columns.

    Args:
        terms: the term decoder of the stream, whose held terms and lookups are shared.
        entries: the tags of the rows with a name, a prefix and a datatype.
        message: the class of a statement's message.
        letters: the first letters of the names of the fields, in the order of the positions.
        ops: by the tag of a row with a statement: what is added to the column `ops`.

    Attributes:
        rows: the number of rows of the last run, including lookup entries.
        statements: whether statements may be decoded, which depends on the rows before.
        count: the number of statements of the last run.
        ops, subjects, predicates, objects: their columns.
        graphs: their graphs; not `Runs` if all have the same one.
    """

    __slots__ = (
        "_blank_nodes",
        "_complete",
        "_datatype_row",
        "_has_graphs",
        "_kinds",
        "_name_row",
        "_ops",
        "_prefix_row",
        "_terms",
        "count",
        "graphs",
        "objects",
        "ops",
        "predicates",
        "rows",
        "statements",
        "subjects",
    )

    def __init__(
        self,
        terms: TermDecoder,
        entries: tuple[int, int, int],
        message: type[Message],
        letters: str,
        ops: Mapping[int, RowOp],
    ) -> None:
        self._terms = terms
        self._name_row, self._prefix_row, self._datatype_row = entries
        self._has_graphs = len(letters) > 3
        # Whether each position has had a term that can be repeated.
        self._complete = False
        # The codes of fields, by their tag.
        kinds = bytearray([_NO_FIELD]) * 256
        for field in message.DESCRIPTOR.fields:
            kind = _KINDS.get(field.name[KIND_FROM:])
            position = letters.find(field.name[0])
            if kind is not None and position >= 0 and field.number < _LONG_TAGS_FROM:
                kinds[field.number << 3 | BYTES] = position << _KIND_BITS | kind
        self._kinds = bytes(kinds)
        self._blank_nodes: BoundedCache[bytes, str] = BoundedCache(self._decode_blank_node)
        self._ops: list[RowOp | None] = [ops.get(tag) for tag in range(256)]
        self.rows = 0
        self.statements = True
        self.clear()

    def clear(self) -> None:
        """Begin new columns."""
        self.ops: list[str] = []
        self.subjects: list[str | None] = []
        self.predicates: list[str | None] = []
        self.objects: list[str | None] = []
        self.graphs: Runs | str | None = None
        self.count = 0

    def _decode_blank_node(self, data: bytes) -> str:
        return self._terms.short(format_blank_node(data.decode()))

    def decode(self, data: bytes, at: int, last: int) -> int:
        """Decode a run of rows to new columns.

        Args:
            data: the bytes of a frame, or of a part of it.
            at: index where the first row begins, with its tag.
            last: index after the bytes of the frame that are there.

        Returns:
            The index of the first row that was not decoded.
        """
        self.clear()
        kinds = self._kinds
        ops_by_tag = self._ops if self.statements else _NO_OPS
        terms = self._terms
        literals = terms.literals
        iris = terms.iris
        starts = iris.starts
        joined = iris.joined
        joined_starts = iris.joined_starts
        ops = self.ops
        subjects, predicates, objects = self.subjects, self.predicates, self.objects
        # The graphs before the current one, and the numbers of their statements: few, because most
        # files are sorted by their graphs.
        graphs: list[str | None] = []
        counts: list[int] = []
        counted = 0
        # The state after the last decoded row. That of the current row has the prefix `row_`.
        subject, predicate, obj, graph = terms.held
        prefix_id, name_id = iris.previous_ids
        rows = 0
        try:
            # Everything is inlined, because a call takes as long as decoding an IRI. The exception
            # is the second byte of a varint, which is rare.
            while at + 2 < last and data[at] == _ROW and len(ops) < _MOST_STATEMENTS:
                size = data[at + 1]
                begin = at + 2
                if size > ONE_BYTE_MAX:
                    size += second_byte(data, begin)
                    begin += 1
                end = begin + size
                if end > last:
                    break
                # In the common shape, a row is one field: a tag, a length and the value.
                kind = data[begin]
                size = data[begin + 1]
                begin += 2
                if size > ONE_BYTE_MAX:
                    size += second_byte(data, begin)
                    begin += 1
                if begin + size != end:
                    break
                op = ops_by_tag[kind]
                if op is None:
                    self._set_entry(kind, data, begin, end)
                    at = end
                    rows += 1
                    continue
                row_subject = subject
                row_predicate = predicate
                row_object = obj
                row_graph = graph
                row_prefix = prefix_id
                row_name = name_id
                last_position = -1
                while begin < end:
                    code = kinds[data[begin]]
                    position = code >> _KIND_BITS
                    if position <= last_position or code == _NO_FIELD:
                        raise FastPathMissError
                    last_position = position
                    size = data[begin + 1]
                    begin += 2
                    if size > ONE_BYTE_MAX:
                        size += second_byte(data, begin)
                        begin += 1
                    begins = begin
                    begin += size
                    code &= _KIND_MASK
                    term: str | None
                    if code == _IRI:
                        if begins < begin and data[begins] == _PREFIX_ID:
                            row_prefix = data[begins + 1]
                            begins += 2
                            if row_prefix > ONE_BYTE_MAX:
                                row_prefix += second_byte(data, begins)
                                begins += 1
                            if not row_prefix:
                                raise FastPathMissError
                        if begins < begin:
                            if data[begins] != _NAME_ID:
                                raise FastPathMissError
                            row_name = data[begins + 1]
                            begins += 2
                            if row_name > ONE_BYTE_MAX:
                                row_name += second_byte(data, begins)
                                begins += 1
                        else:
                            row_name += 1
                        if begins != begin:
                            raise FastPathMissError
                        term = joined[row_name]
                        if term is None or joined_starts[row_name] is not starts[row_prefix]:
                            term = iris.join(row_prefix, row_name)
                    elif code == _LITERAL:
                        term = literals[data[begins:begin]]
                    elif code == _BLANK_NODE:
                        term = self._blank_nodes[data[begins:begin]]
                    elif size:
                        raise FastPathMissError
                    else:
                        term = None
                    if position == 0:
                        row_subject = term
                    elif position == 1:
                        row_predicate = term
                    elif position == 2:
                        row_object = term
                    else:
                        row_graph = term
                if begin != end:
                    raise FastPathMissError
                if not self._complete:
                    row = (row_subject, row_predicate, row_object)
                    if NO_TERM in row or (self._has_graphs and row_graph == NO_TERM):
                        raise FastPathMissError
                    self._complete = True
                if row_graph is not graph:
                    if len(ops) > counted:
                        graphs.append(graph)
                        counts.append(len(ops) - counted)
                        counted = len(ops)
                    graph = row_graph
                subject = row_subject
                predicate = row_predicate
                obj = row_object
                prefix_id = row_prefix
                name_id = row_name
                ops.append(op)
                subjects.append(subject)
                predicates.append(predicate)
                objects.append(obj)
                at = end
                rows += 1
        except _MISSES:
            pass
        terms.held = [subject, predicate, obj, graph]
        iris.previous_ids = prefix_id, name_id
        self.rows = rows
        self.count = len(ops)
        if graphs:
            graphs.append(graph)
            counts.append(len(ops) - counted)
            self.graphs = Runs(graphs, counts)
        else:
            self.graphs = graph
        return at

    def _set_entry(self, kind: int, data: bytes, at: int, end: int) -> None:
        """Set the entry of a lookup, given the tag of its row."""
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
        if at + size != end:
            raise FastPathMissError
        text = data[at:end].decode()
        if kind == self._name_row:
            self._terms.iris.set_name(encoded_id, text)
        elif kind == self._prefix_row:
            self._terms.iris.set_prefix(encoded_id, text)
        elif kind == self._datatype_row:
            self._terms.set_datatype(encoded_id, text)
        else:
            raise FastPathMissError
