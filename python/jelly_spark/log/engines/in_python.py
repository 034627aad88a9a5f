"""A folder of patches as a log, read and written in plain Python."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from jelly_spark import codec
from jelly_spark import patches as algebra
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RdfRow, RowNumbering
from jelly_spark.errors import JellySparkError, OptionError
from jelly_spark.log.entry import Entry, Position
from jelly_spark.log.files import Files, HashedTarget
from jelly_spark.log.folder import PatchFolder, file_sizes, may_have
from jelly_spark.log.patch_files import (
    canonical_headers,
    open_patches,
    passes,
    rows_of,
    write_patch,
)
from jelly_spark.log.store import Base
from jelly_spark.patches import Change, Interval, Prefixes, PrefixKey, Statement
from jelly_spark.patches.canonical import header_rows
from jelly_spark.patches.log_rows import Headers

COMPRESSION_LEVEL = 6
"""The gzip level of snapshots, the same as Spark's."""


class PythonStore(PatchFolder):
    """A folder of patches without Spark; rows are iterators, states are sets.

    Attributes:
        keeps_commits: whether the state of the last commit is kept; see `keep_commits`.
    """

    algebra: ClassVar[Any] = algebra

    def __init__(self, files: Files) -> None:
        super().__init__(files)
        self.keeps_commits = False
        # The state after the patch that was committed last, until it was used.
        self._kept: tuple[Entry, set[Statement], dict[PrefixKey, str]] | None = None

    def __reduce__(self) -> tuple[type[PythonStore], tuple[Files]]:
        """Pickle the store without what it knows, which another process reads from the index."""
        return PythonStore, (self.files,)

    def write(self, patch: Iterable[PatchRow], path: Path) -> Entry:
        """Write a patch to a file, and return what it has.

        Raises:
            OptionError: the patch is a DataFrame.
        """
        _check_rows(patch)
        return write_patch(path, patch)

    def rows(self, patches: Sequence[Entry]) -> Iterator[PatchRow]:
        """Yield the rows of some patches, in order.

        Raises:
            LogError: the patches have expired, or a file is missing.
        """
        numbering = RowNumbering()
        for reader, found in self._opened(patches):
            yield from rows_of(reader, found, numbering)

    def _opened(
        self, patches: Sequence[Entry], where: Mapping[str, object] | None = None
    ) -> Iterator[tuple[RowReader[Any], list[Entry]]]:
        """Open each file of some patches in turn; see `open_patches`."""
        for found in passes(patches):
            try:
                reader = open_patches(self.files, found, where)
            except FileNotFoundError:
                yield from self._opened(self.moved(found), where)
            else:
                # In a pack, patches have some other size, which is not known.
                self.counters.add(bytes_read=sum(file_sizes(found).values()))
                with reader:
                    yield reader, found

    def first_rows(self, patches: Sequence[Entry], limit: int) -> Iterator[PatchRow]:
        """Return the first rows of some patches, in order."""
        return islice(self.rows(patches), limit)

    def history(
        self,
        patches: Sequence[Entry],
        statement_filter: Callable[[Statement], bool] | None,
        state: Any,
        subject: str | None,
    ) -> list[Interval]:
        """Return the intervals of patches, which follow a state; see `Store.history`."""
        if subject is None:
            wanted = statement_filter
        else:

            def wanted(statement: Statement) -> bool:
                return statement.subject == subject and (
                    statement_filter is None or statement_filter(statement)
                )

        found, rows = patches, self.rows(patches)
        if subject is not None and all(patch.committed for patch in patches):
            found = []
            rows = self._rows_with(subject, patches, found)
        return [
            interval._replace(
                added_log_seq=_position(interval.added_log_seq, found),
                removed_log_seq=_position(interval.removed_log_seq, found),
            )
            for interval in algebra.history(rows, wanted, state)
        ]

    def _rows_with(
        self, subject: str, patches: Sequence[Entry], found: list[Entry]
    ) -> Iterator[PatchRow]:
        """Yield the rows with a subject, and before them the headers of each patch that has some.

        Patches and, in packs, ranges that cannot have the subject are not read.

        Args:
            subject: the subject.
            patches: the patches.
            found: gets the patches that have such rows.
        """
        self.check_packs(patches)
        for reader, opened in self._opened(may_have(subject, patches), {"subject": subject}):
            by_position: dict[int | None, Entry] = {patch.position: patch for patch in opened}
            is_whole = opened[0].pack is None
            for row in rows_of(reader, opened, RowNumbering(), is_whole=is_whole):
                if row.subject != subject:
                    continue
                position = row.patch
                if not found or found[-1].position != position:
                    patch = by_position[position]
                    found.append(patch)
                    yield PatchRow("H", name="id", value=patch.id, patch=position)
                    yield PatchRow("H", name="prev", value=patch.prev, patch=position)
                yield row._replace(tx=None, seq=None)

    def prepare(self, patch: Iterable[PatchRow]) -> list[PatchRow]:
        """Return the rows of a patch as the algebra takes them; see `Store.prepare`.

        Raises:
            OptionError: the patch is a DataFrame.
        """
        _check_rows(patch)
        return [*patch]

    def headers(self, patch: Sequence[PatchRow]) -> Headers:
        """Return the headers of a patch that is to be appended."""
        rows = (row for row in patch if isinstance(row, PatchRow))
        return canonical_headers(Headers.of(rows))

    def with_headers(self, patch: Sequence[PatchRow], headers: Headers) -> list[PatchRow]:
        """Return the rows of a patch with these headers first; see `Store.with_headers`."""
        ordinal = getattr(patch[0], "patch", None) if patch else None
        return [
            *(PatchRow(*row, ordinal) for row in header_rows(*headers)),
            *(row for row in patch if not _is_header(row)),
        ]

    def changes(self, patches: Sequence[Entry], state: Any) -> list[Change]:
        """Return what consecutive patches change; see `Store.changes`."""
        first = patches[0].position if patches else 0
        return [
            change._replace(log_seq=change.log_seq + first)
            for change in super().changes(patches, state)
        ]

    def nothing(self, position: Position) -> Base:
        """Return the empty state, before the first patch."""
        return Base(position, set[Statement](), {})

    def keep(self, entry: Entry, state: set[Statement], prefixes: dict[PrefixKey, str]) -> None:
        """Keep the state after a patch that was just appended, for the next one who needs a state.

        Args:
            entry: the patch.
            state: the statements.
            prefixes: the prefixes.
        """
        self._kept = entry, state, prefixes

    def snapshot(self, position: Position, *, has_state: bool = True) -> Base | None:
        """Return the last snapshot of a state, or of one before it; see `Store.snapshot`."""
        if has_state and self._kept is not None and self._index is not None:
            (entry, *kept), self._kept = self._kept, None
            if entry.position == position and self._index.entry(position) == entry:
                return Base(position, *kept)
        for found in self.find_snapshots(position):
            state: set[Statement] = set()
            try:
                for name, (size, _) in found.files.items() if has_state else ():
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
            return Base(Position(found.log_seq), state, prefixes)
        return None

    def _statements(self, name: str) -> Iterator[Statement]:
        rows = codec.read_jelly_rdf(self.files.path(name))
        return (Statement(*row[:4]) for row in rows)  # type: ignore[arg-type] # no namespaces

    def save(self, position: Position, state: set[Statement], prefixes: Prefixes) -> None:
        """Save a state as a snapshot; see `Store.save`."""
        folder = self.new_snapshot(position)
        # Sorted rows are smaller, because Jelly omits terms that repeat those of the row before.
        ordered = sorted(state, key=lambda statement: (statement[3] or "", *statement[:3]))
        name = f"{folder}/state.jelly.gz"
        with self.files.temporary(name) as path:
            with open(path, "wb") as file:
                target = HashedTarget(file)
                with gzip.GzipFile("", "wb", COMPRESSION_LEVEL, target) as stream:
                    codec.write_jelly_rdf(stream, (RdfRow(*row) for row in ordered))
            self.files.create(name, path)
        found = [(graph, name, value) for (graph, name), value in prefixes.items()]
        self.publish_snapshot(position, folder, found, {name: target.digest()})


def _position(ordinal: int | None, patches: Sequence[Entry]) -> int | None:
    return None if ordinal is None else patches[ordinal].position


def _is_header(row: object) -> bool:
    """Return whether this is the row of a header `id` or `prev`; the writer refuses other types."""
    return isinstance(row, PatchRow) and row.op == "H" and row.name in Headers._fields


def _check_rows(patch: object) -> None:
    if hasattr(patch, "sparkSession"):
        raise OptionError("a DataFrame can be appended to a log with a session: Log(path, spark)")
