"""Keys of JSON-LD that the context does not map to an IRI: JSON-LD leaves out what they have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Set
from contextlib import suppress

import pyoxigraph as ox

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.show import quoted
from jelly_spark.core.term_patterns import SCHEME

# If the file has no base, keys that are relative to the base must not look like those without a
# meaning.
_BASE = "x-jelly-spark:///"
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]')
_COLON = re.compile(rb"[ \t\r\n]*:")
_CONTEXT = b'"@context"'


def without_unmapped_keys(data: bytes, base: str) -> bytes:
    """Return JSON-LD in which pyoxigraph's lenient parser leaves out what JSON-LD leaves out.

    The parser takes a key without a meaning for a relative IRI. JSON-LD ignores keys that look
    like its own, such as `@xxx`, so such a key becomes one, of the same length if possible.

    Args:
        data: the file.
        base: the option `base`.

    Raises:
        Violation: a key has a meaning in one part of the file, and none in another.
    """
    base = base or _BASE
    unmapped: set[str] = set()
    # The reader parses the file again, and reports its errors.
    with suppress(SyntaxError):
        for quad in _parse(data, base, lenient=True):
            iri = quad.predicate.value
            if not SCHEME.match(iri):
                unmapped.add(iri)
    if not unmapped:
        return data
    renamed = b"".join(_renamed(data, unmapped))
    if _count(data, base) != _count(renamed, base):
        shown = ", ".join(quoted(key) for key in sorted(unmapped)[:3])
        raise Violation("keys that have a meaning everywhere or nowhere in the file", shown)
    return renamed


def _parse(data: bytes, base: str, *, lenient: bool) -> Iterator[ox.Quad]:
    return ox.parse(data, ox.RdfFormat.JSON_LD, base_iri=base, lenient=lenient)


def _count(data: bytes, base: str) -> int:
    """Return the number of statements, up to the first error."""
    count = 0
    with suppress(SyntaxError):
        for _ in _parse(data, base, lenient=False):
            count += 1
    return count


def _renamed(data: bytes, keys: Set[str]) -> Iterator[bytes]:
    """Yield the parts of JSON in which some keys, but not those of contexts, are renamed."""
    at = 0
    # The number of objects and arrays around, and of those around the context.
    depth = 0
    context: int | None = None
    for token in _STRING.finditer(data):
        text = token[0]
        if text in b"{[":
            depth += 1
        elif text in b"}]":
            depth -= 1
            if context is not None and depth <= context:
                context = None
        elif _COLON.match(data, token.end()):
            if text == _CONTEXT and context in (None, depth):
                context = depth
            elif context == depth:
                # The context was a string or null.
                context = None
            key = _decoded(text)
            if context is None and key is not None and key in keys:
                yield data[at : token.start()]
                yield f'"@{"x" * max(len(key) - 1, 1)}"'.encode()
                at = token.end()
    yield data[at:]


def _decoded(text: bytes) -> str | None:
    with suppress(ValueError):
        key: str = json.loads(text)
        return key
    return None
