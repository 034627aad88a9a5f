r"""The rules about terms, as regular expressions for canonical terms.

A pattern matches (`re.search`, `rlike`) the terms that break its rule. The patterns mean the same
to Python's `re` and to Java, except for the end of the text, which is `\Z` in Python:
`java_pattern` translates it. The terms inside triple terms are not checked.
"""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple

from jelly_spark.core.bounded_cache import BoundedCache
from jelly_spark.core.terms import RDF_DIR_LANG_STRING, RDF_LANG_STRING
from jelly_spark.core.terms.iri_syntax import IRI_SYNTAX
from jelly_spark.core.terms.text import XSD
from jelly_spark.patches.checks.lexical_forms import LANGUAGE_TAG_FORM, LEXICAL_FORMS
from jelly_spark.patches.checks.rules import (
    INVALID_GRAPH,
    INVALID_PREDICATE,
    INVALID_SUBJECT,
    IRI_CHARACTERS,
    LANGUAGE_TAG,
    LEXICAL_FORM,
    MISSING_DIRECTION,
    MISSING_LANGUAGE_TAG,
    RELATIVE_IRI,
    TRIPLE_TERM_SUBJECT,
    Rule,
)

TERM_COLUMNS: dict[str, tuple[str, ...]] = {
    "H": ("value",),
    "PA": ("graph", "value"),
    "PD": ("graph", "value"),
    "A": ("subject", "predicate", "object", "graph"),
    "D": ("subject", "predicate", "object", "graph"),
}
"""The columns whose terms are checked, unless they are null, by the `op` of the row."""


class TermRule(NamedTuple):
    """A rule about terms.

    Attributes:
        rule: the name, severity and message of the rule.
        columns: the columns that the rule applies to.
        pattern: matches the terms that break the rule.
    """

    rule: Rule
    columns: tuple[str, ...]
    pattern: str


_ALL = ("subject", "predicate", "object", "graph", "value")

_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*:"
_LANG_STRING = re.escape(RDF_LANG_STRING)
_DIR_LANG_STRING = re.escape(RDF_DIR_LANG_STRING)
_XSD = re.escape(XSD)
_DATATYPES = "|".join(LEXICAL_FORMS)
_TYPED_FORMS = "|".join(
    rf'(?:{form})"\^\^<{_XSD}{datatype}>' for datatype, form in LEXICAL_FORMS.items()
)

TERM_RULES: tuple[TermRule, ...] = (
    TermRule(INVALID_SUBJECT, ("subject",), r'\A"'),
    TermRule(INVALID_PREDICATE, ("predicate",), r'\A(?:"|_:|<_:|<<)'),
    TermRule(INVALID_GRAPH, ("graph",), r'\A(?:"|<<)'),
    TermRule(TRIPLE_TERM_SUBJECT, ("subject",), r"\A<<"),
    # Also inside a triple term. In terms that have literals only as objects, no quote comes before
    # the first triple term that is a subject.
    TermRule(TRIPLE_TERM_SUBJECT, ("object", "value"), r'\A[^"]*<<\( <<'),
    # The IRI itself, or a literal's datatype.
    TermRule(
        RELATIVE_IRI,
        _ALL,
        rf'\A<(?!<|_:|{_SCHEME})|\A"(?s:.*)"\^\^<(?!{_SCHEME})[^<>"]*>\Z',
    ),
    # An absolute IRI that RFC 3987 does not allow, or a relative one with an escape.
    TermRule(
        IRI_CHARACTERS,
        _ALL,
        rf"\A<(?={_SCHEME})(?!{IRI_SYNTAX}>\Z)|\A<(?!<|_:)[^>]*\\"
        rf'|\A"(?s:.*)"\^\^<(?:(?={_SCHEME})(?!{IRI_SYNTAX}>\Z)|[^<>"\\]*\\)[^<>"]*>\Z',
    ),
    # A language tag has no quote, so the last quote of the term ends the lexical form.
    TermRule(LANGUAGE_TAG, ("object", "value"), rf'\A"(?s:.*)"@(?!{LANGUAGE_TAG_FORM}\Z)[^"]*\Z'),
    TermRule(MISSING_LANGUAGE_TAG, ("object", "value"), rf'\A"(?s:.*)"\^\^<{_LANG_STRING}>\Z'),
    TermRule(MISSING_DIRECTION, ("object", "value"), rf'\A"(?s:.*)"\^\^<{_DIR_LANG_STRING}>\Z'),
    # A literal with an XSD datatype whose lexical form that datatype does not allow; or a string,
    # which has no datatype, with a character that XML does not allow.
    TermRule(
        LEXICAL_FORM,
        ("object", "value"),
        rf'\A(?="(?s:.*)"\^\^<{_XSD}(?:{_DATATYPES})>\Z)(?!"(?:{_TYPED_FORMS})\Z)'
        r'|\A"(?s:.*)[\x00\uFFFE\uFFFF](?s:.*)"\Z',
    ),
)
"""The rules about terms, in the order of their findings."""


def java_pattern(pattern: str) -> str:
    """Translate a pattern of this module to Java's syntax, which `rlike` uses."""
    return pattern.replace(r"\Z", r"\z")


_IRI = f"<{IRI_SYNTAX}>"
_NODE = rf"{_IRI}|_:.*"

PLAIN_TERMS: dict[str, str] = {
    "subject": rf"\A(?:{_NODE})\Z",
    "predicate": rf"\A{_IRI}\Z",
    "object": rf'\A(?:{_NODE}|"[^\x00\uFFFE\uFFFF"]*"(?:@{LANGUAGE_TAG_FORM})?)\Z',
    "graph": rf"\A(?:{_NODE})\Z",
    "value": rf"\A(?:{_NODE})\Z",
}
"""Patterns that match only valid terms, by column.

A fast path: most terms match, so the patterns of the rules are not tried. A term that does not
match may still be valid.
"""


def _find_broken(column: str, term: str) -> tuple[tuple[Rule, str], ...]:
    if re.search(PLAIN_TERMS[column], term):
        return ()
    return tuple(
        (rule.rule, rule.rule.text(term, column=column))
        for rule in TERM_RULES
        if column in rule.columns and re.search(rule.pattern, term)
    )


BROKEN_RULES: dict[str, BoundedCache[str, tuple[tuple[Rule, str], ...]]] = {
    column: BoundedCache(partial(_find_broken, column)) for column in _ALL
}
"""The rules that a term breaks, each with the message of the finding, by column and then term."""
