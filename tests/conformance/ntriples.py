"""N-Triples and N-Quads files, with triple terms, RDF-star's too, and generalized statements."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from jelly_spark.core.terms import Term, parse_term

Statement: TypeAlias = tuple[Term, Term, Term, Term | None]
"""Subject, predicate, object, and graph: None for the default graph, and for no graph."""

# Where a term ends; whether it is one is for `parse_term` to say. No label ends with a dot.
_TOKEN = re.compile(
    r'<<\(?|\)?>>|<[^>]*>|_:[^\s<>")]*[^\s<>").]|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?'
)
_SPACE = re.compile(r"[ \t]*")
_END = re.compile(r"\.[ \t]*(?:#.*)?")
_NOTHING = re.compile(r'[ \t]*(?:VERSION[ \t]*"[^"]*"[ \t]*)?(?:#.*)?')
_NEW_LINE = re.compile(r"[\r\n]+")


class NotAStatement(ValueError):
    """A line is not a statement."""


def read_statements(path: Path) -> list[Statement]:
    """Return the statements of a file, in its order."""
    return list(parse_statements(path.read_text(encoding="utf-8")))


def parse_statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a text, in its order.

    Raises:
        NotAStatement: a line is not a statement.
        InvalidTermError: a part of a line is not a term.
    """
    # Not splitlines(), which breaks lines at characters that literals may hold.
    for line in _NEW_LINE.split(text):
        if _NOTHING.fullmatch(line) is None:
            yield _statement(line)


def _statement(line: str) -> Statement:
    terms = []
    at = _skip(line, 0)
    while _END.fullmatch(line, at) is None:
        end = _term_end(line, at)
        terms.append(parse_term(line[at:end]))
        at = _skip(line, end)
    if len(terms) == 3:
        return terms[0], terms[1], terms[2], None
    if len(terms) == 4:
        return terms[0], terms[1], terms[2], terms[3]
    raise NotAStatement(f"{len(terms)} terms: {line}")


def _term_end(line: str, at: int) -> int:
    depth = 0
    while True:
        token = _TOKEN.match(line, at)
        if token is None:
            raise NotAStatement(f"no term at character {at}: {line}")
        depth += token[0].startswith("<<") - token[0].endswith(">>")
        if depth <= 0:
            return token.end()
        at = _skip(line, token.end())


def _skip(line: str, at: int) -> int:
    space = _SPACE.match(line, at)
    assert space is not None
    return space.end()
