"""Blank nodes in differences: new labels for a state, by what is said of its blank nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from jelly_spark.patches.blank_nodes.graphs import (
    ColouredGraph,
    coloured,
    has_blank_node,
    substitute,
)
from jelly_spark.patches.blank_nodes.matching import match_nodes
from jelly_spark.patches.language_tags import LanguageTags, statement_key
from jelly_spark.patches.statements import Statement


def relabelled(
    before: Set[Statement], after: Set[Statement], language_tags: LanguageTags
) -> set[Statement]:
    """Return a state with the labels of blank nodes that make it most like the state before.

    A blank node of `after` gets the label of the one of `before` that it is matched to, or else a
    label that neither state has. Language tags are compared as `language_tags` says.
    """
    old = {statement for statement in before if has_blank_node(statement)}
    new = {statement for statement in after if has_blank_node(statement)}
    if language_tags == "exact":
        labels = _labels(*coloured(old, new))
    else:
        labels = _labels(*coloured(*({*map(statement_key, some)} for some in (old, new))))
    found = {statement for statement in after if statement not in new}
    found.update(_renamed(statement, labels) for statement in new)
    return found


def _renamed(statement: Statement, labels: Mapping[str, str]) -> Statement:
    subject, predicate, obj, graph = (
        substitute(term or "", labels.__getitem__) for term in statement
    )
    return Statement(subject, predicate, obj, graph or None)


def _labels(before: ColouredGraph, after: ColouredGraph) -> dict[str, str]:
    """Return the new label of each blank node of `after`.

    Different nodes get different labels, whatever the matching. So the relabelled state is always
    isomorphic to `after`: a poor matching makes a difference longer, but never wrong.
    """
    old, new = before.graph.labels, after.graph.labels
    labels = {new[match]: old[node] for node, match in match_nodes(before, after).items()}
    taken = {*old, *new}
    copies: Counter[int] = Counter()
    for label, colour in zip(new, after.components, strict=True):
        while label not in labels:
            fresh = f"_:n{colour:015x}-{copies[colour]}"
            copies[colour] += 1
            if fresh not in taken:
                labels[label] = fresh
    return labels
