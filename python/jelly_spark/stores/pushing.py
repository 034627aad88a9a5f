"""Sending the patches of a log to a store: in order, each once, whatever is interrupted when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple, TypeAlias

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogError, OptionError, StoreError, StoreRequestError
from jelly_spark.log import Log
from jelly_spark.log.log import materialize
from jelly_spark.patches import Prefixes, Statement, squash
from jelly_spark.patches.log_rows import group_patches
from jelly_spark.patches.statements import statement_of
from jelly_spark.stores.position_files import PositionFile
from jelly_spark.stores.positions import GRAPH, Position, move
from jelly_spark.stores.store import TripleStore

LOAD_SIZE = 20_000
"""The number of statements in one patch of the first load."""


class Progress(NamedTuple):
    """How far a push is.

    Attributes:
        patches: how many patches were sent.
        loaded: how many statements of the first load the store has.
        to_load: how many statements the first load has; 0 if there is none.
    """

    patches: int
    loaded: int
    to_load: int


class Pushed(NamedTuple):
    """What a push did.

    Attributes:
        version: the id of the version that the store has now; None if the log is empty.
        patches: how many patches were sent.
        loaded: how many statements the first load had; None if there was none.
    """

    version: str | None
    patches: int
    loaded: int | None


OnProgress: TypeAlias = Callable[[Progress], None]
"""Called after each request that changed the store."""

OnRetry: TypeAlias = Callable[[StoreRequestError, float], None]
"""Called before a pause, with the error and the seconds until the request is repeated."""


def push(
    log: Log[PatchRow],
    store: TripleStore,
    *,
    position_file: PositionFile | None = None,
    holds: str | None = None,
    on_progress: OnProgress = lambda _: None,
    on_retry: OnRetry = lambda *_: None,
) -> Pushed:
    """Send the patches of a log that a store does not have yet, in order, each once.

    An empty store first gets the state of the log's last version. Each patch is sent in one
    request, as its net effect. The id of the patch is stored in the same transaction, so a push
    that was interrupted at any point is continued by the next one.

    Args:
        log: the log, without a session.
        store: the store. Nothing else may write to it what the log's patches write.
        position_file: keeps the position instead of the store. After a crash, a patch may then be
            sent a second time, which changes nothing.
        holds: the id of the version that the store has, for one that was loaded in another way.
            The store must not have a position.
        on_progress: called after each request that changed the store.
        on_retry: called before each pause after an error that may pass, with the error and the
            length of the pause in seconds.

    Returns:
        What was sent.

    Raises:
        LogError: the log is broken, or has no version `holds`.
        PatchError: a patch of the log has a transaction that is not closed.
        OptionError: `position_file` is given for a store that may report success wrongly.
        StoreError: the position of the store is not in the log, the store is not empty but has no
            position, or it cannot hold what the log has.
        StoreRequestError: the store cannot be reached, or answered with an error, also after
            retries.
        UnwritableRowError: a row cannot be expressed in what the store takes.
    """
    return _Push(log, store, position_file, on_progress, on_retry).run(holds)


class _Push:
    """A push, as long as it runs."""

    def __init__(
        self,
        log: Log[PatchRow],
        store: TripleStore,
        file: PositionFile | None,
        on_progress: OnProgress,
        on_retry: OnRetry,
    ) -> None:
        if file is not None and store.rolls_back_silently:
            raise OptionError(
                "a position file cannot be used with Fuseki's patch service, which reports success "
                "for patches that it rolls back: leave out the file, or use SPARQL Update"
            )
        self._log = log
        self._store = store
        self._file = file
        self._where = store.url if file is None else file.path
        self._on_progress = on_progress
        store.http.on_retry = on_retry
        # Otherwise, the position shows whether a store has answered, or something else.
        store.http.refuses_pages = file is not None
        self._progress = Progress(0, 0, 0)

    def run(self, holds: str | None) -> Pushed:
        before = self._positions()
        head = self._log.head()
        if head is None:
            if before:
                raise _not_in_log(self._store.url, before[0].version)
            return Pushed(None, 0, None)
        loaded = None
        if holds is not None:
            before = [self._hold(before, holds)]
        current = self._current(before) if before else self._position(head)._replace(loaded=0)
        if len(before) > 1:
            # Everything from the older position on is sent again.
            self._apply([], before, current)
            before = [current]
        if current.loaded is not None:
            loaded = self._load(before, current)
            before = [current._replace(loaded=None)]
        version = self._patches(before, current.version)
        self._check_end(self._position(version))
        return Pushed(version, self._progress.patches, loaded)

    def _position(self, version: str) -> Position:
        return Position(version, None, self._store.skolem_base)

    def _hold(self, before: Sequence[Position], version: str) -> Position:
        """Set the position of a store that has some version, but no position."""
        if before:
            raise StoreError(
                f"{self._store.url} has a position already, {before[0].version}: leave out `holds`"
            )
        self._log.read(version)  # raises an error if the log has no such version
        position = self._position(version)
        self._apply([], [], position)
        return position

    def _check_empty(self) -> None:
        if not self._store.is_empty():
            raise StoreError(
                f"{self._store.url} has statements, but no position in a log: push to an empty "
                "store; or if it has the statements of a version, give its id as `holds`"
            )

    def _current(self, before: Sequence[Position]) -> Position:
        """Return the position to continue from: the first one, if there are more.

        What follows it is sent again, in order, so the store gets the same state in the end.
        """
        found = before[0]
        if len(before) > 1:
            places = {version.id: version.log_seq for version in self._log.versions()}
            found = min(
                before,
                key=lambda each: (
                    places.get(each.version, -1),
                    inf if each.loaded is None else each.loaded,
                ),
            )
        if found.skolem_base != self._store.skolem_base:
            here, there = (
                f"IRIs that begin with {base}" if base else "blank nodes"
                for base in (self._store.skolem_base, found.skolem_base)
            )
            raise StoreError(
                f"{self._store.url} has {there} for the blank nodes of the log, not {here}: give "
                "the same `skolem_base` as in the first push"
            )
        return found

    def _load(self, before: Sequence[Position], position: Position) -> int:
        """Load the state of a version, from where an earlier push was interrupted, if one was.

        The store is not changed if it is not empty, or cannot hold the state.
        """
        if not before:
            self._check_empty()
        statements, prefixes = self._state(position.version)
        state = sorted(statements, key=_by_graph)
        self._check(state)
        done = position.loaded or 0
        if done > len(state):
            raise StoreError(
                f"{self._where} says that {done:,} statements of {position.version} are loaded, "
                f"which has {len(state):,}: empty the store to load it again"
            )
        self._progress = Progress(0, done, len(state))
        if not before:
            self._apply([], before, position)
            before = [position]
        if self._store.loads:
            self._store.load(state, self._show_loaded)
        else:
            for at in range(done, len(state), LOAD_SIZE):
                rows = [PatchRow("A", *each) for each in state[at : at + LOAD_SIZE]]
                after = position._replace(loaded=at + len(rows))
                self._apply(rows, before, after)
                self._show_loaded(at + len(rows))
                before = [after]
        # A request of the load may have been carried out twice, the second time late.
        before = self._positions() or before
        rows = [
            PatchRow("PA", graph=graph, name=name, value=iri)
            for (graph, name), iri in prefixes.items()
        ]
        self._apply(rows, before, position._replace(loaded=None))
        return len(state)

    def _state(self, version: str) -> tuple[set[Statement], Prefixes]:
        """Return the statements of a version, and its prefixes if the store keeps any."""
        try:
            if self._store.keeps_prefixes:
                return materialize(self._log, version)
            return self._log.state_at(version), {}
        except LogError as error:
            raise _not_in_log(self._store.url, version) from error

    def _patches(self, before: Sequence[Position], version: str) -> str:
        """Send the patches after a version, and return the last version."""
        try:
            rows = self._log.read(version)
        except LogError as error:
            raise _not_in_log(self._store.url, version) from error
        for _, group in group_patches(rows):
            patch = squash(group)
            version = _id_of(patch)
            self._check(statement_of(row) for row in patch if row.op in ("A", "D"))
            after = self._position(version)
            self._apply(patch, before, after)
            before = [after]
            self._progress = self._progress._replace(patches=self._progress.patches + 1)
            self._on_progress(self._progress)
        return version

    def _apply(self, patch: Sequence[PatchRow], before: Sequence[Position], to: Position) -> None:
        """Send changes, and make a position that of the store, in one transaction."""
        rows = [row._replace(patch=None, tx=None, seq=None) for row in patch]
        headers = [row for row in rows if row.op == "H"]
        ops = ("PD", "PA", "D", "A") if self._store.keeps_prefixes else ("D", "A")
        changes = [row for row in rows if row.op in ops]
        moves = [] if self._file is not None else [*move(before, to)]
        sent = [*headers, PatchRow("TX"), *changes, *moves, PatchRow("TC")]
        if changes or moves:
            self._store.http.retry(lambda: self._store.send(sent), lambda: self._is_at(to))
        if self._file is not None:
            self._file.write(self._store.url, to)
        elif self._store.rolls_back_silently and not self._is_at(to):
            raise StoreError(
                f"{self._store.url} reported success, but is not at {to.version}: it rolled the "
                "patch back, which its log gives the reason for; the query service belongs to "
                "another dataset; or another push runs"
            )

    def _check_end(self, position: Position) -> None:
        """Check that the store has the last position, and so what was sent in between."""
        if self._file is None and not self._is_at(position):
            raise StoreError(
                f"{self._store.url} reported success, but is not at {position.version}: is it an "
                "update service, and the query service one of the same dataset? If so, another "
                "push runs, or a request arrived late: push again"
            )

    def _is_at(self, position: Position) -> bool:
        # With a file, a patch that may have been applied is sent again, which changes nothing.
        return self._file is None and self._positions() == [position]

    def _positions(self) -> list[Position]:
        if self._file is not None:
            return self._file.read(self._store.url)
        return self._store.positions()

    def _check(self, statements: Iterable[Statement]) -> None:
        checked = [*statements]
        if any(statement.graph == GRAPH for statement in checked):
            raise StoreError(f"the log has statements in {GRAPH}, which is for the position")
        self._store.check(checked)

    def _show_loaded(self, count: int) -> None:
        self._progress = self._progress._replace(loaded=count)
        self._on_progress(self._progress)


def _by_graph(statement: Statement) -> tuple[str, ...]:
    return (statement.graph or "", *statement[:3])


def _id_of(patch: Iterable[PatchRow]) -> str:
    return next(row.value for row in patch if row.op == "H" and row.name == "id" and row.value)


def _not_in_log(url: str, version: str) -> StoreError:
    return StoreError(
        f"{url} is at {version}, which is not in this log: it has another log, or the patch has "
        "expired; empty the store to load it again"
    )
