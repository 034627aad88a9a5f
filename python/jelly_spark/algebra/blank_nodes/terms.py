"""Blank nodes in the terms of a statement, as SQL expressions.

A blank node is `_:label`, or `<_:label>` where the label has characters that `_:` cannot hold. It
can be any term of a statement, or be in a triple term. All expressions are for the columns of a
statement.
"""

from __future__ import annotations

from jelly_spark.algebra.columns import STATEMENT

# Parts of a triple term that yield the whole term again when they are concatenated; the group has
# blank nodes. Literals and IRIs match only to skip what they contain. Possessive quantifiers do not
# recurse, so a long literal does not overflow the stack.
_PART = r"""(?s)"(?:[^"\\]|\\.)*+"|(<_:[^<>\s]*+>|_:[^\s<>"()]++)|<[^<>\s]*+>|[^"<_]++|."""

_TERMS = tuple(f"coalesce({name}, '')" for name in STATEMENT)


def _is_node(term: str) -> str:
    return f"(startswith({term}, '_:') OR startswith({term}, '<_:'))"


def _may_contain_nodes(term: str) -> str:
    return f"(startswith({term}, '<<') AND contains({term}, '_:'))"


def _parts(term: str, group: int) -> str:
    return f"regexp_extract_all({term}, r'{_PART}', {group})"


# There is no function with a lambda in it, because Spark generates no code for these.
def _nodes(term: str) -> str:
    return (
        f"CASE WHEN {_is_node(term)} THEN array({term}) "
        f"WHEN {_may_contain_nodes(term)} THEN array_except({_parts(term, 1)}, array('')) "
        "ELSE array() END"
    )


def _any(condition: list[str]) -> str:
    return f"({' OR '.join(condition)})"


_IN_TRIPLE_TERMS = _any([_may_contain_nodes(term) for term in _TERMS])
_ALL_NODES = f"concat({', '.join(map(_nodes, _TERMS))})"
_PLAIN_NODES = ", ".join(f"IF({_is_node(term)}, {term}, NULL)" for term in _TERMS)

HAS_NODES = (
    f"({_any([_is_node(term) for term in _TERMS])} OR "
    f"{_IN_TRIPLE_TERMS} AND size({_ALL_NODES}) > 0)"
)
"""Whether a statement has a blank node."""

# The second case is faster.
NODES = (
    f"CASE WHEN {_IN_TRIPLE_TERMS} THEN array_distinct({_ALL_NODES}) "
    f"ELSE array_except(array({_PLAIN_NODES}), array(CAST(NULL AS STRING))) END"
)
"""The different blank nodes of a statement, in the order of their first places."""

IN_SUBJECT = f"size({_nodes(_TERMS[0])}) > 0"
"""Whether a blank node is in the subject: the statement describes it."""


def replaced(term: str, replacement: str) -> str:
    """Return the expression of a term with each blank node in it replaced.

    Args:
        term: the expression of a term that is not null.
        replacement: the expression for a blank node, with `{}` in its place.
    """
    part = f"IF({_is_node('part')}, {replacement.format('part')}, part)"
    return (
        f"CASE WHEN {_is_node(term)} THEN {replacement.format(term)} "
        f"WHEN {_may_contain_nodes(term)} "
        f"THEN array_join(transform({_parts(term, 0)}, part -> {part}), '') ELSE {term} END"
    )


SHAPE = "xxhash64({})".format(
    ", ".join(replaced(term, "concat('_:', array_position(nodes, {}))") for term in _TERMS)
)
"""A hash of a statement without the labels of its blank nodes, which are in the column `nodes`."""
