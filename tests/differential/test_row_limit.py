"""The option `maxRowSize`: both codecs refuse the same rows, with the same words."""

from typing import Any

import pytest

from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.options import WriteOptions
from jelly_spark.errors import MalformedInputError
from jelly_spark.formats import FORMATS
from tests.codec.files.hostile_files import field, patch_file
from tests.codecs import Codec, JvmCodec
from tests.differential.comparison import PYTHON

_TRIPLE = '<<( <urn:s> <urn:p> <<( _:a <urn:p> "o"@en )>> )>>'
_STATEMENT = (_TRIPLE, "<urn:p>", f'<<( {_TRIPLE} <urn:p> "1"^^<urn:d> )>>')
_INNER_TERMS = 12
_FIRST = ("<urn:s>", "<urn:p>", "<urn:o>")


def _outcome(codec: Codec, data: bytes, format: str, limit: int) -> list[Any] | str:
    try:
        return codec.decode(data, format, max_row_size=limit)
    except MalformedInputError as error:
        return str(error)


def _check_limit(jvm: JvmCodec, data: bytes, format: str, limit: int) -> None:
    """Check that both codecs read the rows with a limit, and refuse one with the next lower one."""
    rows = _outcome(PYTHON, data, format, limit)
    assert isinstance(rows, list)
    assert _outcome(jvm, data, format, limit) == rows
    error = _outcome(PYTHON, data, format, limit - 1)
    assert isinstance(error, str)
    assert f"a row of at most {limit - 1} bytes (option maxRowSize), found a longer one" in error
    assert _outcome(jvm, data, format, limit - 1) == error


@pytest.mark.parametrize("format", FORMATS)
def test_each_term_in_a_triple_term_counts_as_64_bytes(jvm: JvmCodec, format: str) -> None:
    rows = [
        RdfRow(*terms) if FORMATS[format].row is RdfRow else PatchRow("A", *terms)
        for terms in (_FIRST, _STATEMENT, _FIRST, _STATEMENT)
    ]
    options: WriteOptions = FORMATS[format].options()
    _check_limit(jvm, PYTHON.encode(rows, options), format, 64 * _INNER_TERMS)


@pytest.mark.parametrize("format", FORMATS)
def test_a_longer_term_in_a_triple_term_counts_as_its_text(jvm: JvmCodec, format: str) -> None:
    iri = f"<urn:{'s' * 100}>"
    triple = f"<<( {iri} <urn:p> <urn:o> )>>"
    terms = (triple, "<urn:p>", triple)
    row = RdfRow(*terms) if FORMATS[format].row is RdfRow else PatchRow("A", *terms)
    data = PYTHON.encode([row], FORMATS[format].options())
    _check_limit(jvm, data, format, 2 * (len(iri) + 2 * 64))


_STATEMENT_PART = field(2, b"".join(field(number, b"t") for number in (2, 6, 10)))
_EMPTY_PARTS = field(2, b"") + field(3, b"")
# Rows by what they consist of, besides a statement, and their numbers of fields and messages.
_ROWS = {
    "parts of a message": (_STATEMENT_PART + field(2, b"") * 100, 104, 101),
    "messages that replace each other": (_EMPTY_PARTS * 50 + _STATEMENT_PART, 104, 101),
    "texts": (field(2, field(2, b"") * 200) + _STATEMENT_PART, 205, 2),
    "unknown fields": (_STATEMENT_PART + field(99, b"") * 200, 204, 1),
    "unknown fields in a group": (
        _STATEMENT_PART + b"\x9b\x06" + field(2, b"") * 200 + b"\x9c\x06",
        206,
        1,
    ),
    "numbers": (_STATEMENT_PART + b"\xd8\x07\0" * 300, 304, 1),
    "fields of fixed sizes": (
        _STATEMENT_PART + b"\xd8\x07\0" * 300 + b"\xdd\x07four\xd9\x07fixed: 8",
        306,
        1,
    ),
}


@pytest.mark.parametrize("row", _ROWS)
def test_the_fields_of_a_jelly_row_count(jvm: JvmCodec, row: str) -> None:
    data, fields, messages = _ROWS[row]
    _check_limit(jvm, patch_file([data]), "jelly_patch", 8 * fields + 24 * messages - 1024)
