"""A folder of patches as a log, read and written in plain Python."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from jelly_spark import codec, patches
from jelly_spark.core.rows import PatchRow, RdfRow
from jelly_spark.errors import JellySparkError, LogError, OptionError
from jelly_spark.log.chain import Summary, Version, Versions
from jelly_spark.log.files import Files
from jelly_spark.log.folder import PatchFolder
from jelly_spark.log.patch_files import canonical_headers, rows_of, write_patch
from jelly_spark.log.store import Base
from jelly_spark.patches import Change, Interval, Prefixes, Statement
from jelly_spark.patches.log_rows import Headers

COMPRESSION_LEVEL = 6
"""The gzip level of snapshots, the same as Spark's."""


class PythonStore(PatchFolder):
    """A folder of patches without Spark; rows are iterators, states are sets."""

    algebra: ClassVar[Any] = patches

    def __reduce__(self) -> tuple[type[PythonStore], tuple[Files]]:
        """Pickle the store without what it knows, which another process reads from the index."""
        return PythonStore, (self.files,)

    def write(self, patch: Iterable[PatchRow], path: Path) -> Summary:
        """Write a patch to a file, and return its summary.

        Raises:
            OptionError: the patch is a DataFrame.
        """
        if hasattr(patch, "sparkSession"):
            raise OptionError(
                "a DataFrame can be appended to a log with a session: Log(path, spark)"
            )
        return write_patch(path, patch)

    def rows(self, versions: Sequence[Version]) -> Iterator[PatchRow]:
        """Yield the rows of some patches, in order.

        Raises:
            LogError: the patches have expired, or a file is missing.
        """
        sizes = {version.file: self.entry(version).size for version in versions}
        self.counters.add(bytes_read=sum(sizes.values()))
        try:
            yield from rows_of(self.files, versions)
        except FileNotFoundError as error:
            missing = f"{error.filename or error} is missing: see Log.verify"
            raise self.expired(versions) or LogError(missing) from None

    def first_rows(self, versions: Sequence[Version], limit: int) -> Iterator[PatchRow]:
        """Return the first rows of some patches, in order."""
        return islice(self.rows(versions), limit)

    def history(
        self, versions: Sequence[Version], statement_filter: Any, state: Any
    ) -> list[Interval]:
        """Return the intervals of patches, which follow a state; see `Store.history`."""
        first = versions[0].log_seq if versions else 0
        return [
            interval._replace(
                added_log_seq=_moved(interval.added_log_seq, first),
                removed_log_seq=_moved(interval.removed_log_seq, first),
            )
            for interval in super().history(versions, statement_filter, state)
        ]

    def headers(self, patch: Sequence[PatchRow]) -> Headers:
        """Return the headers of a patch that is to be appended."""
        return canonical_headers(reduce(Headers.after, filter(_is_header, patch), Headers()))

    def changes(self, versions: Sequence[Version], state: Any) -> list[Change]:
        """Return what consecutive patches change; see `Store.changes`."""
        first = versions[0].log_seq if versions else 0
        return [
            change._replace(log_seq=change.log_seq + first)
            for change in super().changes(versions, state)
        ]

    def nothing(self) -> Base:
        """Return the empty state, before the first patch."""
        return Base(-1, set[Statement](), {})

    def snapshot(self, versions: Versions, place: int) -> Base | None:
        """Return the last snapshot at or before a position; see `Store.snapshot`."""
        for found in self.find_snapshots(versions, place):
            state: set[Statement] = set()
            try:
                for name, (size, _) in found.files.items():
                    self.counters.add(bytes_read=size)
                    state.update(self._statements(f"{found.folder}/{name}"))
            except (JellySparkError, OSError) as error:
                warnings.warn(
                    f"the snapshot of {found.id} cannot be read, so an older one or the patches "
                    f"are: {error}",
                    RuntimeWarning,
                    stacklevel=2,
                )
                continue
            prefixes = {(graph, name): value for graph, name, value in found.prefixes}
            return Base(found.log_seq - versions.first, state, prefixes)
        return None

    def _statements(self, name: str) -> Iterator[Statement]:
        rows: Iterator[RdfRow] = codec.read(self.files.path(name), format="jelly_rdf")
        return (Statement(*row[:4]) for row in rows)  # type: ignore[arg-type] # no namespaces

    def save(self, versions: Sequence[Version], state: set[Statement], prefixes: Prefixes) -> None:
        """Save the state of the last of the given versions as a snapshot; see `Store.save`."""
        folder = self.new_snapshot(versions[-1])
        # Sorted rows are smaller, because Jelly omits terms that repeat those of the row before.
        ordered = sorted(state, key=lambda statement: (statement[3] or "", *statement[:3]))
        with self.files.temporary() as path:
            with gzip.open(path, "wb", COMPRESSION_LEVEL) as file:
                codec.write(file, (RdfRow(*row) for row in ordered), format="jelly_rdf")
            self.files.create(f"{folder}/state.jelly.gz", path)
        found = [(graph, name, value) for (graph, name), value in prefixes.items()]
        self.publish_snapshot(versions[-1], folder, found)


def _moved(place: int | None, by: int) -> int | None:
    return None if place is None else place + by


def _is_header(row: PatchRow) -> bool:
    return isinstance(row, PatchRow) and row.op == "H"
