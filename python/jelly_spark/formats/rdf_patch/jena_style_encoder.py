"""Formatting rows as lines of RDF Patch, as Apache Jena 5.6 writes them.

Jena writes some rows in a way that no reader can read: header keys that are not words, labels with
brackets, the number `+`. For these, the encoder writes what Jena's reader accepts.
"""

from __future__ import annotations

import re

from jelly_spark.core.rows import (
    GRAPH_RULE,
    JENA_GRAPH_RULE,
    OP_RULE,
    PatchRow,
    added_prefix,
    deleted_prefix,
    header_columns,
    statement_columns,
)
from jelly_spark.core.terms import (
    JENA_DEFAULT_GRAPHS,
    SURROGATES,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    parse_term,
)
from jelly_spark.core.terms.patterns import WORD, literal_pattern
from jelly_spark.core.terms.short_literals import SHORT_DATATYPES, has_short_form
from jelly_spark.core.terms.text import CANONICAL_LABEL, ESCAPED_IN_IRI, XSD_STRING
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.rdf_patch.text_output import (
    BLANK_NODE_RULE,
    escape_matches,
    format_literal,
    format_name,
    format_string,
)

_MARKS = {"TX": "TX .\n", "TC": "TC .\n", "TA": "TA .\n", "END": "Z .\n"}

# Jena does not escape U+0014 to U+001F in IRIs.
_ESCAPED_IN_IRI = re.compile(r"""[\x00-\x13 <>"{}|^`\\\x7f]""")
# Like Jena, escape only these characters in a label.
_ESCAPED_IN_LABEL = re.compile(r"[ \t\r\n<>\\]")

# Fast path: if the canonical string of a term is also what Jena writes, the string is copied. Only
# other terms are parsed.
_IRI = rf"<(?!_:)[^{ESCAPED_IN_IRI}\x7f{SURROGATES}]*>"
_LEXICAL_CHAR = rf'[^"\\\t\r\n\f\ufffd{SURROGATES}]'
_LITERAL = literal_pattern(_IRI, _LEXICAL_CHAR, (XSD_STRING, *SHORT_DATATYPES))
_SAME = f"(?:{_IRI}|{_LITERAL})"
_SAME_TERM = re.compile(_SAME)
_SAME_STATEMENT = re.compile(f"{_SAME}\n{_SAME}\n{_SAME}")
_BLANK_NODE = re.compile(f"_:{CANONICAL_LABEL}")
_SHORT_LITERAL = re.compile(rf"""("[^"\\]*")\^\^<({"|".join(map(re.escape, SHORT_DATATYPES))})>""")


def format_row(row: PatchRow) -> str:
    """Return the line of a row.

    Raises:
        InvalidTermError: a string is not a term.
        UnwritableRowError: the row lacks a column, or RDF Patch cannot express it.
    """
    op = row.op
    if op == "A" or op == "D":
        return _statement(row)
    if op == "PA" or op == "PD":
        return _prefix(row)
    if op == "H":
        return _header(row)
    line = _MARKS.get(op)
    if line is None:
        raise UnwritableRowError(OP_RULE)
    return line


def _statement(row: PatchRow) -> str:
    subject, predicate, obj, graph = statement_columns(row)
    # Match the three terms at once, joined by line feeds, which terms cannot contain.
    if not _SAME_STATEMENT.fullmatch(f"{subject}\n{predicate}\n{obj}"):
        subject = _format(subject)
        predicate = _format(predicate)
        obj = _format(obj)
    return f"{row.op} {subject} {predicate} {obj} {_graph(graph)}.\n"


def _graph(graph: str | None) -> str:
    if graph is None:
        return ""
    if not _is_same(graph):
        term = parse_term(graph)
        if isinstance(term, TripleTerm):
            raise UnwritableRowError(GRAPH_RULE)
        graph = _format_term(term)
    if graph in JENA_DEFAULT_GRAPHS:
        raise UnwritableRowError(JENA_GRAPH_RULE)
    return f"{graph} "


def _header(row: PatchRow) -> str:
    name, value = header_columns(row)
    key = name if WORD.fullmatch(name) else format_name(name)
    return f"H {key} {_format(value)} .\n"


def _prefix(row: PatchRow) -> str:
    if row.op == "PD":
        name, graph = deleted_prefix(row)
        return f"PD {format_name(name)} {_graph(graph)}.\n"
    name, iri, graph = added_prefix(row)
    return f"PA {format_name(name)} {format_string(iri)} {_graph(graph)}.\n"


def _format(text: str) -> str:
    """Return a term as Jena writes it, given its string in N-Triples syntax."""
    if _is_same(text):
        return text
    if _BLANK_NODE.fullmatch(text):
        return f"<{text}>"
    short = _SHORT_LITERAL.fullmatch(text)
    if short is not None and has_short_form(short[1][1:-1], short[2]):
        return short[1][1:-1]
    return _format_term(parse_term(text))


def _is_same(text: str) -> bool:
    if not isinstance(text, str):
        # This raises the same error as in the other formats.
        parse_term(text)
    return _SAME_TERM.fullmatch(text) is not None


def _format_term(term: Term) -> str:
    if isinstance(term, Iri):
        if term.value.startswith("_:"):
            raise UnwritableRowError(BLANK_NODE_RULE)
        return _format_iri(term.value)
    if isinstance(term, BlankNode):
        return f"<_:{escape_matches(_ESCAPED_IN_LABEL, term.label)}>"
    if isinstance(term, Literal):
        return format_literal(term, _format_iri)
    return (
        f"<<( {_format_term(term.subject)} {_format_term(term.predicate)} "
        f"{_format_term(term.object)} )>>"
    )


def _format_iri(iri: str) -> str:
    return f"<{escape_matches(_ESCAPED_IN_IRI, iri)}>"
