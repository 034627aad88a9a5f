"""Decoding the structs of Jena's RDF Patch in Thrift.

A row is a union RDF_Patch_Row, and a term is a union RDF_Term. The ids of their fields are those of
Jena's `BinaryRDF.thrift`. Unlike Jena's reader, the decoder rejects:

- fields with another type than in the schema, which Jena skips;
- fields that occur twice, of which Jena takes the last;
- unions with more than one field, of which Jena reads the rest as another row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from jelly_spark.core.malformed_input import Violation, invalid_utf8
from jelly_spark.core.row_size import RowText, TripleTermSize, check_decoded_size
from jelly_spark.core.rows import RowOp
from jelly_spark.core.terms import (
    JENA_DEFAULT_GRAPHS,
    MAX_NESTING,
    RDF_DIR_LANG_STRING,
    RDF_LANG_STRING,
)
from jelly_spark.core.terms.base_direction import SEPARATOR, check_direction, join_tag
from jelly_spark.core.terms.text import escape_iri, escape_lexical, format_datatype, format_iri
from jelly_spark.core.varint import ONE_BYTE_MAX
from jelly_spark.formats.rdf_patch_thrift.compact_protocol import (
    DISTANCE_SHIFT,
    DOUBLE,
    I32,
    I64,
    STOP,
    STRING,
    STRUCT,
    TYPE_BITS,
    check_field,
    field_head,
    read_field,
    read_i32,
    read_string,
    skip,
)

TRANSACTION_OPS: tuple[RowOp, ...] = ("TX", "TC", "TA", "END")
"""The ops of transaction rows, by their codes in Jena's PatchTxn, where `END` is a segment."""

# The number of cached texts. Each has at most 127 bytes, so the cache takes a few megabytes.
_CACHED_TEXTS = 8192

Columns = tuple[RowOp, str | None, str | None, str | None, str | None, str | None, str | None]
"""The columns of a `PatchRow` without its ordinals, in their order."""


class Around(NamedTuple):
    """The context of a term.

    Attributes:
        text: the builder of the term's string.
        triples: the counter of the terms inside the triple terms of the row.
        limit: the largest size of a row in bytes.
        depth: the number of triple terms around the term.
    """

    text: RowText
    triples: TripleTermSize
    limit: int
    depth: int = 0


def decode_row(data: bytes, at: int, around: Around) -> tuple[Columns, int]:
    """Return the columns of the row at an index, and the index after the row.

    This checks the size of each term, but not the size of the row, which the caller must check.

    Raises:
        Violation: the row is malformed.
        IndexError: the bytes end within the row.
    """
    columns: Columns
    columns, at = _read_one(data, at, _ROW, "row", around)
    return columns, at


class _Field(NamedTuple):
    """A field of a struct or a union.

    Attributes:
        name: the field's name in the schema.
        kind: the field's type.
        read: a function from the bytes, the index of the value and its context to the value and the
            index after it.
    """

    name: str
    kind: int
    read: Callable[[bytes, int, Around], tuple[Any, int]]


_Fields = dict[int, _Field]


def _read_fields(data: bytes, at: int, fields: _Fields, around: Around) -> tuple[list[Any], int]:
    """Return the values of a struct, and the index after it.

    The values are indexed by the fields' ids, and None if not set.
    """
    values = [None] * (len(fields) + 1)
    last = 0
    while data[at]:
        last, field, at = _next_field(data, at, last, fields)
        if field is not None:
            if values[last] is not None:
                raise Violation(f"field {field.name} once", f"field {field.name} twice")
            values[last], at = field.read(data, at, around)
    return values, at + 1


def _read_one(data: bytes, at: int, fields: _Fields, what: str, around: Around) -> tuple[Any, int]:
    """Return the value of the one field that a union has, and the index after the union."""
    value = None
    last = 0
    while data[at]:
        last, field, at = _next_field(data, at, last, fields)
        if field is not None:
            if value is not None:
                raise Violation(f"a {what} of one kind", f"a {what} of two kinds")
            value, at = field.read(data, at, around)
    if value is None:
        raise Violation(f"a {what} of a known kind", f"a {what} without a known field")
    return value, at + 1


def _next_field(data: bytes, at: int, last: int, fields: _Fields) -> tuple[int, _Field | None, int]:
    """Return the next field's id, the field, and the index of its value.

    If the field is unknown, return None for it, and the index after its value.
    """
    # Fast path: a known field of the right type whose first byte holds its id.
    head = data[at]
    distance = head >> DISTANCE_SHIFT
    field = fields.get(last + distance)
    if field is not None and distance and field.kind == head & TYPE_BITS:
        return last + distance, field, at + 1
    last, kind, at = read_field(data, at, last)
    field = fields.get(last)
    if field is None:
        return last, None, skip(data, at, kind)
    check_field(field.name, kind, field.kind)
    return last, field, at


def _required(value: Any, expected: str, missing: str) -> Any:
    if value is None:
        raise Violation(expected, f"no {missing}")
    return value


def _read_text(data: bytes, at: int, around: Around) -> tuple[str, int]:
    raw, at = read_string(data, at)
    check_decoded_size(raw, around.limit)
    return _decode(raw), at


def _decode(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise invalid_utf8(raw[error.start]) from None


def _read_statement(op: RowOp) -> Callable[[bytes, int, Around], tuple[Columns, int]]:
    def read(data: bytes, at: int, around: Around) -> tuple[Columns, int]:
        subject, predicate, obj, graph, at = _read_terms(data, at, around)
        if subject is None or predicate is None or obj is None:
            _required(subject, "a subject", "subject")
            _required(predicate, "a predicate", "predicate")
            _required(obj, "an object", "object")
        if graph in JENA_DEFAULT_GRAPHS:
            graph = None
        return (op, subject, predicate, obj, graph, None, None), at

    return read


def _read_terms(
    data: bytes, start: int, around: Around
) -> tuple[str | None, str | None, str | None, str | None, int]:
    """Return a statement's subject, predicate, object and graph, and the index after it."""
    # Fast path: the fields are in the order of the schema. Any other statement is read again from
    # its start, field by field.
    if data[start] == _NEXT_STRUCT:
        subject, at = _read_term(data, start + 1, around)
        if data[at] == _NEXT_STRUCT:
            predicate, at = _read_term(data, at + 1, around)
            if data[at] == _NEXT_STRUCT:
                obj, at = _read_term(data, at + 1, around)
                if not data[at]:
                    return subject, predicate, obj, None, at + 1
                if data[at] == _NEXT_STRUCT:
                    graph, at = _read_term(data, at + 1, around)
                    if not data[at]:
                        return subject, predicate, obj, graph, at + 1
    (_, *terms), at = _read_fields(data, start, _STATEMENT, around)
    return (*terms, at)


def _read_header(data: bytes, at: int, around: Around) -> tuple[Columns, int]:
    (_, name, value), at = _read_fields(data, at, _HEADER, around)
    _required(name, "the name of the header", "name")
    _required(value, "the value of the header", "value")
    return ("H", None, None, None, None, name, value), at


def _read_prefix_add(data: bytes, at: int, around: Around) -> tuple[Columns, int]:
    (_, graph, name, iri), at = _read_fields(data, at, _PREFIX_ADD, around)
    if graph in JENA_DEFAULT_GRAPHS:
        graph = None
    _required(name, "the name of the prefix", "name")
    _required(iri, "the IRI of the prefix", "IRI")
    return ("PA", None, None, None, graph, name, _iri_term(iri, around.text)), at


def _read_prefix_delete(data: bytes, at: int, around: Around) -> tuple[Columns, int]:
    (_, graph, name), at = _read_fields(data, at, _PREFIX_DELETE, around)
    if graph in JENA_DEFAULT_GRAPHS:
        graph = None
    _required(name, "the name of the prefix", "name")
    return ("PD", None, None, None, graph, name, None), at


def _read_transaction(data: bytes, at: int, _: Around) -> tuple[Columns, int]:
    code, at = read_i32(data, at)
    if not 0 <= code < len(TRANSACTION_OPS):
        raise Violation("a transaction code from 0 to 3", f"code {code}")
    return (TRANSACTION_OPS[code], None, None, None, None, None, None), at


def _read_term(data: bytes, at: int, around: Around) -> tuple[str, int]:
    """Return the canonical string of a term, and the index after it."""
    head = data[at : at + 2]
    # Fast path: IRIs, and literals without a language tag, with their fields in the order of the
    # schema and with texts below 128 bytes, whose length is one byte. At the end of the bytes, a
    # slice is shorter than requested, and so differs from all constants. Any other term is read
    # again from its start, field by field.
    if head in _TEXT_HEADS:
        start = at + 3
        end = start + data[at + 2]
        if end - start <= ONE_BYTE_MAX:
            after = data[end : end + 2]
            if after == _ENDS:
                if head == _IRI_HEAD:
                    return _format_iri(data[start:end]), end + 2
                return f'"{escape_lexical(_decode(data[start:end]))}"', end + 2
            if after[:1] == _DATATYPE_HEAD and head == _LITERAL_HEAD:
                lexical = escape_lexical(_decode(data[start:end]))
                start = end + 2
                end = start + data[end + 1]
                if end - start <= ONE_BYTE_MAX and data[end : end + 2] == _ENDS:
                    return f'"{lexical}"{_format_datatype(data[start:end])}', end + 2
    term: str
    term, at = _read_one(data, at, _TERM, "term", around)
    return term, at


def _read_iri(data: bytes, at: int, around: Around) -> tuple[str, int]:
    (_, iri), at = _read_fields(data, at, _IRI, around)
    return _iri_term(_required(iri, "the text of the IRI", "text"), around.text), at


def _iri_term(iri: str, text: RowText) -> str:
    text.begin_row()
    text.add_iri(iri)
    return text.end_term()


@lru_cache(_CACHED_TEXTS)
def _format_iri(raw: bytes) -> str:
    return format_iri(escape_iri(_decode(raw)))


@lru_cache(_CACHED_TEXTS)
def _format_datatype(raw: bytes) -> str:
    return format_datatype(_decode(raw))


def _read_blank_node(data: bytes, at: int, around: Around) -> tuple[str, int]:
    (_, label), at = _read_fields(data, at, _BLANK_NODE, around)
    text = around.text
    text.begin_row()
    text.add_blank_node(_required(label, "the label of the blank node", "label"))
    return text.end_term(), at


def _read_literal(data: bytes, at: int, around: Around) -> tuple[str, int]:
    (_, lexical, tag, datatype, _, direction), at = _read_fields(data, at, _LITERAL, around)
    _required(lexical, "the lexical form of the literal", "lexical form")
    if tag or direction:
        tag = join_tag(tag or "", direction or None)
        check_direction(tag)
        _check_datatype(datatype, RDF_DIR_LANG_STRING if SEPARATOR in tag else RDF_LANG_STRING)
    text = around.text
    text.begin_row()
    text.add_lexical(lexical)
    # Free memory before the pieces are joined.
    del lexical
    if tag:
        text.add_language(tag)
    elif datatype is not None:
        text.add_datatype(datatype)
    return text.end_term(), at


def _check_datatype(datatype: str | None, expected: str) -> None:
    """Check the datatype of a literal with a language tag."""
    if datatype is None or datatype == expected:
        return
    if datatype == RDF_DIR_LANG_STRING:
        raise Violation(
            "a base direction in a literal of rdf:dirLangString",
            "none: Jena 6.0 leaves it out when it writes such a literal",
        )
    raise Violation("a language tag or a datatype", "a language tag and a datatype")


def _unset(expected: str, found: str) -> Callable[[bytes, int, Around], tuple[str, int]]:
    """Return the reader of a field that must not be set."""

    def read(data: bytes, at: int, around: Around) -> tuple[str, int]:
        raise Violation(expected, found)

    return read


def _not_a_term(found: str) -> Callable[[bytes, int, Around], tuple[str, int]]:
    """Return the reader of a kind of term that is not RDF, which Jena rejects in patches too."""
    return _unset("an IRI, a blank node, a literal or a triple", found)


def _read_triple(data: bytes, at: int, around: Around) -> tuple[str, int]:
    text, triples, limit, depth = around
    if depth == MAX_NESTING:
        raise Violation(f"triple terms nested at most {MAX_NESTING} deep", "deeper nesting")
    inner = Around(text, triples, limit, depth + 1)
    (_, subject, predicate, obj), at = _read_fields(data, at, _TRIPLE, inner)
    for term, name in ((subject, "subject"), (predicate, "predicate"), (obj, "object")):
        if term is None:
            raise Violation("all terms of a triple term", f"no {name}")
    triples.add_terms(subject, predicate, obj)
    text.begin_row()
    text.add("<<( ", subject, " ", predicate, " ", obj, " )>>")
    return text.end_term(), at


# The first byte of a field with a struct whose id is the previous id plus 1.
_NEXT_STRUCT = field_head(1, STRUCT)[0]
# The first bytes of the field of RDF_Term for a kind of term, and of the text in its struct.
_IRI_HEAD = field_head(1, STRUCT) + field_head(1, STRING)
_LITERAL_HEAD = field_head(3, STRUCT) + field_head(1, STRING)
_TEXT_HEADS = (_IRI_HEAD, _LITERAL_HEAD)
# The first byte of the field of a literal's datatype, if it follows the lexical form.
_DATATYPE_HEAD = field_head(2, STRING)
# The end of a struct and of the union around it.
_ENDS = STOP + STOP

_TRIPLE = {
    1: _Field("S", STRUCT, _read_term),
    2: _Field("P", STRUCT, _read_term),
    3: _Field("O", STRUCT, _read_term),
}
_IRI = {1: _Field("iri", STRING, _read_text)}
_BLANK_NODE = {1: _Field("label", STRING, _read_text)}
_LITERAL = {
    1: _Field("lex", STRING, _read_text),
    2: _Field("langtag", STRING, _read_text),
    3: _Field("datatype", STRING, _read_text),
    4: _Field("dtPrefix", STRUCT, _unset("the IRI of a datatype", "a prefixed name")),
    5: _Field("baseDirection", STRING, _read_text),
}
_TERM = {
    1: _Field("iri", STRUCT, _read_iri),
    2: _Field("bnode", STRUCT, _read_blank_node),
    3: _Field("literal", STRUCT, _read_literal),
    4: _Field("prefixName", STRUCT, _not_a_term("a prefixed name")),
    5: _Field("variable", STRUCT, _not_a_term("a variable")),
    6: _Field("any", STRUCT, _not_a_term("ANY")),
    7: _Field("undefined", STRUCT, _not_a_term("UNDEF")),
    8: _Field("repeat", STRUCT, _not_a_term("REPEAT")),
    9: _Field("tripleTerm", STRUCT, _read_triple),
    10: _Field("valInteger", I64, _not_a_term("an integer in binary form")),
    11: _Field("valDouble", DOUBLE, _not_a_term("a double in binary form")),
    12: _Field("valDecimal", STRUCT, _not_a_term("a decimal in binary form")),
}
_STATEMENT = {
    1: _Field("s", STRUCT, _read_term),
    2: _Field("p", STRUCT, _read_term),
    3: _Field("o", STRUCT, _read_term),
    4: _Field("g", STRUCT, _read_term),
}
_HEADER = {1: _Field("name", STRING, _read_text), 2: _Field("value", STRUCT, _read_term)}
_PREFIX_DELETE = {
    1: _Field("graphNode", STRUCT, _read_term),
    2: _Field("prefix", STRING, _read_text),
}
_PREFIX_ADD = _PREFIX_DELETE | {3: _Field("iriStr", STRING, _read_text)}
_ROW = {
    1: _Field("header", STRUCT, _read_header),
    2: _Field("dataAdd", STRUCT, _read_statement("A")),
    3: _Field("dataDel", STRUCT, _read_statement("D")),
    4: _Field("prefixAdd", STRUCT, _read_prefix_add),
    5: _Field("prefixDel", STRUCT, _read_prefix_delete),
    6: _Field("txn", I32, _read_transaction),
}
