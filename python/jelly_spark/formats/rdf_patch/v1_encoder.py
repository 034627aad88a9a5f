"""Formatting rows as lines of RDF Patch's first version, with prefixes and `R` for repeats."""

from __future__ import annotations

import re

from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.prefixes import Prefixes
from jelly_spark.core.rows import (
    GRAPH_RULE,
    OP_RULE,
    OPS,
    PatchRow,
    added_prefix,
    check_jena_graph,
    statement_columns,
)
from jelly_spark.core.terms import BlankNode, Iri, Literal, Term, TripleTerm, parse_term
from jelly_spark.core.terms.patterns import SCHEME, WORD
from jelly_spark.core.terms.text import ESCAPED_IN_IRI
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.rdf_patch.text_output import (
    BLANK_NODE_RULE,
    escape_matches,
    format_literal,
)
from jelly_spark.formats.rdf_patch.token_patterns import UNESCAPED_LOCAL_NAME

_ESCAPED = re.compile(rf"[{ESCAPED_IN_IRI}\x7f]")


class V1Encoder:
    """Formats each row as a line. Every line must be written, in the same order."""

    def __init__(self) -> None:
        self._prefixes = Prefixes(UNESCAPED_LOCAL_NAME)
        # A cache by the string of a term: the term, and its text with the current prefixes.
        self._known = BoundedCache(self._read)
        # The terms of the last statement; the graph may be None.
        self._last: list[Term | None] = [None, None, None, None]

    def format(self, row: PatchRow) -> str:
        """Return the line of a row.

        Raises:
            InvalidTermError: a string is not a term.
            UnwritableRowError: the row lacks a column, or the first version cannot express it.
        """
        if row.op == "A" or row.op == "D":
            return self._statement(row)
        if row.op == "PA":
            return self._prefix(row)
        raise UnwritableRowError(f"style v1 cannot write {row.op}" if row.op in OPS else OP_RULE)

    def _statement(self, row: PatchRow) -> str:
        subject, predicate, obj, graph = statement_columns(row)
        if graph is None:
            self._last[3] = None
        else:
            term = self._parse(graph)
            if isinstance(term, TripleTerm):
                raise UnwritableRowError(GRAPH_RULE)
            check_jena_graph(term)
        words: list[str] = [row.op]
        for position, text in enumerate((subject, predicate, obj, graph)):
            if text is not None:
                words.append(self._word(position, text))
        return f"{' '.join(words)} .\n"

    def _parse(self, text: str) -> Term:
        known = self._known.get(text)
        return parse_term(text) if known is None else known[0]

    def _read(self, text: str) -> tuple[Term, str]:
        term = parse_term(text)
        return term, self._format(term)

    def _word(self, position: int, text: str) -> str:
        """Return the text of a term, or `R` if it repeats the term of the last statement."""
        term, word = self._known[text]
        if term == self._last[position]:
            return "R"
        self._last[position] = term
        return word

    def _prefix(self, row: PatchRow) -> str:
        name, iri, graph = added_prefix(row)
        if graph is not None:
            raise UnwritableRowError("style v1 cannot write a PA with a graph")
        if name and not WORD.fullmatch(name):
            raise UnwritableRowError(
                "style v1 can only write a prefix name that begins with a letter and has "
                "letters, digits, '_' and '-'"
            )
        line = f"@prefix {name}: {_format_whole(iri)} .\n"
        self._prefixes.declare(name, iri)
        self._known.clear()
        return line

    def _format(self, term: Term) -> str:
        if isinstance(term, Iri):
            if term.value.startswith("_:"):
                raise UnwritableRowError(BLANK_NODE_RULE)
            return self._format_iri(term.value)
        if isinstance(term, BlankNode):
            return f"<_:{escape_matches(_ESCAPED, term.label)}>"
        if isinstance(term, Literal):
            return format_literal(term, self._format_iri)
        raise UnwritableRowError("style v1 cannot write a triple term")

    def _format_iri(self, iri: str) -> str:
        return self._prefixes.shorten(iri) or _format_whole(iri)


def _format_whole(iri: str) -> str:
    if not SCHEME.match(iri):
        raise UnwritableRowError("style v1 cannot write a relative IRI")
    return f"<{escape_matches(_ESCAPED, iri)}>"
