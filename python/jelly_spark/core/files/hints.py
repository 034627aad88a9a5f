"""Guesses at the kind of a file by its first bytes.

`find_hint` makes them for error messages, after reading has failed. `guess_format` makes them for
pipes, whose names tell nothing. The names of files always decide how they are read. Each format
says itself how its files begin; `register` adds what they say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from typing import NamedTuple

from jelly_spark.core.files.compression import COMPRESSIONS

HEAD_SIZE = 512
"""The number of bytes at the start of a file that a guess uses."""

BLANKS = rb"(?:\xef\xbb\xbf)?(?:[ \t\r\n\f]|#[^\n]*(?:\n|\Z))*"
"""A pattern for what may come first in a text: a byte order mark, white space and comments."""

VERSIONS = BLANKS + rb"(?:VERSION[ \t]*\"[^\"\r\n]*\"%b)*" % BLANKS
"""The same with versions, with which lines and Turtle may begin."""

TURTLE_START = VERSIONS + rb"(?i:@?prefix|@?base)[ \t]"
"""A pattern for Turtle that begins with a declaration."""

UTF_16 = rb"\xff\xfe|\xfe\xff"
"""A pattern for text in UTF-16."""

_DECLARATION = rb"(?i:@?prefix[ \t]+[^\s<]*:|@?base)\s*<[^<>\s]*>\s*\.?" + BLANKS
_DECLARATIONS_FIRST = re.compile(rb"%b(?:%b)*" % (VERSIONS, _DECLARATION))

_ROBOT = "convert it to RDF first, for example with `robot convert --input FILE --output FILE.ttl`"
# A declaration, comments and instructions.
_XML_PROLOG = rb"(?:\xef\xbb\xbf)?\s*(?:<\?(?:(?!\?>).)*\?>\s*|<!--(?:(?!-->).)*-->\s*)*"
_TEXT_IN_UTF_16 = "text in UTF-16: convert it to UTF-8 first, for example with iconv"
# Without a byte order mark, and not XML, which is read in UTF-16.
_ASCII_IN_UTF_16 = (
    rb"(?!\0?<\0?(?:[?!]|r\0?d\0?f\0?:))(?:(?:[\t\r\n -~]\0){8}|(?:\0[\t\r\n -~]){8})"
)
# Files that only need another name, and kinds of files that also begin as some syntax of RDF does.
_NO_RDF = (
    *(
        (
            f"a file compressed with {each.name}: give the file the extension {each.extension}, or "
            "decompress it first",
            re.escape(each.magic),
        )
        for each in COMPRESSIONS
    ),
    ("a file compressed with bzip2: decompress it first", rb"BZh"),
    ("a file compressed with xz: decompress it first", rb"\xfd7zXZ\0"),
    ("a file compressed with lz4: decompress it first", rb"\x04\x22\x4d\x18"),
    (f"OWL functional syntax: {_ROBOT}", BLANKS + rb"(?:Prefix|Ontology)\s*\("),
    (
        f"OWL in Manchester syntax: {_ROBOT}",
        BLANKS + rb"(?:Prefix:\s+[\w.\-]*:\s*<|Ontology:\s)",
    ),
    (f"an OBO file: {_ROBOT}", rb"(?:![^\n]*\n|\s)*(?:format-version:|\[(?:Term|Typedef)\])"),
    (f"OWL/XML: {_ROBOT}", _XML_PROLOG + rb"<(?:!DOCTYPE\s+)?Ontology\b"),
    (
        "an HTML page: download the data, not the page about it",
        rb"(?:%b|%b)(?i:<!doctype\s+html|<html)" % (_XML_PROLOG, BLANKS),
    ),
    (
        "a Git LFS pointer in place of the file: fetch the file with `git lfs pull`",
        rb"version https://git-lfs\.github\.com/",
    ),
    ("a zip archive: unpack it first, for example with `unzip FILE`", rb"PK\x03\x04"),
    ("a 7z archive: unpack it first, for example with `7z x FILE`", rb"7z\xbc\xaf\x27\x1c"),
    (_TEXT_IN_UTF_16, _ASCII_IN_UTF_16),
    ("a tar archive: unpack it first, for example with `tar xf FILE`", rb".{257}ustar"),
)
# Other common kinds of files.
_OTHERS = (
    ("a Parquet file", rb"PAR1"),
    ("an ORC file", rb"ORC"),
    ("an Avro file", rb"Obj\x01"),
    ("a PDF file", rb"%PDF-"),
    ("an HDT file: convert it to N-Triples first, for example with hdt2rdf", rb"\$HDT"),
    (_TEXT_IN_UTF_16, UTF_16),
)


class Beginning(NamedTuple):
    """How the files of a format begin, or those of a syntax of it.

    Patterns are of the first `HEAD_SIZE` bytes, or of the whole file if it is shorter, and a dot in
    them is any byte. No file has the beginnings of two formats.

    Attributes:
        format: the short name of the format.
        hint: what a file with this beginning is, and how to read it.
        is_like: whether a file seems to be one, when it could not be read as another format.
        is_surely: whether it must be one; by default, the same.
        syntax: the value of the format's option `syntax`; empty if it has no such option.
    """

    format: str
    hint: str
    is_like: Callable[[bytes], object]
    is_surely: Callable[[bytes], object] | None = None
    syntax: str = ""


_KNOWN: list[Callable[[], Iterable[Beginning]]] = []


def register(find: Callable[[], Iterable[Beginning]]) -> None:
    """Add beginnings of files to those that hints and guesses know; they are found when needed."""
    _KNOWN.append(find)


def matcher(pattern: bytes) -> Callable[[bytes], object]:
    """Return a function that tells whether the first bytes of a file match a pattern."""
    return partial(re.match, pattern, flags=re.DOTALL)


def find_hint(head: bytes, start: bytes) -> str | None:
    """Return a hint if a file looks like one of another kind than the format it was read as.

    Args:
        head: the first `HEAD_SIZE` bytes of the file, or the whole file if it is shorter.
        start: a pattern for the beginning of files of the format that it was read as.

    Returns:
        What the file looks like, and what to do. None if it looks like one of the format, or like
        nothing known.
    """
    formats = ((each.hint, each.is_like) for each in _beginnings())
    found = _find(head, _NO_RDF)
    if found is None and head and not matcher(start)(head):
        found = next((hint for hint, is_like in formats if is_like(head)), _find(head, _OTHERS))
    return None if found is None else f"this looks like {found}"


def _find(head: bytes, kinds: Iterable[tuple[str, bytes]]) -> str | None:
    return next((what for what, pattern in kinds if matcher(pattern)(head)), None)


def guess_format(head: bytes) -> Beginning | None:
    """Return the format that a file seems to have; None if it is not known.

    N-Quads stands for N-Triples, too, which are part of it, and TriG for Turtle.

    Args:
        head: the first bytes of the file: up to its first row if comments and declarations do not
            take too much space, or the whole file if it is shorter.
    """
    if not without_declarations(head):
        return None
    return next((each for each in _beginnings() if (each.is_surely or each.is_like)(head)), None)


def _beginnings() -> Iterable[Beginning]:
    return chain.from_iterable(find() for find in _KNOWN)


def without_declarations(head: bytes) -> bytes:
    """Return the first bytes of a file without what can precede rows in several formats.

    This is comments, white space, versions, prefixes and base IRIs.
    """
    found = _DECLARATIONS_FIRST.match(head)
    return head if found is None else head[found.end() :]
