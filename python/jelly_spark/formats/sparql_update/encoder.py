"""Encoding terms and rows as the parts of a SPARQL Update (SPARQL 1.1 Update, "Graph Update")."""

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

# Fast path: terms whose canonical string is also valid in SPARQL. The three terms are matched at
# once, joined by line feeds, which no canonical term contains.
_IRI = f"<{SCHEME.pattern}{IRI_CHAR}*>"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_is_triple = re.compile(f"{_IRI}\n{_IRI}\n(?:{_IRI}|{_LITERAL})").fullmatch

# Parsers may replace codepoint escapes such as `\u0041` before they tokenize the text (SPARQL 1.1
# Query, "Codepoint Escape Sequences"): even after an escaped backslash in a literal, and in a
# comment, which an escaped line feed would end.
_CODEPOINT_ESCAPE = re.compile(r"\\[uU]")
_EXCLUDED_FROM_IRI = re.compile(f"[{ESCAPED_IN_IRI}]")
# All characters except `iunreserved` (RFC 3987). The percent sign is encoded too, so different
# labels have different IRIs.
_ENCODED_IN_LABEL = re.compile(
    r"[^A-Za-z0-9._~\-\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(
        f"\\U{plane:04X}{first}-\\U{plane:04X}FFFD"
        for plane, first in [*((plane, "0000") for plane in range(1, 14)), (14, "1000")]
    )
    + "]+"
)


class TermEncoder:
    """Encodes terms in SPARQL syntax.

    Args:
        skolem_base: the prefix of the IRIs that replace blank nodes; if it is empty, blank nodes
            are rejected.
    """

    def __init__(self, skolem_base: str) -> None:
        self._skolem_base = skolem_base

    def triple(self, subject: str, predicate: str, obj: str) -> str:
        """Return a triple with its final dot, given the strings of its terms.

        Raises:
            InvalidTermError: a string is not an RDF term in N-Triples syntax.
            UnwritableRowError: SPARQL Update cannot represent the triple.
        """
        if _is_triple(f"{subject}\n{predicate}\n{obj}"):
            if "\\" in obj or "\t" in obj:
                obj = _escape_literal(obj)
            return f"{subject} {predicate} {obj} ."
        terms = parse_term(subject), parse_term(predicate), parse_term(obj)
        check_triple(*terms[:2])
        return f"{' '.join(map(self._format, terms))} ."

    def graph(self, text: str) -> str:
        """Return the name of a graph, given its string; the errors are those of `triple`."""
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
    """Escape a canonical literal, or its lexical form, so that all parsers read it alike.

    Tabs are escaped because rdflib reads a tab as a space.
    """
    return _escape_codepoints(canonical).replace("\t", "\\t")


def _escape_codepoints(text: str) -> str:
    r"""Escape the letter in `\u` and `\U`, so that no parser takes them for a codepoint escape."""
    return _CODEPOINT_ESCAPE.sub(_escape_letter, text)


def _escape_letter(match: re.Match[str]) -> str:
    # Eight digits, because rdflib reads up to eight, even if some belong to the text that follows.
    return f"\\\\U{ord(match[0][-1]):08X}"


def format_comment(row: PatchRow) -> str:
    """Return an `H`, `PA` or `PD` row as a comment line, in the syntax of RDF Patch.

    Raises:
        InvalidTermError: a string is not an RDF term in N-Triples syntax.
        UnwritableRowError: the row lacks a column, or a column is not valid.
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
