"""Keys of JSON-LD that the context does not map to an IRI: JSON-LD leaves out what they have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from itertools import zip_longest
from typing import NamedTuple

import pyoxigraph as ox

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.show import quoted
from jelly_spark.core.terms.patterns import SCHEME
from jelly_spark.formats.rdf.source import LONG_TOKEN

# If the file has no base, keys that are relative to the base must not look like those without a
# meaning.
_BASE = "x-jelly-spark:///"
# The last string may lack its end.
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_COLON = re.compile(rb"[ \t\r\n]*:")
_CONTEXT = b'"@context"'
# How keywords begin.
_AT = (b'"@', b'"\\u0040')
_EMPTY = re.compile(rb"[ \t\r\n]*(?:\{[ \t\r\n]*\}|\[[ \t\r\n]*\])[ \t\r\n]*\Z")
_DEFAULT_GRAPH = str(ox.DefaultGraph())


class _Place(NamedTuple):
    """Where a key is in the file."""

    start: int
    end: int
    key: str


def may_be_json_ld(data: bytes) -> bool:
    """Return whether JSON without any statement can be JSON-LD.

    It can if it is an empty object or array, or has a string that begins as keywords do.
    """
    strings = (token[0] for token in _TOKEN.finditer(data))
    return _EMPTY.match(data) is not None or any(text.startswith(_AT) for text in strings)


def without_unmapped_keys(data: bytes, base: str) -> bytes:
    """Return JSON-LD in which pyoxigraph's lenient parser leaves out what JSON-LD leaves out.

    The parser takes a key without a meaning for a relative IRI. JSON-LD ignores keys that look
    like its own, such as `@xxx`, so such a key becomes one, of the same length if possible.

    The same key can be data elsewhere: in a JSON literal, or as an index, an identifier, a type or
    a language. To tell, the file is parsed with a number after each such key: those that become a
    predicate have no meaning.

    Args:
        data: the file.
        base: the option `base`.

    Raises:
        Violation: a key has a meaning in one part of the file, and none in another; or one without
            a meaning comes before `@graph` inside a graph.
    """
    base = base or _BASE
    keys: set[str] = set()
    for terms in _statements(data, base):
        predicate = _relative_predicate(terms)
        if predicate is not None:
            keys.add(predicate)
    if not keys:
        return data
    places = [*_places(data, keys)]
    unmapped = _find_unmapped(data, base, places)
    return _renamed(
        data, ((places[at], "@" + "x" * max(len(places[at].key) - 1, 1)) for at in sorted(unmapped))
    )


def _statements(data: bytes, base: str) -> Iterator[tuple[str, ...]]:
    """Yield the terms of each statement; an error, which the reader will find too, has none."""
    try:
        for quad in ox.parse(data, ox.RdfFormat.JSON_LD, base_iri=base, lenient=True):
            yield tuple(map(str, quad))
    except SyntaxError:
        yield ()
    except MemoryError as error:
        if LONG_TOKEN not in str(error):
            raise
        yield ()


def _relative_predicate(terms: tuple[str, ...]) -> str | None:
    """Return the predicate, if it is a relative IRI."""
    if not terms:
        return None
    iri = terms[1][1:-1]
    return None if SCHEME.match(iri) else iri


def _find_unmapped(data: bytes, base: str, places: Sequence[_Place]) -> Set[int]:
    """Return the indexes of the places where a key has no meaning."""
    start = "!k"
    while start.encode() in data:
        start += "k"
    numbered = _renamed(
        data, ((place, f"{place.key}{start}{at}!") for at, place in enumerate(places))
    )
    number = re.compile(f"{start}([0-9]+)!")
    unmapped: set[int] = set()
    others: set[int] = set()
    # Nodes in a graph that have a key without a meaning, and no identifier.
    nodes: set[str] = set()
    labels: dict[str, str] = {}
    new_labels: dict[str, str] = {}
    for old, new in zip_longest(_statements(data, base), _statements(numbered, base)):
        if old is None or new is None:
            raise _ambiguous(places)
        plain = tuple(number.sub("", text) for text in new)
        # Nothing but the keys may be different.
        if _with_plain_labels(old, labels) != _with_plain_labels(plain, new_labels):
            raise _ambiguous(places)
        if new and new[3] in nodes:
            # If that is in a graph container, the parser takes an ignored key before `@graph` for
            # another statement, and the graph for one inside the container's.
            expected = "the key @graph before keys without a meaning, in an object inside a graph"
            raise Violation(expected, _shown(places))
        if plain == new:
            continue
        is_relative = _relative_predicate(new) is not None
        if is_relative and new[0].startswith("_:") and new[3] != _DEFAULT_GRAPH:
            nodes.add(new[0])
        for column, text in enumerate(new):
            found = unmapped if is_relative and column == 1 else others
            found.update(map(int, number.findall(text)))
    if unmapped & others:
        raise _ambiguous(places)
    return unmapped


def _with_plain_labels(terms: tuple[str, ...], labels: dict[str, str]) -> tuple[str, ...]:
    """Number the blank nodes: the parser's labels for those without one are random."""
    return tuple(
        labels.setdefault(text, f"_:{len(labels)}") if text.startswith("_:") else text
        for text in terms
    )


def _ambiguous(places: Sequence[_Place]) -> Violation:
    return Violation("keys that have a meaning everywhere or nowhere in the file", _shown(places))


def _shown(places: Sequence[_Place]) -> str:
    return ", ".join(quoted(key) for key in sorted({place.key for place in places})[:3])


def _renamed(data: bytes, names: Iterable[tuple[_Place, str]]) -> bytes:
    """Return JSON with other names of the keys at some places, in the order of the file."""
    parts: list[bytes] = []
    at = 0
    for place, name in names:
        parts += (data[at : place.start], json.dumps(name).encode())
        at = place.end
    parts.append(data[at:])
    return b"".join(parts)


def _places(data: bytes, keys: Set[str]) -> Iterator[_Place]:
    """Yield where some keys are in JSON, but not those of contexts."""
    # The number of objects and arrays around, and of those around the context.
    depth = 0
    context: int | None = None
    for token in _TOKEN.finditer(data):
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
                yield _Place(token.start(), token.end(), key)


def _decoded(text: bytes) -> str | None:
    with suppress(ValueError):
        if b"\\" not in text:
            return text[1:-1].decode()
        key: str = json.loads(text)
        return key
    return None
