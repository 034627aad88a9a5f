"""The engine in plain Python: rows are iterators, states are sets."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, ClassVar

from jelly_spark import codec
from jelly_spark import patches as algebra
from jelly_spark.core.columns import rows_of_columns
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RdfRow, RowNumbering
from jelly_spark.errors import JellySparkError, LogError, OptionError
from jelly_spark.log.engines.drafts import Commit, Draft, Wanted
from jelly_spark.log.engines.engine import Base, FolderEngine
from jelly_spark.log.entries.entry import Entry, Position, file_sizes, may_have_subject
from jelly_spark.log.entries.files import Files, HashedTarget
from jelly_spark.log.entries.order import new_id
from jelly_spark.log.entries.packs import PACK_AGAIN
from jelly_spark.log.entries.patch_files import (
    canonical_headers,
    check_packs,
    lacking,
    open_patches,
    passes,
    rows_of,
    write_patch,
)
from jelly_spark.log.entries.view import LogView
from jelly_spark.log.upkeep.snapshots import Prefix, Snapshot
from jelly_spark.patches import Change, Interval, Prefixes, Statement, Statements
from jelly_spark.patches.blank_nodes.graphs import has_blank_node
from jelly_spark.patches.blank_nodes.skolem_iris import with_blank_nodes
from jelly_spark.patches.canonical import canonical_rows, header_rows
from jelly_spark.patches.differences import aligned, are_mostly_blank, prefix_changes
from jelly_spark.patches.log_rows import Headers
from jelly_spark.patches.statements import read_statements, statement_of, statements_of

COMPRESSION_LEVEL = 6
"""The gzip level of snapshots, the same as Spark's."""

# The place of the ordinal of the patch in a row, and those of the terms.
_PATCH = PatchRow._fields.index("patch")
_TERMS = slice(1, 5)


class PythonEngine(FolderEngine):
    """The engine of a folder of patches without Spark.

    Args:
        files: the files of the folder.
    """

    algebra: ClassVar[Any] = algebra

    def __init__(self, files: Files) -> None:
        self._files = files

    def write(self, patch: Iterable[PatchRow], path: Path) -> Entry:
        """Write a patch to a file, and return what it has.

        Raises:
            OptionError: the patch is a DataFrame.
        """
        _check_rows(patch)
        return write_patch(path, patch)

    def rows(self, view: LogView, patches: Sequence[Entry]) -> Iterator[PatchRow]:
        """Yield the rows of patches, in order.

        Raises:
            LogError: the patches have expired, or a file is missing.
        """
        numbering = RowNumbering()
        for reader, found in self._opened(view, patches):
            yield from rows_of(reader, found, numbering)

    def _opened(
        self,
        view: LogView,
        patches: Sequence[Entry],
        where: Mapping[str, object] | None = None,
    ) -> Iterator[tuple[RowReader[Any], list[Entry]]]:
        """Open each file of patches in turn; see `open_patches`."""
        for found in passes(patches):
            try:
                reader = open_patches(self._files, found, where)
            except FileNotFoundError:
                yield from self._opened(view, self._moved(view, found), where)
            else:
                # In a pack, patches have some other size, which is not known.
                self._files.counters.add(bytes_read=sum(file_sizes(found).values()))
                with reader:
                    yield reader, found

    def _moved(self, view: LogView, patches: Sequence[Entry]) -> Sequence[Entry]:
        """Return patches where they are now, given some in a file that is missing.

        Raises:
            LogError: they have expired, or the file has been lost.
        """
        first, found = patches[0], view.located_now(patches)
        if found[0].source != first.source:
            return found
        has_original = first.pack is not None and self._files.has(first.file)
        remedy = PACK_AGAIN if has_original else "see Log.verify"
        raise LogError(f"{self._files.path(first.source)} is missing: {remedy}")

    def first_rows(self, view: LogView, patches: Sequence[Entry], limit: int) -> Iterator[PatchRow]:
        """Return the first rows of patches, in order."""
        return islice(self.rows(view, patches), limit)

    def history(
        self,
        view: LogView,
        patches: Sequence[Entry],
        statement_filter: Callable[[Statement], bool] | None,
        state: Any,
        subject: str | None,
    ) -> list[Interval]:
        """Return the intervals of patches, which follow a state; see `Engine.history`."""
        if subject is None:
            wanted = statement_filter
        else:

            def wanted(statement: Statement) -> bool:
                return statement.subject == subject and (
                    statement_filter is None or statement_filter(statement)
                )

        found, rows = patches, self.rows(view, patches)
        if subject is not None and all(patch.committed for patch in patches):
            found = []
            rows = self._rows_with(subject, view, patches, found)
        return [
            interval._replace(
                added_log_seq=_position(interval.added_log_seq, found),
                removed_log_seq=_position(interval.removed_log_seq, found),
            )
            for interval in algebra.history(rows, wanted, state)
        ]

    def _rows_with(
        self, subject: str, view: LogView, patches: Sequence[Entry], found: list[Entry]
    ) -> Iterator[PatchRow]:
        """Yield the rows with a subject, and before them the headers of each patch that has some.

        Patches and, in packs, ranges that cannot have the subject are not read.

        Args:
            subject: the subject.
            view: the patches of the log.
            patches: the patches.
            found: gets the patches that have such rows.
        """
        check_packs(self._files, patches)
        wanted = may_have_subject(subject, patches)
        for reader, opened in self._opened(view, wanted, {"subject": subject}):
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
        """Return the rows of a patch as the algebra takes them; see `Engine.prepare`.

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
        """Return the rows of a patch with these headers first; see `Engine.with_headers`."""
        ordinal = getattr(patch[0], "patch", None) if patch else None
        return [
            *(PatchRow(*row, ordinal) for row in header_rows(*headers)),
            *(row for row in patch if not _is_header(row)),
        ]

    def given(self, state: Statements, known: set[Statement], skolem_base: str) -> set[Statement]:
        """Return the statements of a state that is to be committed; see `FolderEngine.given`."""
        return with_blank_nodes(read_statements(state, known), skolem_base)

    @contextmanager
    def draft(
        self, before: set[Statement], prefixes: Prefixes, prev: str | None, wanted: Wanted
    ) -> Iterator[Draft | None]:
        """Return the patch from the last version to a state; see `Engine.draft`."""
        after = aligned(before, wanted.state, wanted.blank_nodes, wanted.language_tags)
        new_prefixes = wanted.prefixes_after(prefixes)
        changed = prefix_changes(prefixes, new_prefixes)
        deleted, added = before - after, after - before
        if not (deleted or added or any(changed)):
            yield None
            return
        id = new_id()
        rows = canonical_rows(id, prev, changed, deleted, added, wanted.headers)
        adds, deletes = len(added), len(deleted)
        nodes = (sum(map(has_blank_node, some)) for some in (added, deleted))
        replaces = are_mostly_blank(adds + deletes, *nodes)
        commit = Commit(id, prev, None, adds, deletes, sum(map(len, changed)), replaces)
        yield Draft((PatchRow(*row) for row in rows), commit, after, new_prefixes)

    def changes(self, view: LogView, patches: Sequence[Entry], state: Any) -> list[Change]:
        """Return what patches change; see `Engine.changes`."""
        first = patches[0].position if patches else 0
        return [
            change._replace(log_seq=change.log_seq + first)
            for change in super().changes(view, patches, state)
        ]

    def nothing(self, position: Position) -> Base:
        """Return the empty state, before the first patch."""
        return Base(position, set[Statement](), {})

    def first_state(self, view: LogView, first: Entry) -> Base:
        """Return the state after a first patch; see `FolderEngine.first_state`."""
        state: set[Statement] = set()
        others: list[PatchRow] = []
        ordinal = first.ordinal
        for reader, _ in self._opened(view, [first]):
            # Without numbers of rows, which take a third of the time.
            items: Iterator[Any] = reader.items()
            for item in takewhile(lambda item: item[_PATCH] == ordinal, items):
                is_columns = type(item) is tuple
                if is_columns and item[0] == "A":
                    state.update(rows_of_columns(item, Statement, _TERMS))
                    continue
                for row in rows_of_columns(item, PatchRow) if is_columns else (item,):
                    if row.op == "A":
                        state.add(statement_of(row))
                    elif row.op != "END":
                        others.append(row)
        if not others:
            raise lacking(first.source)
        _, prefixes = algebra.apply((), others, prefixes={})
        return Base(first.position, state, prefixes)

    def read_snapshot(self, snapshot: Snapshot, *, has_state: bool) -> Base | None:
        """Return the state of a snapshot; see `FolderEngine.read_snapshot`."""
        state: set[Statement] = set()
        try:
            for name, (size, _) in snapshot.files.items() if has_state else ():
                self._files.counters.add(bytes_read=size)
                path = self._files.path(f"{snapshot.folder}/{name}")
                with codec.JellyRdfReader(path) as reader:
                    state.update(statements_of(reader.items()))
        except (JellySparkError, OSError) as error:
            warnings.warn(
                f"the snapshot of {snapshot.id} cannot be read, so an older one or the patches "
                f"are: {error}",
                RuntimeWarning,
                stacklevel=3,
            )
            return None
        prefixes = {(graph, name): value for graph, name, value in snapshot.prefixes}
        return Base(Position(snapshot.log_seq), state, prefixes)

    def write_state(
        self, folder: str, state: set[Statement], prefixes: Prefixes
    ) -> tuple[list[Prefix], dict[str, str]]:
        """Write a state to a folder, for a snapshot; see `FolderEngine.write_state`."""
        # Sorted rows are smaller, because Jelly omits terms that repeat those of the row before.
        ordered = sorted(state, key=lambda statement: (statement[3] or "", *statement[:3]))
        name = f"{folder}/state.jelly.gz"
        with self._files.temporary(name) as path:
            with open(path, "wb") as file:
                target = HashedTarget(file)
                with gzip.GzipFile("", "wb", COMPRESSION_LEVEL, target) as stream:
                    codec.write_jelly_rdf(stream, (RdfRow(*row) for row in ordered))
            self._files.create(name, path)
        found = [(graph, name, value) for (graph, name), value in prefixes.items()]
        return found, {name: target.digest()}


def _position(ordinal: int | None, patches: Sequence[Entry]) -> int | None:
    return None if ordinal is None else patches[ordinal].position


def _is_header(row: object) -> bool:
    """Return whether this is the row of a header `id` or `prev`; the writer refuses other types."""
    return isinstance(row, PatchRow) and row.op == "H" and row.name in Headers._fields


def _check_rows(patch: object) -> None:
    if hasattr(patch, "sparkSession"):
        raise OptionError("a DataFrame can be appended to a log with a session: Log(path, spark)")
