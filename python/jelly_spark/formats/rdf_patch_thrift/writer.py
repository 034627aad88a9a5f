"""Writing RDF Patch in Thrift."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.files.output_file import Writable, is_replaced
from jelly_spark.core.options import WriteOptions
from jelly_spark.core.rows import (
    OP_RULE,
    PatchRow,
    added_prefix,
    check_jena_graph,
    deleted_prefix,
    encode_text,
    header_columns,
    statement_columns,
    without_deleted_iri,
)
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, language_tag, parse_term
from jelly_spark.core.writer import PatchRowWriter
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.rdf_patch_thrift.compact_protocol import (
    I32,
    STOP,
    STRING,
    STRUCT,
    field_head,
    write_i32,
    write_string,
)
from jelly_spark.formats.rdf_patch_thrift.decoder import TRANSACTION_OPS
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
from jelly_spark.formats.rdf_patch_thrift.reader import RdfPatchThriftReader

# The first bytes of fields, named by type and by the id minus the previous field's id.
_STRUCT_1 = field_head(1, STRUCT)
_STRING_1 = field_head(1, STRING)
_STRING_2 = field_head(2, STRING)

# The first bytes of the fields of RDF_Patch_Row and RDF_Term. Both are unions, so no field comes
# before.
_HEADER = field_head(1, STRUCT)
_ADD = field_head(2, STRUCT)
_DELETE = field_head(3, STRUCT)
_PREFIX_ADD = field_head(4, STRUCT)
_PREFIX_DELETE = field_head(5, STRUCT)
_TRANSACTION = field_head(6, I32)
_IRI = field_head(1, STRUCT)
_BLANK_NODE = field_head(2, STRUCT)
_LITERAL = field_head(3, STRUCT)
_TRIPLE = field_head(9, STRUCT)

# The end of the struct in a union's only field, and of the union.
_END = STOP + STOP


class RdfPatchThriftWriter(PatchRowWriter):
    """Writes rows to a file of RDF Patch in Thrift; see `PatchRowWriter`.

        with RdfPatchThriftWriter("changes.trp") as writer:
            writer.write(PatchRow("A", "<urn:x:s>", "<urn:x:p>", "<urn:x:o>"))

    Args:
        file: path, URL, or buffered stream of bytes.
        options: the options of the format, which has none.
        append: whether to append to the file instead of replacing it. A file that is not a stream
            is read first, to check that it is complete.

    Raises:
        MalformedInputError: `append` is true, and the file is malformed.
        OptionError: the options are those of another format.
    """

    options = RdfPatchThriftOptions
    fitting = staticmethod(partial(map, without_deleted_iri))

    def __init__(
        self,
        file: Writable,
        options: RdfPatchThriftOptions = RdfPatchThriftOptions(),
        *,
        append: bool = False,
    ) -> None:
        super().__init__(file, options, append=append)
        # Caches of the bytes of terms, by their strings.
        self._terms = BoundedCache(lambda text: _encode_term(parse_term(text)))
        self._graphs = BoundedCache(lambda text: _encode_graph(parse_term(text)))
        self._encoders: dict[str, Callable[[PatchRow], bytes]] = {
            "H": self._header,
            "PA": self._prefix_add,
            "PD": self._prefix_delete,
            "A": partial(self._statement, _ADD),
            "D": partial(self._statement, _DELETE),
        }
        for code, op in enumerate(TRANSACTION_OPS):
            self._encoders[op] = partial(_constant, _TRANSACTION + write_i32(code) + STOP)

    def _check_old(self, file: Writable, options: WriteOptions) -> None:
        # After an incomplete struct, appended rows would become fields of that struct.
        if is_replaced(file):
            with suppress(FileNotFoundError), RdfPatchThriftReader(file) as rows:
                for _ in rows:
                    pass

    def _put(self, row: PatchRow) -> None:
        encoder = self._encoders.get(row.op)
        if encoder is None:
            raise UnwritableRowError(OP_RULE)
        self._stream.write(encoder(row))

    def _statement(self, head: bytes, row: PatchRow) -> bytes:
        subject, predicate, obj, graph = statement_columns(row)
        statement = (
            head
            + (_STRUCT_1 + self._terms[subject])
            + (_STRUCT_1 + self._terms[predicate])
            + (_STRUCT_1 + self._terms[obj])
        )
        if graph is not None:
            statement += _STRUCT_1 + self._graphs[graph]
        return statement + _END

    def _header(self, row: PatchRow) -> bytes:
        name, value = header_columns(row)
        return _HEADER + _STRING_1 + _text(name) + _STRUCT_1 + self._terms[value] + _END

    def _prefix_add(self, row: PatchRow) -> bytes:
        name, iri, graph = added_prefix(row)
        return _PREFIX_ADD + self._prefix(name, graph) + _STRING_1 + _text(iri) + _END

    def _prefix_delete(self, row: PatchRow) -> bytes:
        name, graph = deleted_prefix(row)
        return _PREFIX_DELETE + self._prefix(name, graph) + _END

    def _prefix(self, name: str, graph: str | None) -> bytes:
        """Return the fields for the graph, if there is one, and for the prefix's name."""
        if graph is None:
            return _STRING_2 + _text(name)
        return _STRUCT_1 + self._graphs[graph] + _STRING_1 + _text(name)


def _encode_graph(graph: Term) -> bytes:
    check_jena_graph(graph)
    return _encode_term(graph)


def _encode_term(term: Term) -> bytes:
    if isinstance(term, Iri):
        return _IRI + _STRING_1 + _text(term.value) + _END
    if isinstance(term, Literal):
        literal = _LITERAL + _STRING_1 + _text(term.lexical)
        tag = language_tag(term)
        if tag is not None:
            literal += _STRING_1 + _text(tag)
        elif term.datatype is not None:
            literal += _STRING_2 + _text(term.datatype)
        return literal + _END
    if isinstance(term, BlankNode):
        return _BLANK_NODE + _STRING_1 + _text(term.label) + _END
    return b"".join(
        (
            _TRIPLE,
            *(
                _STRUCT_1 + _encode_term(part)
                for part in (term.subject, term.predicate, term.object)
            ),
            _END,
        )
    )


def _text(text: str) -> bytes:
    return write_string(encode_text(text, "a string"))


def _constant(data: bytes, _: PatchRow) -> bytes:
    return data
