"""From terms and rows to the parts of a SPARQL Update (SPARQL 1.1 Update, "Graph Update")."""

from __future__ import annotations

import re
from urllib.parse import quote

from jelly_spark.core.rows import (
    GRAPH_RULE,
    NAMESPACE_RULE,
    PatchRow,
    encode_text,
    header_columns,
    prefix_columns,
)
from jelly_spark.core.statement_rules import (
    check_absolute,
    check_graph,
    check_triple,
    has_valid_tag,
)
from jelly_spark.core.term_patterns import BASE_DIRECTION, SCHEME, WORD, literal_pattern
from jelly_spark.core.terms import (
    ESCAPED_IN_IRI,
    IRI_CHAR,
    LEXICAL_CHAR,
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    QuotedTriple,
    Term,
    escape_lexical,
    format_term,
    parse_term,
)
from jelly_spark.errors import UnwritableRowError

# Fast path: terms whose canonical string is also what SPARQL takes. The terms are joined by line
# feeds, which no term holds.
_IRI = f"<{SCHEME.pattern}{IRI_CHAR}*>"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_is_triple = re.compile(f"{_IRI}\n{_IRI}\n(?:{_IRI}|{_LITERAL})").fullmatch

# Parsers may replace codepoint escapes such as `\u0041` before they know what they are in (SPARQL
# 1.1 Query, "Codepoint Escape Sequences"): behind an escaped backslash in a literal, and in a
# comment, which a line feed would end.
_CODEPOINT_ESCAPE = re.compile(r"\\[uU]")
_EXCLUDED_FROM_IRI = re.compile(f"[{ESCAPED_IN_IRI}]")
# All but `iunreserved` (RFC 3987). The percent sign is one of them, so that each label has an IRI
# of its own.
_ENCODED_IN_LABEL = re.compile(
    r"[^A-Za-z0-9._~\-\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(
        f"\\U{plane:04X}{first}-\\U{plane:04X}FFFD"
        for plane, first in [*((plane, "0000") for plane in range(1, 14)), (14, "1000")]
    )
    + "]+"
)


class TermEncoder:
    """Formats terms for SPARQL.

    Args:
        skolem_base: what the IRIs begin with that stand for blank nodes; empty to refuse these.
    """

    def __init__(self, skolem_base: str) -> None:
        self._skolem_base = skolem_base

    def triple(self, subject: str, predicate: str, obj: str) -> str:
        """Return a triple, given the strings of its terms.

        Raises:
            InvalidTermError: a string is not a term.
            UnwritableRowError: no SPARQL Update can hold the triple.
        """
        if _is_triple(f"{subject}\n{predicate}\n{obj}"):
            if "\\" in obj or "\t" in obj:
                obj = _escape_literal(obj)
            return f"{subject} {predicate} {obj} ."
        terms = parse_term(subject), parse_term(predicate), parse_term(obj)
        check_triple(*terms[:2])
        return f"{' '.join(map(self._format, terms))} ."

    def graph(self, text: str) -> str:
        """Return the name of a graph, given its string; errors are those of `triple`."""
        term = parse_term(text)
        check_graph(term)
        return self._format(term)

    def _format(self, term: Term) -> str:
        if isinstance(term, Iri):
            return _format_iri(term.value)
        if isinstance(term, Literal):
            return _format_literal(term)
        if isinstance(term, BlankNode):
            if not self._skolem_base:
                raise UnwritableRowError("a blank node needs the option skolemBase")
            return f"<{self._skolem_base}{_ENCODED_IN_LABEL.sub(_percent_encode, term.label)}>"
        raise UnwritableRowError("SPARQL Update cannot hold a quoted triple")


def _percent_encode(match: re.Match[str]) -> str:
    return quote(match[0], safe="")


def _format_iri(iri: str) -> str:
    check_absolute(iri)
    if _EXCLUDED_FROM_IRI.search(iri):
        raise UnwritableRowError(
            "SPARQL Update cannot hold an IRI with a space, a control character or any of "
            '<>"{}|^`\\'
        )
    return f"<{iri}>"


def _format_literal(literal: Literal) -> str:
    text = f'"{_escape_literal(escape_lexical(literal.lexical))}"'
    if literal.language is not None:
        if not has_valid_tag(literal) or BASE_DIRECTION in literal.language:
            raise UnwritableRowError(
                "a language tag must follow SPARQL's grammar, as en or de-CH do"
            )
        return f"{text}@{literal.language}"
    return text if literal.datatype is None else f"{text}^^{_format_iri(literal.datatype)}"


def _escape_literal(canonical: str) -> str:
    """Return a canonical literal, or its beginning, so that all parsers read it alike.

    rdflib takes a tab for a space.
    """
    return _escape_codepoints(canonical).replace("\t", "\\t")


def _escape_codepoints(text: str) -> str:
    """Return a text without what begins as a codepoint escape and is none."""
    return _CODEPOINT_ESCAPE.sub(_escape_letter, text)


def _escape_letter(match: re.Match[str]) -> str:
    # With eight digits, because rdflib takes up to eight, whatever they belong to.
    return f"\\\\U{ord(match[0][-1]):08X}"


def format_comment(row: PatchRow) -> str:
    """Return an `H`, `PA` or `PD` as a comment line, in the syntax of RDF Patch.

    Raises:
        InvalidTermError: a string is not a term.
        UnwritableRowError: the row lacks a column, or one is not valid.
    """
    graph = None
    value: str | None
    if row.op == "H":
        name, value = header_columns(row)
    else:
        name, value, graph = prefix_columns(row)
    terms = [parse_term(text) for text in (value, graph) if text is not None]
    if row.op != "H" and value is not None and not isinstance(terms[0], Iri):
        raise UnwritableRowError(NAMESPACE_RULE)
    if graph is not None and isinstance(terms[-1], QuotedTriple):
        raise UnwritableRowError(GRAPH_RULE)
    encode_text(name, "a name")
    key = name if WORD.fullmatch(name) else f'"{escape_lexical(name)}"'
    line = " ".join(["#", row.op, key, *map(format_term, terms), ".\n"])
    return _escape_codepoints(line)
