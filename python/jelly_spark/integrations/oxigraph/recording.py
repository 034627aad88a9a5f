"""Recording the changes of a store of pyoxigraph as a patch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident

import pyoxigraph as ox

from jelly_spark import patches
from jelly_spark.integrations.oxigraph.statements import check_store, rows
from jelly_spark.integrations.recordings import Recording
from jelly_spark.patches.canonical import check_headers


@contextmanager
def record(
    store: ox.Store, *, id: str | None = None, prev: str | None = None
) -> Iterator[Recording]:
    """Record as a patch what a `with` block changes in a store of pyoxigraph.

        with record(store, id="<urn:uuid:2>", prev="<urn:uuid:1>") as patch:
            store.update("INSERT DATA { GRAPH <urn:x:g> { <urn:x:s> <urn:x:p> 'new' } }")
        codec.write("patch.jellyp", patch)

    Changes are recorded however they are made: by methods, by SPARQL, by loading, also in other
    threads. The patch has the net changes, as a canonical patch: deletions, then additions, each
    sorted. If the block raises an error, the changes before it are recorded.

    pyoxigraph does not tell what changes. So at the end of the block, all statements of the store
    are compared with those at its beginning, which the store keeps until then. This takes time for
    each statement of the store, and memory only for the changes. To change little in a large store,
    rather make the patch yourself, and apply it with `apply_patch`.

    Terms are recorded as the store has them: with their values. A store has `"1"^^xsd:integer`
    where `"01"^^xsd:integer` was added, so the patch that deletes it does not delete
    `"01"^^xsd:integer` elsewhere.

    Args:
        store: the store. Nothing may change it while the block ends.
        id: the header `id` of the patch, a term such as `<urn:uuid:...>`; by default, none.
        prev: the header `prev` of the patch, the `id` of the patch before it; by default, none.

    Raises:
        InvalidTermError: `id` or `prev` is not a term; or, at the end of the block, a changed
            statement nests triples more than 63 deep.
        OptionError: `store` is not a `Store`.
        OSError: the store cannot be read.
        RuntimeError: the block ends in another thread than it began in.
    """
    check_store(store)
    check_headers(id=id, prev=prev)
    recording = Recording()
    thread = get_ident()
    # It yields what the store has now, whatever changes before it is read.
    before = iter(store)
    try:
        yield recording
    finally:
        # In another thread, pyoxigraph would abort the process.
        if get_ident() != thread:
            raise RuntimeError("the block of `record` must end in the thread in which it began")
        deleted, added = _differences(before, store)
        recording._end(patches.diff(rows(deleted), rows(added), id=id, prev=prev))


def _differences(before: Iterator[ox.Quad], store: ox.Store) -> tuple[set[ox.Quad], set[ox.Quad]]:
    """Return what was deleted from a store, and what was added.

    Statements that are there before and after come in the same order, so they are found without
    looking them up. If they do not, the result is the same, but `added` has some of them meanwhile.
    """
    deleted: set[ox.Quad] = set()
    added: set[ox.Quad] = set()
    old = next(before, None)
    for new in store:
        while old is not None and old != new and old not in store:
            deleted.add(old)
            old = next(before, None)
        if old == new:
            old = next(before, None)
        else:
            added.add(new)
    while old is not None:
        if old in store:
            added.discard(old)
        else:
            deleted.add(old)
        old = next(before, None)
    return deleted, added
