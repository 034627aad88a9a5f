"""The difference between two states."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Literal, TypeAlias, get_args

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.patches.blank_nodes import relabelled
from jelly_spark.patches.blank_nodes.graphs import has_blank_node
from jelly_spark.patches.blank_nodes.skolem_iris import with_blank_nodes
from jelly_spark.patches.canonical import PrefixChanges, canonical_rows, check_headers, number_rows
from jelly_spark.patches.language_tags import LanguageTags, check_language_tags, with_tags_of
from jelly_spark.patches.statements import (
    Prefixes,
    Statement,
    Statements,
    read_prefixes,
    read_statements,
    statement_of,
)

BlankNodes: TypeAlias = Literal["label", "match"]
"""How `diff` compares blank nodes: by their labels, or by what is said of them."""

_LOGGER = logging.getLogger("jelly_spark.patches")

MANY_CHANGES = 100
"""The fewest changes of a patch that `replaces_blank_nodes` is true of."""


def diff(
    before: Statements,
    after: Statements,
    *,
    id: str | None = None,
    prev: str | None = None,
    prefixes: tuple[Prefixes, Prefixes] | None = None,
    blank_nodes: BlankNodes = "label",
    language_tags: LanguageTags = "exact",
    skolem_base: str = "",
) -> list[PatchRow]:
    """Return the patch that turns one state into another.

    The patch is canonical and minimal: it deletes what only `before` has, and adds what only
    `after` has. If the states are equal, it has no transaction.

        before = [("<urn:x:cup>", "<urn:x:price>", '"8.50"')]
        after = [("<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        [row.op for row in patches.diff(before, after)]  # ['TX', 'D', 'A', 'TC']

    Blank nodes are equal if their labels are. Most tools make up new labels whenever they read or
    write a file, so two files can differ in every label. `blank_nodes="match"` compares blank nodes
    by what is said of them instead, and uses the labels of `before`:

        before = [("<urn:x:cup>", "<urn:x:price>", "_:a"), ("_:a", "<urn:x:euro>", '"8.50"')]
        after = [("<urn:x:cup>", "<urn:x:price>", "_:b"), ("_:b", "<urn:x:euro>", '"9.20"')]
        patch = patches.diff(before, after, blank_nodes="match")
        [row.subject for row in patch if row.op in ("A", "D")]  # ['_:a', '_:a']

    The state after such a patch is `after` with other labels: the next patch of a log starts from
    that state, as `apply` returns it. The patch is small, but not always the smallest. Once in a
    process, the logger `jelly_spark.patches` warns of a patch with at least 100 changes that was
    made without matching, and of which most changes concern blank nodes.

    Language tags are compared as written, as most stores compare them. RDF 1.2 ignores their case:

        before = [("<urn:x:cup>", "<urn:x:name>", '"cup"@en-GB')]
        after = [("<urn:x:cup>", "<urn:x:name>", '"cup"@en-gb')]
        patches.diff(before, after, language_tags="ignore-case")  # []

    Rows keep tags as written: a delete has those of `before`, and an add those of `after`.

    Args:
        before: the statements before: `Statement`s, tuples of three or four terms, or `RdfRow`s.
            Duplicates count once.
        after: the statements after, likewise.
        id: the header `id` of the patch, a term such as `<urn:uuid:...>`; by default, there is
            none.
        prev: the header `prev` of the patch, the `id` of the patch before it; by default, there is
            none.
        prefixes: the prefixes before and after, a pair of mappings from `(graph, name)` to the IRI.
            A prefix with a new IRI is deleted with its old IRI and added with the new one.
        blank_nodes: how blank nodes are compared: `label`, by their labels; or `match`, by what is
            said of them. New blank nodes then get labels that neither state has.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2.
        skolem_base: the beginning of IRIs in the states that stand for blank nodes, as in the
            export of a store that `push` filled: they are read as these blank nodes. By default,
            IRIs stay as they are.

    Raises:
        InvalidTermError: `id` or `prev` is not a term.
        OptionError: a state has something that is not a statement, a key of the prefixes is not a
            pair, `blank_nodes` or `language_tags` is not one of its values, or `skolem_base` is not
            an absolute IRI.
    """
    patch = difference(
        before,
        after,
        id=id,
        prev=prev,
        prefixes=prefixes,
        blank_nodes=blank_nodes,
        language_tags=language_tags,
        skolem_base=skolem_base,
    )
    if blank_nodes == "label" and replaces_blank_nodes(patch):
        _advise()
    return patch


def difference(
    before: Statements,
    after: Statements,
    *,
    id: str | None,
    prev: str | None,
    prefixes: tuple[Prefixes, Prefixes] | None,
    blank_nodes: BlankNodes,
    language_tags: LanguageTags,
    skolem_base: str = "",
) -> list[PatchRow]:
    """Return the patch of `diff`, without its advice in the log."""
    check_blank_nodes(blank_nodes)
    check_language_tags(language_tags)
    check_headers(id=id, prev=prev)
    old = read_statements(before)
    new = with_blank_nodes(read_statements(after, old), skolem_base)
    old = with_blank_nodes(old, skolem_base)
    new = aligned(old, new, blank_nodes, language_tags)
    names, new_names = map(read_prefixes, (None, None) if prefixes is None else prefixes)
    return number_rows(
        canonical_rows(id, prev, prefix_changes(names, new_names), old - new, new - old)
    )


def aligned(
    before: set[Statement],
    after: set[Statement],
    blank_nodes: BlankNodes,
    language_tags: LanguageTags,
) -> set[Statement]:
    """Return a state with the blank node labels and the language tags of the one before.

    Args:
        before: the state before.
        after: the state.
        blank_nodes: how blank nodes are compared; with `label`, they keep their labels.
        language_tags: how language tags are compared; with `exact`, they stay as they are.
    """
    if blank_nodes == "match":
        after = relabelled(before, after, language_tags)
    if language_tags == "ignore-case":
        after = with_tags_of(before, after)
    return after


def prefix_changes(before: Prefixes, after: Prefixes) -> PrefixChanges:
    """Return the changes that lead from some prefixes to others."""
    return PrefixChanges(dict(before.items() - after.items()), dict(after.items() - before.items()))


def check_blank_nodes(blank_nodes: BlankNodes) -> None:
    """Raise an OptionError for a value that `blank_nodes` cannot have."""
    if blank_nodes not in get_args(BlankNodes):
        raise OptionError(f"blank_nodes must be one of: label, match; not {blank_nodes!r}")


def replaces_blank_nodes(patch: Iterable[PatchRow]) -> bool:
    """Return whether most changes of a patch with at least `MANY_CHANGES` concern blank nodes.

    The patch must delete and add such statements: new labels for old nodes do both.
    """
    changes = [row for row in patch if row.op in ("A", "D")]
    ops = Counter(row.op for row in changes if has_blank_node(statement_of(row)))
    return are_mostly_blank(len(changes), ops["A"], ops["D"])


def are_mostly_blank(changes: int, added: int, deleted: int) -> bool:
    """Return what `replaces_blank_nodes` returns, given how many changes a patch has.

    Args:
        changes: how many statements the patch adds and deletes.
        added: how many of them it adds that have blank nodes.
        deleted: how many of them it deletes that have blank nodes.
    """
    return changes >= MANY_CHANGES and added + deleted > changes / 2 and min(added, deleted) > 0


@cache
def _advise() -> None:
    """Log an advice, once in a process."""
    _LOGGER.warning(
        "most changes of a patch concern blank nodes: if only their labels are new, "
        'diff with blank_nodes="match" leaves them out'
    )
