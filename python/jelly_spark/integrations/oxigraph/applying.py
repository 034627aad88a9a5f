"""Applying patches to stores of pyoxigraph."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from jelly_spark.core.rows import PatchRow, unwritable
from jelly_spark.errors import InvalidTermError
from jelly_spark.integrations.net_changes import net_changes
from jelly_spark.integrations.oxigraph.statements import Quads, check_store


def apply_patch(store: ox.Store, rows: Iterable[PatchRow]) -> None:
    """Apply the rows of patches to a store of pyoxigraph.

        store = pyoxigraph.Store()
        apply_patch(store, codec.read("changes.jellyp"))
        len(store)  # 1

    Aborted transactions have no effect. All rows are read and checked before the first change, so
    an error in them leaves the store as it was. Until then, the changed statements are held in
    memory. After an error of the store itself, statements that were deleted are added again. But
    pyoxigraph has no transactions in Python: a reader at the same time can see the state after the
    deletions, and a process that is killed may leave it in a store on disk.

    Prefixes are ignored, because a store has none. A store keeps values, not lexical forms: for it,
    `"01"^^xsd:integer`, `"1"^^xsd:integer` and `"1"^^xsd:byte` are one term, so deleting one of
    them deletes them all.

    Args:
        store: the store to change.
        rows: the rows of the patches, in order.

    Raises:
        MalformedInputError: the rows are read from a file that breaks its format.
        OptionError: `store` is not a `Store`, or an item of `rows` is not a `PatchRow`.
        OSError, RuntimeError: the store cannot be changed, or is read-only.
        PatchError: a transaction is neither committed nor aborted in its patch.
        UnwritableRowError: a row is not valid, or has what pyoxigraph cannot hold; see
            `to_oxigraph`.
    """
    check_store(store)
    changes = net_changes(rows).statements
    quads = Quads()
    deleted: list[ox.Quad] = []
    added: list[ox.Quad] = []
    for statement, op in changes.items():
        try:
            (added if op == "A" else deleted).append(quads.quad(*statement))
        except InvalidTermError as error:
            raise unwritable(error, PatchRow(op, *statement)) from None
    removed: list[ox.Quad] = []
    try:
        for quad in deleted:
            if quad in store:
                store.remove(quad)
                removed.append(quad)
        store.extend(added)
    except BaseException:
        if removed:
            store.extend(removed)
        raise
