"""The encodings of XML documents."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from xml.parsers import expat

from jelly_spark.core.malformed_input import Violation

_DECLARATION = re.compile(
    rb"(?:\xef\xbb\xbf)?"
    rb"<\?xml[ \t\r\n][^<>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*[\"']([A-Za-z][\w.\-]*)[\"']"
)
# How a document in EBCDIC begins, whose variants have the same letters: `<?xm`.
_EBCDIC = b"\x4c\x6f\xa7\x94"
_LONGEST = 256
# How a document in UTF-16 begins: with a byte order mark, or with `<`.
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")
# Those that expat reads itself, by Python's names: it does not know others, such as UTF8. It is
# slow for all other encodings, or cannot read them.
_OF_EXPAT = {"utf-8": "utf-8", "iso8859-1": "iso-8859-1", "ascii": "us-ascii"}
# Python's own codecs for text, which are no encodings of files.
_OF_PYTHON = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})


def parser_for(
    first: bytes, separator: str
) -> tuple[expat.XMLParserType, Callable[[bytes, bool], bytes]]:
    """Create a parser for the encoding that a document declares.

    Args:
        first: the first bytes of the document, with its declaration.
        separator: the character between the parts of names in the parser's results.

    Returns:
        The parser, and what makes of the bytes of the document those that the parser reads. Its
        second argument says whether these are the last bytes.

    Raises:
        Violation: the encoding is not known.
    """
    head = first
    is_utf_16 = first.startswith(_UTF_16)
    if is_utf_16:
        head = first[:_LONGEST].lstrip(b"\xfe\xff").replace(b"\0", b"")
    elif first.startswith(_EBCDIC):
        head = first[:_LONGEST].decode("cp037").encode()
    declared = _DECLARATION.match(head)
    if declared is None:
        return _create(None, separator), _unchanged
    name = declared[1].decode()
    codec = _find_codec(name)
    if codec is None:
        raise Violation("XML in a known encoding", f"the encoding {name}")
    if is_utf_16 and not codec.name.startswith("utf-16"):
        raise Violation(f"text in {name}, as the file declares", "text in UTF-16")
    if is_utf_16 or codec.name in _OF_EXPAT:
        return _create("utf-16" if is_utf_16 else _OF_EXPAT[codec.name], separator), _unchanged
    if first.startswith(codecs.BOM_UTF8):
        return _create(None, separator), _unchanged
    decoder = codec.incrementaldecoder("strict")

    def to_utf8(data: bytes, is_last: bool) -> bytes:
        try:
            return decoder.decode(data, is_last).encode()
        except UnicodeError:
            raise Violation(f"text in {name}, as the file declares", "other bytes") from None

    # The parser's argument counts more than what the document declares.
    return _create("utf-8", separator), to_utf8


def _create(encoding: str | None, separator: str) -> expat.XMLParserType:
    # None: names are not interned. Otherwise all are kept, and entities can make them long.
    return expat.ParserCreate(encoding, separator, None)


def _find_codec(name: str) -> codecs.CodecInfo | None:
    """Return the codec of an encoding; None if there is none, or it is not for text in files."""
    try:
        codec = codecs.lookup(name)
        if codec.name in _OF_PYTHON:
            return None
        # An error if the codec is not for text; the bytes must not be empty.
        b"<".decode(name, "ignore")
    except LookupError:
        return None
    return codec


def _unchanged(data: bytes, _is_last: bool) -> bytes:
    return data
