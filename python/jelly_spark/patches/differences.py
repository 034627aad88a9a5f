"""The difference between two states."""

from __future__ import annotations

from jelly_spark.core.rows import PatchRow
from jelly_spark.patches.canonical import PrefixChanges, canonical_patch, check_headers
from jelly_spark.patches.statements import (
    Prefixes,
    Statements,
    read_prefixes,
    read_statements,
)


def diff(
    before: Statements,
    after: Statements,
    *,
    id: str | None = None,
    prev: str | None = None,
    prefixes: tuple[Prefixes, Prefixes] | None = None,
) -> list[PatchRow]:
    """Return the patch that turns one state into another.

    The patch is canonical and minimal: it deletes what only `before` has, and adds what only
    `after` has. If the states are equal, it has no transaction.

        before = [("<urn:x:cup>", "<urn:x:price>", '"8.50"')]
        after = [("<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        [row.op for row in patches.diff(before, after)]  # ['TX', 'D', 'A', 'TC']

    Blank nodes are equal if their labels are.

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

    Raises:
        InvalidTermError: `id` or `prev` is not a term.
        OptionError: a state has something that is not a statement, or a key of the prefixes is not
            a pair.
    """
    check_headers(id=id, prev=prev)
    old, new = read_statements(before), read_statements(after)
    names, new_names = map(read_prefixes, (None, None) if prefixes is None else prefixes)
    changed = PrefixChanges(
        dict(names.items() - new_names.items()), dict(new_names.items() - names.items())
    )
    return canonical_patch(id, prev, changed, old - new, new - old)
