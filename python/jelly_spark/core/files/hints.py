"""Guesses at the kind of a file by its first bytes.

`find_hint` makes them for error messages, after reading has failed. `guess_format` makes them for
pipes, whose names tell nothing. The names of files always decide how they are read.
"""

from __future__ import annotations

import re

from jelly_spark.core.varint import decode_varint

HEAD_SIZE = 512
"""The number of bytes at the start of a file that a guess uses."""

_COMPRESSED = (
    ("gzip", b"\x1f\x8b", "give the file the extension .gz, or decompress it first"),
    ("zstd", b"\x28\xb5\x2f\xfd", "give the file the extension .zst, or decompress it first"),
    ("bzip2", b"BZh", "decompress it first"),
    ("xz", b"\xfd7zXZ\0", "decompress it first"),
    ("lz4", b"\x04\x22\x4d\x18", "decompress it first"),
)

# The start of a file: the options row, up to the tag of the first option. The length of the frame
# may come before (Jelly-RDF and Jelly-Patch, "Stream options").
_VARINT = rb"[\x80-\xff]{0,4}[\x00-\x7f]"
_OPTIONS_ROW = rb"(?:%b)?\x0a%b\x0a%b" % (_VARINT, _VARINT, _VARINT)
_SIZES = [
    re.compile(rb"%b\x0a(%b)\x0a(%b)" % (first, _VARINT, _VARINT)) for first in (b"", _VARINT)
]

# What may come first in a text: a byte order mark, white space and comments.
_BLANKS = rb"(?:\xef\xbb\xbf)?(?:[ \t\r\n\f]|#[^\n]*(?:\n|\Z))*"
# Versions may also begin Turtle.
_VERSIONS = _BLANKS + rb"(?:VERSION[ \t]*\"[^\"\r\n]*\"%b)*" % _BLANKS
_TURTLE_START = _VERSIONS + rb"(?i:@?prefix|@?base)[ \t]"
_IRI = rb"<[^<>\x00-\x20]+>"
_ROW = rb"(?:H|TX|TB|TC|TA|PA|PD|A|D|Z)[ \t\r\n\f.<#\"]"

# By short name: the format's title, and a pattern for the beginning of its files.
_FORMATS = {
    # The first option is the statement type, which every stream has.
    "jelly_patch": ("Jelly-Patch", re.compile(_OPTIONS_ROW + rb"\x08", re.DOTALL)),
    # The first option is the stream's name, or its physical type.
    "jelly_rdf": ("Jelly-RDF", re.compile(_OPTIONS_ROW + rb"[\x0a\x10]", re.DOTALL)),
    # A row's code or a prefix; or nothing but white space and comments in the first bytes.
    "rdf_patch": (
        "RDF Patch text",
        re.compile(
            _BLANKS + rb"(?:%b|@prefix\s|\Z)" % _ROW,
        ),
    ),
    # In the compact protocol: the struct of an H, of an A or D with its first term, of a PA or PD;
    # or a transaction's code and the end of its row.
    "rdf_patch_thrift": (
        "RDF Patch in Thrift",
        re.compile(
            rb"\x1c\x18|[\x2c\x3c]\x1c[\x1c\x2c\x3c\x4c\x5c\x6c\x7c\x8c\x9c]|[\x4c\x5c][\x1c\x28]"
            rb"|\x65[\x00\x02\x04\x06\x08]\x00",
        ),
    ),
}


# N-Triples and N-Quads begin with a term or a version, or have nothing but white space and comments
# in the first bytes. A relative IRI counts only if two more terms follow, because `<html>` looks
# like one.
_LINE_FORMATS = ("ntriples", "nquads")
_LINE = re.compile(
    rb"(?!%b)%b" % (_TURTLE_START, _BLANKS)
    + rb"(?:VERSION[ \t]*\"|<<|<(?!rdf:RDF)[A-Za-z][A-Za-z0-9+.\-]*:|_:|\Z"
    + rb"|%b[ \t]+%b[ \t]+(?:<|_:|\"))" % (_IRI, _IRI)
)

_TURTLE_TITLE = "Turtle or TriG: read it with the format rdf"
_DECLARATION = rb"(?i:@?prefix[ \t]+[^\s<:]*:|@?base)\s*<[^<>\s]*>\s*\.?" + _BLANKS
_DECLARATIONS_FIRST = re.compile(rb"%b(?:%b)*" % (_VERSIONS, _DECLARATION))
# Each text has only one way to match, so that time is linear.
_PREFIX = rb"@prefix\s+(?:[^\s<]+\s*)?<[^<>\s]*>\s*\."
# Turtle and RDF Patch can both begin with prefixes, but only in RDF Patch do rows follow.
_TURTLE = re.compile(_BLANKS + rb"(?=@prefix\s)(?!(?:%b%b)+%b)" % (_PREFIX, _BLANKS, _ROW))

# Other declarations are Turtle's alone.
_TURTLE_ALONE = re.compile(rb"(?!%b@prefix\s)%b" % (_BLANKS, _TURTLE_START))

_UTF_16 = rb"\xff\xfe|\xfe\xff"
_XML_START = _BLANKS + rb"(?:<\?xml|<rdf:RDF)"
_JSON_START = _BLANKS + rb"(?:\{[ \t\r\n]*[\"}]|\[[ \t\r\n]*[\[{\"])"
# Beginnings of RDF/XML and JSON-LD that a server's answer about an error does not have. Such an
# answer can be valid, too, and have no statements.
_SURELY_RDF = {
    "rdfxml": re.compile(
        rb"%b(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!DOCTYPE\s+)?rdf:RDF\b" % _BLANKS,
        re.DOTALL,
    ),
    "jsonld": re.compile(rb"%b(?:\[\s*)?\{\s*\"@(?:context|graph|id)\"\s*:" % _BLANKS),
}

_ROBOT = "convert it to RDF first, for example with `robot convert --input FILE --output FILE.ttl`"
# A declaration, comments and instructions.
_XML_PROLOG = rb"(?:\xef\xbb\xbf)?\s*(?:<\?(?:(?!\?>).)*\?>\s*|<!--(?:(?!-->).)*-->\s*)*"
# Kinds of files that also begin as some syntax of RDF does.
_NO_RDF = (
    ("OWL functional syntax", _ROBOT, _BLANKS + rb"(?:Prefix|Ontology)\s*\("),
    (
        "OWL in Manchester syntax",
        _ROBOT,
        _BLANKS + rb"(?:Prefix:\s+[\w.\-]*:\s*<|Ontology:\s)",
    ),
    ("an OBO file", _ROBOT, rb"(?:![^\n]*\n|\s)*(?:format-version:|\[(?:Term|Typedef)\])"),
    ("OWL/XML", _ROBOT, _XML_PROLOG + rb"<(?:!DOCTYPE\s+)?Ontology\b"),
    (
        "an HTML page",
        "download the data, not the page about it",
        rb"(?:%b|%b)(?i:<!doctype\s+html|<html)" % (_XML_PROLOG, _BLANKS),
    ),
    (
        "a Git LFS pointer in place of the file",
        "fetch the file with `git lfs pull`",
        rb"version https://git-lfs\.github\.com/",
    ),
    ("a zip archive", "unpack it first, for example with `unzip FILE`", rb"PK\x03\x04"),
    ("a 7z archive", "unpack it first, for example with `7z x FILE`", rb"7z\xbc\xaf\x27\x1c"),
    ("a tar archive", "unpack it first, for example with `tar xf FILE`", rb".{257}ustar"),
)
_NO_RDF_PATTERNS = [
    (f"this looks like {what}: {advice}", re.compile(start, re.DOTALL))
    for what, advice, start in _NO_RDF
]

# By the option `syntax` of the format rdf: a pattern for the beginning of files. That of Turtle is
# also met by N-Triples and N-Quads.
_TURTLE_LIKE = re.compile(
    rb"(?!%b|%b)" % (_XML_START, _JSON_START)
    + _VERSIONS
    + rb"(?:(?i:@?prefix|@?base|graph)\s|<(?!(?i:!doctype|html))|_:|[\[({]|[\w.\-]*:|\Z)"
)
_SYNTAXES = {
    "turtle": _TURTLE_LIKE,
    "trig": _TURTLE_LIKE,
    "n3": _TURTLE_LIKE,
    "rdfxml": re.compile(rb"%b|%b" % (_XML_START, _UTF_16)),
    "jsonld": re.compile(_JSON_START),
}

# Other common kinds of files, with patterns for their beginnings.
_OTHERS = (
    ("a Parquet file", rb"PAR1"),
    ("an ORC file", rb"ORC"),
    ("an Avro file", rb"Obj\x01"),
    ("a PDF file", rb"%PDF-"),
    ("an HDT file: convert it to N-Triples first, for example with hdt2rdf", rb"\$HDT"),
    ("text in UTF-16: convert it to UTF-8 first, for example with iconv", _UTF_16),
    ("XML: if it is RDF/XML, read it with the format rdf and the syntax rdfxml", _XML_START),
    ("JSON: if it is JSON-LD, read it with the format rdf and the syntax jsonld", _JSON_START),
    (_TURTLE_TITLE, _TURTLE_START),
    (
        "N-Triples or N-Quads: read it with the format ntriples or nquads",
        _BLANKS + rb"(?:VERSION[ \t]*\"|(?:%b|_:[^ \t]+)[ \t]+%b[ \t]+(?:<|_:|\"))" % (_IRI, _IRI),
    ),
)
_OTHER_PATTERNS = [(what, re.compile(start, re.DOTALL)) for what, start in _OTHERS]


def find_hint(head: bytes, format: str) -> str | None:
    """Return a hint if a file looks like one of another kind than the format it was read as.

    Args:
        head: the first `HEAD_SIZE` bytes of the file, or the whole file if it is shorter.
        format: the short name of the format that the file was read as, or a syntax of rdf.

    Returns:
        What the file looks like, and what to do. None if it looks like one of the format, or like
        nothing known.
    """
    for name, magic, advice in _COMPRESSED:
        if head.startswith(magic):
            return f"this looks like a file compressed with {name}: {advice}"
    for hint, start in _NO_RDF_PATTERNS:
        if start.match(head):
            return hint
    if looks_like(head, format):
        return None
    if _TURTLE.match(head):
        return f"this looks like {_TURTLE_TITLE}"
    for name, (title, _) in _FORMATS.items():
        if head and looks_like(head, name):
            return f"this looks like {title}: read it with the format {name}"
    for what, start in _OTHER_PATTERNS:
        if start.match(head):
            return f"this looks like {what}"
    return None


def guess_compression(head: bytes) -> str | None:
    """Return the name of the compression of a file that begins like this; None if it has none."""
    return next((name for name, magic, _ in _COMPRESSED if head.startswith(magic)), None)


def guess_format(head: bytes) -> str | None:
    """Return the format that a file seems to have; None if it is not known.

    N-Quads stands for N-Triples, too, which are part of it, and TriG for Turtle.

    Args:
        head: the first bytes of the file: up to its first row if comments and declarations do not
            take too much space, or the whole file if it is shorter.

    Returns:
        The short name of the format, or a syntax of the format rdf.
    """
    if not without_declarations(head):
        return None
    if _TURTLE.match(head) or _TURTLE_ALONE.match(head):
        return "trig"
    names = (*_FORMATS, *_SURELY_RDF, "nquads")
    return next((name for name in names if _is_surely(head, name)), None)


def _is_surely(head: bytes, name: str) -> bool:
    if name in ("jelly_patch", "jelly_rdf"):
        return looks_like(head, name) and any(map(_fit, (sizes.match(head) for sizes in _SIZES)))
    start = _SURELY_RDF.get(name)
    return looks_like(head, name) if start is None else start.match(head) is not None


def _fit(sizes: re.Match[bytes] | None) -> bool:
    """Return whether a row is as long as the options in it, as empty lines are not."""
    if sizes is None:
        return False
    row, options = (decode_varint(size, 0, len(size))[0] for size in sizes.groups())
    return row == 1 + len(sizes[2]) + options


def without_declarations(head: bytes) -> bytes:
    """Return the first bytes of a file without what can precede rows in several formats.

    This is comments, white space, versions, prefixes and base IRIs.
    """
    found = _DECLARATIONS_FIRST.match(head)
    return head if found is None else head[found.end() :]


def looks_like(head: bytes, name: str) -> bool:
    """Return whether a file begins like one of a format.

    Args:
        head: the first `HEAD_SIZE` bytes of the file, or the whole file if it is shorter.
        name: the short name of the format, or a syntax of the format rdf.
    """
    if name in _LINE_FORMATS:
        start: re.Pattern[bytes] | None = _LINE
    else:
        start = _SYNTAXES.get(name) or _FORMATS.get(name, ("", None))[1]
    return start is not None and start.match(head) is not None
