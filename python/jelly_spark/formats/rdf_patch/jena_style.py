"""Rows as Apache Jena 5.6 writes them, wherever a reader takes that back.

Where none does (keys of headers that are no words, labels that hold brackets, `+` as a number) it
is what Jena's reader takes.
"""

from __future__ import annotations

import re

from jelly_spark.core.rows import (
    GRAPH_RULE,
    OP_RULE,
    PatchRow,
    added_prefix,
    deleted_prefix,
    header_columns,
    statement_columns,
)
from jelly_spark.core.terms import (
    XSD_STRING,
    BlankNode,
    Iri,
    Literal,
    QuotedTriple,
    Term,
    parse_term,
)
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.rdf_patch.names import NO_UTF_8, PLAIN_LABEL, PLAIN_TAG, WORD
from jelly_spark.formats.rdf_patch.short_literals import SHORT_DATATYPES, has_short_form
from jelly_spark.formats.rdf_patch.text_parts import (
    BLANK_NODE_RULE,
    escape_with,
    format_literal,
    format_name,
    format_string,
)

_MARKS = {"TX": "TX .\n", "TC": "TC .\n", "TA": "TA .\n", "END": "Z .\n"}

# Jena leaves U+0014 to U+001F as they are.
_NOT_IN_IRI = re.compile(r"""[\x00-\x13 <>"{}|^`\\\x7f]""")
# The rest of a label is written as it is.
_NOT_IN_LABEL = re.compile(r"[ \t\r\n<>\\]")

# Terms whose canonical string Jena writes too.
_IRI = rf"""<(?!_:)[^\x00-\x20<>"{{}}|^`\\\x7f{NO_UTF_8}]*>"""
_LEX_CHAR = rf'[^"\\\t\r\n\f\ufffd{NO_UTF_8}]'
_OTHER_DATATYPES = "|".join(map(re.escape, (XSD_STRING, *SHORT_DATATYPES)))
_LITERAL = (
    rf'"{_LEX_CHAR}*(?:\\["\\nr]{_LEX_CHAR}*){{0,100}}"'
    rf"(?:@{PLAIN_TAG}|\^\^(?!<(?:{_OTHER_DATATYPES})>){_IRI})?"
)
_SAME = f"(?:{_IRI}|{_LITERAL})"
_SAME_TERM = re.compile(_SAME)
_SAME_STATEMENT = re.compile(f"{_SAME}\n{_SAME}\n{_SAME}")
_BLANK_NODE = re.compile(f"_:{PLAIN_LABEL}")
_SHORT_LITERAL = re.compile(rf"""("[^"\\]*")\^\^<({"|".join(map(re.escape, SHORT_DATATYPES))})>""")


class JenaStyle:
    """Formats rows, one by one."""

    def format(self, row: PatchRow) -> str:
        """Return the line of a row.

        Raises:
            InvalidTermError: a term is none.
            UnwritableRowError: the row misses something, or the text cannot hold it.
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
    # None of them holds a line feed.
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
        if isinstance(term, QuotedTriple):
            raise UnwritableRowError(GRAPH_RULE)
        graph = _format_term(term)
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
    """Return a term in N-Triples syntax as Jena writes it."""
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
        # So that a wrong type is no other error here than in the other formats.
        parse_term(text)
    return _SAME_TERM.fullmatch(text) is not None


def _format_term(term: Term) -> str:
    if isinstance(term, Iri):
        if term.value.startswith("_:"):
            raise UnwritableRowError(BLANK_NODE_RULE)
        return _format_iri(term.value)
    if isinstance(term, BlankNode):
        return f"<_:{escape_with(_NOT_IN_LABEL, term.label)}>"
    if isinstance(term, Literal):
        return format_literal(term, _format_iri)
    return (
        f"<<( {_format_term(term.subject)} {_format_term(term.predicate)} "
        f"{_format_term(term.object)} )>>"
    )


def _format_iri(iri: str) -> str:
    return f"<{escape_with(_NOT_IN_IRI, iri)}>"
