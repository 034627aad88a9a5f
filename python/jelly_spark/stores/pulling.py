"""Appending the patches of a log on a server to a log: in order, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogConflictError, LogError, StoreError, UnwritableRowError
from jelly_spark.log import Log, Version
from jelly_spark.patches.log_rows import Headers
from jelly_spark.stores.pushing import OnRetry
from jelly_spark.stores.rdf_delta import DeltaVersions, RdfDeltaLog


class Pulled(NamedTuple):
    """What a pull did, or has done so far.

    Attributes:
        version: the id of the log's last version now; None if it is empty.
        patches: how many patches were appended.
    """

    version: str | None
    patches: int


OnPulled: TypeAlias = Callable[[Pulled], None]
"""Called after each patch that was appended."""


def pull(
    source: RdfDeltaLog,
    log: Log[PatchRow],
    *,
    on_progress: OnPulled = lambda _: None,
    on_retry: OnRetry = lambda *_: None,
) -> Pulled:
    """Append to a log the patches on a server that it does not have yet, in order, each once.

    The patches stay as they are, with their headers `id` and `prev`. The last version of the log is
    the position, so a pull that was interrupted at any point is continued by the next one. If
    several pulls run at a time, the log has each patch once. Patches that the server gets meanwhile
    are left to the next pull.

    Args:
        source: the log on the server.
        log: the log, without a session. It may be empty, or have the first patches of the source.
        on_progress: called after each patch that was appended.
        on_retry: called before each pause after an error that may pass, with the error and the
            length of the pause in seconds.

    Returns:
        What was appended.

    Raises:
        LogError: the log is broken, or not a managed log.
        MalformedInputError: a patch of the server is malformed.
        OSError: the log cannot be written to.
        StoreError: the server has no such log, or its patches do not follow those of the log, or a
            patch is not valid.
        StoreRequestError: the server cannot be reached, or answered with an error, also after
            retries.
    """
    return _Pull(source, log, on_progress, on_retry).run()


class _Pull:
    """A pull, as long as it runs."""

    def __init__(
        self, source: RdfDeltaLog, log: Log[PatchRow], on_progress: OnPulled, on_retry: OnRetry
    ) -> None:
        self._source = source
        self._log = log
        self._on_progress = on_progress
        source.http.on_retry = on_retry
        self._done = Pulled(None, 0)
        # The number of the version that is being appended, and its id.
        self._number = 0
        self._id: str | None = None

    def run(self) -> Pulled:
        while True:
            # In this order, because another pull may append what the server gets meanwhile.
            versions = self._log.versions()
            available = self._source.versions()
            head = versions[-1].id if versions else None
            self._done = self._done._replace(version=head)
            missing = range(self._position(versions, available) + 1, available.last + 1)
            try:
                self._log.append_all(self._patches(missing, head))
                return self._done
            except LogError as error:
                versions = self._log.versions()
                is_overtaken = bool(versions) and versions[-1].id != head
                # Unless another pull was faster, the log itself has a conflict.
                if isinstance(error, LogConflictError) and is_overtaken:
                    continue
                if any(version.id == self._id for version in versions):
                    text = f"the patch has the id of an earlier one, {self._id}"
                    raise self._error(text) from error
                raise
            except UnwritableRowError as error:
                raise self._error(str(error)) from error

    def _patches(self, numbers: Iterable[int], before: str | None) -> Iterator[list[PatchRow]]:
        """Yield patches, each after the one before it was appended."""
        for self._number in numbers:
            patch = self._source.patch(self._number)
            if any(row.op == "END" for row in patch[:-1]):
                raise self._error("there is more than one patch")
            id, prev = Headers.of(patch)
            if id is None:
                raise self._error("the patch has no header id")
            if prev != before:
                raise self._error(
                    f"the patch follows {prev or 'no other'}, not {before or 'no other'}: the log "
                    "on the server has been replaced, or is broken"
                )
            self._id = id
            yield patch
            before = id
            self._done = Pulled(id, self._done.patches + 1)
            self._on_progress(self._done)

    def _position(self, versions: Sequence[Version], available: DeltaVersions) -> int:
        """Return the number on the server of the log's last version; 0 if the log is empty."""
        first, last = available
        if not versions:
            if first > 1:
                raise StoreError(
                    f"{self._source.url} has no patches before version {first}, so an empty log "
                    "cannot begin with them: copy the earlier patches from elsewhere to a folder, "
                    "and make it a log with Log.adopt"
                )
            return 0
        head = versions[-1].id
        # Both count from their first patch. The one after the last version will do if the server
        # has not kept that.
        expected = max(versions[-1].log_seq + 1, first)
        candidates: Iterable[int] = (expected,) if expected <= last else ()
        if versions[0].prev is not None and expected < last:
            # If the log began with a later patch, the server's numbers are higher. The patches of
            # the log are in a row there, so one of each so many is enough to find them.
            candidates = chain(candidates, range(last, expected, -len(versions)), (expected + 1,))
        # How far the last version is from each one.
        distances: dict[str | None, int] = {
            version.id: at for at, version in enumerate(reversed(versions))
        }
        for number in candidates:
            id, prev = Headers.of(self._source.patch(number))
            if id == head:
                return number
            if number == first and prev == head:
                return number - 1
            if id in distances:
                position = number + distances[id]
                if position <= last and Headers.of(self._source.patch(position)).id == head:
                    return position
                break
        raise StoreError(
            f"the log is at {head}, which is not among the versions {first} to {last} of "
            f"{self._source.url}: that is another log, or one of the two has patches of its own; "
            "pull into a new folder"
        )

    def _error(self, message: str) -> StoreError:
        """Return an error about the patch that is being appended."""
        return StoreError(f"{self._source.url}/{self._number}: {message}")
