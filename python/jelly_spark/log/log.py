"""Logs: append patches to a chain, and query its versions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from jelly_spark.core.files.paths import FilePath
from jelly_spark.core.packages import needs_extra
from jelly_spark.core.rows import PatchRow
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.errors import JellySparkError, LogConflictError, LogError, OptionError
from jelly_spark.log.assigning import append_assigned
from jelly_spark.log.chains.chain import Chain
from jelly_spark.log.chains.folder import ManagedFolder, ScannedFolder
from jelly_spark.log.chains.kinds import ManagedOnly, adoptable, managed
from jelly_spark.log.checking import CanonicalCheck
from jelly_spark.log.committing import check_time
from jelly_spark.log.engines.drafts import Commit, Wanted
from jelly_spark.log.engines.engine import Base, Engine, FolderEngine
from jelly_spark.log.engines.in_python import PythonEngine
from jelly_spark.log.entries.entry import Entry, Position, Version
from jelly_spark.log.entries.files import Files
from jelly_spark.log.entries.metrics import LogMetrics
from jelly_spark.log.entries.order import LogFinding, Removed
from jelly_spark.log.entries.view import LogView, VersionName, in_utc
from jelly_spark.patches import (
    BlankNodes,
    Change,
    Interval,
    LanguageTags,
    Prefixes,
    PrefixKey,
    Statement,
    Statements,
)
from jelly_spark.patches.differences import check_blank_nodes
from jelly_spark.patches.language_tags import check_language_tags
from jelly_spark.report.figures import Figures
from jelly_spark.report.html import element
from jelly_spark.report.summary import Summary

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

R = TypeVar("R", covariant=True)
"""What a log returns: `PatchRow` for Python's collections, `DataFrame` with a session."""

_SHOWN_ROWS = 100_000
"""How many rows the figures in a notebook are computed from."""


class Log(Generic[R]):
    """A log of patches, in a folder or a Delta table.

        log = Log("log")
        log.append(
            [
                PatchRow("H", name="id", value="<urn:uuid:2>"),
                PatchRow("H", name="prev", value=log.head()),
                PatchRow("TX"),
                PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"8.50"'),
                PatchRow("TC"),
            ]
        )
        before, after = log.state_at("<urn:uuid:1>"), log.state_at("<urn:uuid:2>")

    The headers `id` and `prev` order the patches. Each patch makes a version of the data, the state
    after it. The `id` of the patch identifies the version.

    The first `append` to an empty folder makes it a managed log: an index in `_log` says what its
    patches hold, so that appending and reading take the same time at any length. A folder of
    patches from other programs is a log too, which can be read: it consists of all files with the
    extension of a patch format, each with one or more patches. `adopt` makes it a managed log.

    With a session, rows and states are DataFrames, and the type is `Log[DataFrame]`. Without one,
    they are Python iterators and sets, the type is `Log[PatchRow]`, and Spark is not needed. Python
    finds and opens the files in both cases, so a URL needs the extra `jelly-spark[fsspec]` and the
    package that fsspec needs for this kind of URL.

    A log can be read while others append to it: each call sees the patches that exist when it is
    made. If the index is lost or damaged, it is rebuilt from the patches. If it cannot be written,
    there is a `RuntimeWarning`.

    A log without a session can be pickled, for other processes and Spark's tasks.

    Args:
        path: the path or URL of the folder. If the folder does not exist, `append` creates it. With
            a session, Spark must know the folder by the same path: in S3, the URL must begin with
            `s3a://`.
        spark: the session, which may be a Spark Connect session. By default, Spark is not used.

    Raises:
        MissingPackageError: the path is a URL, or there is a session, which needs a package that is
            not installed.
        OptionError: the path is empty, or a URL that is not supported.
    """

    @overload
    def __init__(self: Log[PatchRow], path: FilePath, spark: None = None) -> None: ...

    @overload
    def __init__(self: Log[DataFrame], path: FilePath, spark: SparkSession) -> None: ...

    def __init__(self, path: FilePath, spark: SparkSession | None = None) -> None:
        files = Files(path)
        engine: FolderEngine = PythonEngine(files)
        if spark is not None:
            with needs_extra("spark", "a log with a session needs PySpark"):
                from jelly_spark.log.engines.on_spark import SparkEngine

            engine = SparkEngine(spark, files)
        self._begin(os.fsdecode(path), ScannedFolder(files, engine), engine)

    def _begin(self, name: str, chain: Chain, engine: Engine) -> None:
        self._name, self._chain, self._engine = name, chain, engine
        # Whether the last state is kept; see `keep_states`.
        self._keeps_states = False

    @classmethod
    def delta(cls, spark: SparkSession, table: str) -> Log[DataFrame]:
        """Return the log in a Delta table.

            log = Log.delta(spark, "lake.changes")

        The table has the rows of the patches and the column `log_seq`. A patch is appended in one
        commit, which fails if another patch was committed at the same position. There are no
        snapshots.

        Args:
            spark: the session, which must have Delta. It may be a Spark Connect session.
            table: the name of the table, or the path or URL of its folder, which must contain a
                `/`. If the table does not exist, `append` creates it.
        """
        with needs_extra("spark", "a log in a table needs PySpark"):
            from jelly_spark.log.chains.delta import DeltaTable
            from jelly_spark.log.engines.frames import TableEngine

        log = cast("Log[DataFrame]", cls.__new__(cls))
        engine = TableEngine(spark)
        log._begin(table, DeltaTable(spark, engine, table), engine)
        return log

    def _look(self) -> Chain:
        """Return the chain as it is now: a folder may have become a managed log."""
        self._chain = self._chain.now()
        return self._chain

    def _view(self) -> LogView:
        """Return the patches that the log has now."""
        return self._look().view()

    def append(
        self,
        patch: Iterable[PatchRow] | DataFrame,
        *,
        canonical: bool = False,
        assume_canonical: bool = False,
        assign_ids: bool = False,
    ) -> Version:
        """Append a patch to the log.

        The patch must have a header `id`, and its header `prev` must be the id of the log's last
        patch, unless `assign_ids` adds them. The first patch of a log must have no `prev`. If
        several processes append after the same patch, one of them succeeds. When `append` returns,
        the patch is durably stored.

        Appending a patch that the log already has does nothing, if the bytes of its file are the
        same (in a table, the rows). So a program that does not know whether `append` succeeded can
        call it again.

        Args:
            patch: the rows of one patch. If the log has a session, this may be a DataFrame, which
                Spark writes in the order of its column `seq`, if it has one.
            canonical: whether to check that the patch is canonical for the state before it, as the
                patches that `diff` makes are, and to record that. `changes` of canonical patches
                needs no state. A DataFrame must then have the column `tx`, as that of `diff` has.
            assume_canonical: whether to record that without a check, which takes longer than to
                write a small patch: for a patch that `diff` has made from the state of the version
                `prev`.
            assign_ids: whether to add the headers that the patch lacks: as `id` a new `urn:uuid`,
                and as `prev` the id of the log's last patch, also if another program appends first.
                Headers that it has stay. Without an `id` of its own, a patch that is appended again
                is in the log twice. Its rows are held in memory.

        Returns:
            The new version.

        Raises:
            LogConflictError: another patch already follows `prev`, or the log has no patch `prev`.
            PatchError: the patch is not canonical, see `jelly_spark.patches.check_canonical`; of a
                DataFrame, Spark's error says so.
            LogError: the patch has no `id`, and `assign_ids` is false, or the id of one of the last
                patches of the log; there is more than one patch; the folder has patches, but is not
                a managed log; or the log is broken.
            OptionError: the log is in a file system without hard links, or at a URL where patches
                cannot be appended; or the patch is a DataFrame that this log cannot append.
            OSError: the folder cannot be written to.
            UnwritableRowError: the rows do not form a valid patch.
            pyspark.errors.PySparkException: Spark cannot compute or write the DataFrame.
        """
        (version,) = self.append_all(
            [patch],
            canonical=canonical,
            assume_canonical=assume_canonical,
            assign_ids=assign_ids,
        )
        return version

    def append_all(
        self,
        patches: Iterable[Iterable[PatchRow] | DataFrame],
        *,
        canonical: bool = False,
        assume_canonical: bool = False,
        assign_ids: bool = False,
        on_append: Callable[[Version], object] | None = None,
    ) -> list[Version]:
        """Append patches, one after the other.

        This is `append` for each patch, but it is faster for many: in a folder, the index is
        written once for 100 patches or once a second. If a patch cannot be appended, those before
        it are in the log. If the program is killed, all appended patches are in the log, too: the
        next program adds them to the index.

        Args:
            patches: the patches, each as in `append`.
            canonical: whether to check that each patch is canonical, as in `append`.
            assume_canonical: whether to record that without a check, as in `append`.
            assign_ids: whether to add the headers that patches lack, as in `append`.
            on_append: called with the version of each patch as soon as the log has it, to know how
                far this came if a later patch cannot be appended.

        Returns:
            The versions of the patches.

        Raises:
            JellySparkError: as in `append`.
            OSError: as in `append`.
        """
        check = CanonicalCheck(self._engine, self._view, self._state)

        def append(patches: Iterable[Any]) -> Iterator[Entry]:
            checked = map(check.check, patches) if canonical and not assume_canonical else patches
            return self._chain.append(checked, canonical=canonical or assume_canonical)

        found: list[Version] = []
        try:
            appended = append(patches)
            if assign_ids:
                appended = append_assigned(self._engine, self._view, patches, append)
            for entry in appended:
                found.append(entry.version())
                if on_append is not None:
                    on_append(found[-1])
            return found
        except LogConflictError:
            self._chain.counters.add(conflicts=1)
            raise

    def commit(
        self,
        state: Statements | DataFrame,
        *,
        prefixes: Prefixes | None = None,
        message: str | None = None,
        blank_nodes: BlankNodes = "label",
        language_tags: LanguageTags = "exact",
        skolem_base: str = "",
        time: datetime | None = None,
        dry_run: bool = False,
    ) -> Commit | None:
        """Append the difference between the last version and a new state, such as a new dump.

            dump = [("<urn:x:cup>", "<urn:x:price>", '"9.20"')]
            Log("prices").commit(dump, message="Monday's dump")

        The patch is canonical, and has a new `id`, a `urn:uuid`. If another program appends a patch
        first, the state is compared with the version after that. A state that blank nodes were
        matched for has the labels of the log.

        With a session, Spark compares the states, and keeps the rows of the patch until they are
        written:

            Log("prices", spark).commit(spark.read.format("nquads").load("data.nq"))

        Args:
            state: the statements of the new version, as in `jelly_spark.patches.diff`; with a
                session, a DataFrame as in `jelly_spark.algebra.diff`. It may be read twice.
            prefixes: the prefixes of the new version. Those of a graph without any here stay the
                same; by default, all do.
            message: the value of a header `message`; by default, there is none.
            blank_nodes: how blank nodes are compared: `label`, by their labels; or `match`, by what
                is said of them.
            language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as
                in RDF 1.2. The log keeps the tags that it has, and deletes name them, so patches
                made either way can follow each other.
            skolem_base: the beginning of IRIs in the state that stand for blank nodes, as in the
                export of a store that `push` filled: they are read as these blank nodes. By
                default, IRIs stay as they are.
            time: the time of the version, for states of earlier times; by default, now. It must not
                be before the time of the last version. A time without a time zone is local.
            dry_run: whether nothing is appended.

        Returns:
            What was appended; None if nothing has changed since the last version.

        Raises:
            JellySparkError: as in `append` and `diff`.
            LogError: `time` is before the time of the last version, too.
            OptionError: `time` is in the future; the log has a session, and the state is no
                DataFrame, or there is a `skolem_base`; or the log is in a Delta table, where
                `jelly_spark.algebra.diff` makes the patch to append.
            OSError: as in `append`.
            pyspark.errors.PySparkException: as in `append`; or a term of the DataFrame is not what
                `jelly_spark.functions.canonical_term` returns for it.
        """
        engine = self._engine
        if not isinstance(engine, FolderEngine):
            raise OptionError(
                "a log in a Delta table has no commit: append the patch of jelly_spark.algebra.diff"
            )
        check_blank_nodes(blank_nodes)
        check_language_tags(language_tags)
        wanted: Wanted | None = None
        when = None if time is None else in_utc(time)
        while True:
            view = self._view()
            if when is not None:
                check_time(when, view)
            before, old_prefixes = self._materialize(view, view.last)
            if wanted is None:
                given = engine.given(state, before, skolem_base)
                wanted = Wanted(given, prefixes or {}, message, blank_nodes, language_tags)
            with engine.draft(before, old_prefixes, view.head, wanted) as draft:
                if draft is None:
                    return None
                if dry_run:
                    if isinstance(self._chain, ScannedFolder):
                        self._chain.check_appendable()
                    return draft.commit
                try:
                    (entry,) = self._chain.append([draft.patch], canonical=True, time=when)
                except LogConflictError:
                    self._chain.counters.add(conflicts=1)
                    continue
                chain = self._look()
                if self._keeps_states and isinstance(chain, ManagedFolder):
                    chain.keep(entry, draft.state, draft.prefixes)
                return draft.commit._replace(version=entry.version())

    @property
    def metrics(self) -> LogMetrics:
        """What this object has done with the log, in numbers for monitoring."""
        return self._chain.counters.metrics()

    def adopt(self) -> int:
        """Make a folder of patches from other programs a managed log.

        The files stay as they are. From then on, only `append` may add patches. Files that other
        programs add later are not part of the log.

        Returns:
            The number of patches.

        Raises:
            LogError: the folder is a managed log already, or the patches do not form one chain.
            OptionError: the log is in a Delta table, or in a place where patches cannot be
                appended.
        """
        return adoptable(self._look()).adopt()

    def head(self) -> str | None:
        """Return the id of the last patch; None if the log is empty.

        Raises:
            LogError: the log is broken.
        """
        return self._view().head

    def versions(self) -> list[Version]:
        """Return the versions of the log, one for each patch, in order.

        Raises:
            LogError: the patches do not form one chain; `verify` returns all problems.
            MalformedInputError: a new file is malformed.
            OSError: the folder cannot be read.
        """
        return [entry.version() for entry in self._view().all()]

    @overload
    def read(
        self: Log[PatchRow], after: VersionName | None = None, to: VersionName | None = None
    ) -> Iterator[PatchRow]: ...

    @overload
    def read(
        self: Log[DataFrame], after: VersionName | None = None, to: VersionName | None = None
    ) -> DataFrame: ...

    def read(self, after: VersionName | None = None, to: VersionName | None = None) -> Any:
        """Return the rows of the patches that lead from one version to another.

        Args:
            after: the version before the first patch to read, as in `state_at`; by default, reading
                starts at the beginning of the log.
            to: the last version to read, likewise; by default, the last patch of the log.

        Returns:
            With a session, a DataFrame with the columns of the patch formats and `log_seq`, the
            0-based position of the patch in the log. Without one, an iterator of rows, in order:
            `patch` is the position in the log, and `tx` and `seq` continue from patch to patch.

        Raises:
            LogError: the log has no such patch, `to` comes before `after`, or the log is
                broken.
        """
        view, _, found = self._between(after, to)
        return self._engine.rows(view, found)

    def _between(
        self, after: VersionName | None, to: VersionName | None
    ) -> tuple[LogView, Position, list[Entry]]:
        """Return the patches between two versions, after the view and the position before them."""
        view = self._view()
        first = view.start if after is None else view.position(after)
        last = view.position(to)
        if last < first:
            raise LogError(f"{to} comes before {after} in the log")
        return view, first, view.entries(first, last)

    @overload
    def state_at(
        self: Log[PatchRow],
        version: VersionName | None = None,
        *,
        language_tags: LanguageTags = "exact",
    ) -> set[Statement]: ...

    @overload
    def state_at(
        self: Log[DataFrame],
        version: VersionName | None = None,
        *,
        language_tags: LanguageTags = "exact",
    ) -> DataFrame: ...

    def state_at(
        self, version: VersionName | None = None, *, language_tags: LanguageTags = "exact"
    ) -> Any:
        """Return the statements of a version: version materialization.

        The state is computed from the last snapshot at or before the version, and the patches
        between them.

        Args:
            version: the id of a patch; its position, `log_seq`, or a negative one that counts from
                the end, as -1 for the last patch; or a time, which selects the last patch appended
                at or before it. A time without a time zone is local. By default, the last patch.
            language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as
                in RDF 1.2, for patches of others that delete statements with other tags than those
                that were added. Then all patches of the log are read: snapshots, except the one
                that `expire` saves, are not used, because they compare tags exactly.

        Returns:
            With a session, a DataFrame with `subject`, `predicate`, `object` and `graph`; without
            one, a set of `Statement`s, tuples of these four. It is empty if the time is before the
            first patch of a log that has all its patches.

        Raises:
            LogError: the log has no such patch or is broken; or its first patch has a `prev`, and
                there is no snapshot to start from.
            OptionError: `language_tags` is not one of its values.
        """
        check_language_tags(language_tags)
        if language_tags == "exact":
            view = self._view()
            return self._state(view, view.position(version))
        return materialize(self, version, language_tags)[0]

    @overload
    def prefixes_at(
        self: Log[PatchRow], version: VersionName | None = None
    ) -> dict[PrefixKey, str]: ...

    @overload
    def prefixes_at(self: Log[DataFrame], version: VersionName | None = None) -> DataFrame: ...

    def prefixes_at(self, version: VersionName | None = None) -> Any:
        """Return the prefixes of a version.

        Args:
            version: the version, as in `state_at`.

        Returns:
            With a session, a DataFrame with `graph`, `name` and `value`; without one, a dict from
            `(graph, name)` to the IRI.

        Raises:
            LogError: as in `state_at`.
        """
        view = self._view()
        position = view.position(version)
        base = self._base(view, position, has_state=False)
        return self._engine.prefixes(view, base, view.entries(base.position, position))

    @overload
    def between(self: Log[PatchRow], a: VersionName, b: VersionName) -> list[PatchRow]: ...

    @overload
    def between(self: Log[DataFrame], a: VersionName, b: VersionName) -> DataFrame: ...

    def between(self, a: VersionName, b: VersionName) -> Any:
        """Return the patch that leads from one version to another: delta materialization.

        If `b` is after `a`, the patch is the net effect of the patches between them. Where these
        have changes without effect, it may add statements that `a` has, or delete some that `a`
        lacks. If `b` is before `a`, the patch is the difference of the two states.

        Args:
            a: the version to start from, as in `state_at`.
            b: the version to reach, likewise.

        Returns:
            A canonical patch with `a` as `prev` and `b` as `id`: with a session, a DataFrame;
            without one, a list of rows. It is empty, without headers, if `a` and `b` are the same
            version.

        Raises:
            LogError: as in `state_at`.
        """
        view = self._view()
        first, last = view.position(a), view.position(b)
        if first <= last:
            return self._engine.squash(view, view.entries(first, last))
        (before, old), (after, new) = (self._materialize(view, each) for each in (first, last))
        id, prev = view.id_at(last), view.id_at(first)
        return self._engine.algebra.diff(before, after, id=id, prev=prev, prefixes=(old, new))

    @overload
    def changes(
        self: Log[PatchRow], after: VersionName | None = None, to: VersionName | None = None
    ) -> list[Change]: ...

    @overload
    def changes(
        self: Log[DataFrame], after: VersionName | None = None, to: VersionName | None = None
    ) -> DataFrame: ...

    def changes(self, after: VersionName | None = None, to: VersionName | None = None) -> Any:
        """Return the statements that each patch really added and removed.

        If the patches were appended with `canonical=True`, these are their rows. Otherwise, the
        state before the first of them is computed, to find the rows that had an effect.

        Args:
            after: the version before the first patch, as in `read`.
            to: the last version, likewise.

        Returns:
            With a session, a DataFrame as of `jelly_spark.algebra.changes`; without one, a list of
            `jelly_spark.patches.Change`. `log_seq` is the position in the log.

        Raises:
            LogError: as in `read` and `state_at`.
        """
        view, first, found = self._between(after, to)
        are_canonical = all(entry.canonical for entry in found)
        state = None if are_canonical else self._state(view, first)
        return self._engine.changes(view, found, state)

    @overload
    def history(
        self: Log[PatchRow],
        statement_filter: Callable[[Statement], bool] | None = None,
        *,
        subject: str | None = None,
    ) -> list[Interval]: ...

    @overload
    def history(
        self: Log[DataFrame],
        statement_filter: Column | None = None,
        *,
        subject: str | None = None,
    ) -> DataFrame: ...

    def history(self, statement_filter: Any = None, *, subject: str | None = None) -> Any:
        """Return the intervals during which statements were present: version queries.

        Args:
            statement_filter: selects statements; by default, all are selected. With a session, a
                condition as in `jelly_spark.algebra.history`; without one, a function as in
                `jelly_spark.patches.history`.
            subject: selects the statements with this subject, a term. Only patches, and parts of
                the packs that `optimize` made, that can have the subject are read, if no
                transaction of the log is aborted or open.

        Returns:
            The result of that function: a row for each interval, with the ids of the patches that
            added and removed the statement.

        Raises:
            InvalidTermError: the subject is not a term.
            LogError: the log is broken; or its first patch has a `prev`, and there is no snapshot
                of the state before it.
        """
        view = self._view()
        state = None
        if view.before is not None:
            state = self._base(view, view.start).state
        wanted = None if subject is None else format_term(parse_term(subject))
        return self._engine.history(view, view.all(), statement_filter, state, wanted)

    def verify(self) -> list[LogFinding]:
        """Check all files of the log, and return the problems.

        The SHA-256 of each file is compared with that in the index, recorded when the patch was
        appended or adopted. Reported are files that have changed, are missing, cannot be read, or
        are not patches of the log; patches that do not form one chain; and snapshots that are
        damaged, or that were made from other patches. To accept changed files, remove the index:
        the file `_log/tail.jsonl.gz` and the folder `_log/index`. In a folder that is not a managed
        log, there is nothing to compare the files with. The rows of the patches are not checked:
        see `jelly_spark.patches.validate`.

        Returns:
            The findings; an empty list if the log is intact.
        """
        return [*self._look().findings()]

    def compact(self, at: VersionName | None = None, *, if_due: bool = False) -> bool:
        """Save the state of a version as a snapshot, which makes it faster to compute later states.

        Nothing is removed, so readers are not affected. The snapshot is a folder of Jelly-RDF files
        below `_log/snapshots`.

        Args:
            at: the version, as in `state_at`; by default, the last one.
            if_due: whether to do nothing unless the snapshot is worth its cost: the files of the
                patches after the last snapshot must have more than 64 kB, and more than twice as
                many bytes as those of the snapshot. Then all snapshots but the last one take at
                most half the space of the patches, if this is called after each `append`. Before
                the first snapshot, a canonical first patch takes its place, as its rows are the
                state: the patches after it must have more than half as many bytes.

        Returns:
            Whether a snapshot was made. There is none of the state before the first patch.

        Raises:
            LogError: the log has no such patch, or the errors of `state_at`.
            OptionError: the log is in a Delta table, or a folder that is not a managed log.
        """
        view = self._view()
        position = view.position(at)
        if position < view.begin:
            return False
        chain = managed(self._chain, ManagedOnly.SNAPSHOTS)
        if if_due and not chain.is_snapshot_due(view, position):
            return False
        chain.save(position, *self._materialize(view, position))
        return True

    def optimize(
        self,
        *,
        target_size: int = 128 << 20,
        index_columns: str = "subject",
        compression: str | None = None,
        dry_run: bool = False,
    ) -> list[range]:
        """Pack the small files of patches into larger ones, which are faster to read.

        The patches, their order, positions, ids and times stay the same. The original files stay,
        too, until `vacuum` removes them. Consecutive files are packed up to the target size,
        together with packs that are smaller than half of it. Each pack is read back and
        compared with the files that it was made from, before the log uses it. `END` rows, which may
        end a patch, are not kept.

        Several programs may append, read and do housekeeping meanwhile. If another one packs the
        same patches, one of them gives up.

        Args:
            target_size: how large the files may be that are packed together, in bytes, if they are
                not compressed. A larger file stays as it is.
            index_columns: the columns whose terms can be looked up in a pack, as in
                `JellyPatchOptions`: the default makes `history` of a subject fast.
            compression: `gzip` or `zstd`. Such packs are smaller, but are always read from their
                beginning, by one task of Spark.
            dry_run: whether nothing is written.

        Returns:
            The positions of the patches in each new pack; empty if nothing was packed.

        Raises:
            LogError: a file is missing, or has changed since it was appended.
            OptionError: an option is out of range; or the log is in a Delta table, or a folder that
                is not a managed log.
        """
        if type(target_size) is not int or target_size < 1:
            raise OptionError(f"target_size must be an integer of at least 1, not {target_size!r}")
        chain = managed(self._look(), ManagedOnly.OPTIMIZE)
        return chain.optimize(target_size, index_columns, compression, dry_run=dry_run)

    def expire(self, before: VersionName, *, dry_run: bool = False) -> list[Version]:
        """Make a version the first one of the log, so that older patches can be removed.

        The state before it is saved as a snapshot, unless there is one. Ids and positions stay the
        same. Readers find the older versions no more, but their files stay until `vacuum` removes
        them. This cannot be undone.

        Args:
            before: the version, as in `state_at`.
            dry_run: whether nothing is changed.

        Returns:
            The versions that expire, in order.

        Raises:
            LogError: the log has no such patch, or the errors of `state_at`.
            OptionError: the log is in a Delta table, or a folder that is not a managed log.
        """
        view = self._view()
        last = Position(max(view.position(before) - 1, view.start))
        expired = view.entries(view.start, last)
        if expired and not dry_run:
            chain = managed(self._chain, ManagedOnly.SNAPSHOTS)
            if not chain.has_snapshot(last):
                chain.save(last, *self._materialize(view, last))
            chain.writer.expire(Position(last + 1))
        return [entry.version() for entry in expired]

    def vacuum(self, retention: timedelta = timedelta(days=7), *, dry_run: bool = False) -> Removed:
        """Remove the files that the log no longer needs.

        These are the files of patches that have expired or are in packs, of snapshots before them,
        of packs that were replaced, merged segments of the index, and what killed programs left.

        Args:
            retention: how long ago they must have become unnecessary. Programs that are still
                reading them may take this long. With zero, such programs can fail with an error.
                Merged segments, and packs and snapshots that were not finished, stay at least a
                day. A temporary file that a killed program left is removed at once, because a
                running program locks its own; on a file system without locks, after a day.
            dry_run: whether nothing is removed.

        Returns:
            The names of the files and folders, relative to the folder of the log; and those that
            are kept for now, though the log does not need them.

        Raises:
            LogError: the log is broken.
            OptionError: the retention time is negative; or the log is in a Delta table, or a folder
                that is not a managed log.
        """
        if retention < timedelta(0):
            raise OptionError(f"the retention time must not be negative: {retention}")
        return managed(self._look(), ManagedOnly.VACUUM).vacuum(retention, dry_run=dry_run)

    def __repr__(self) -> str:
        """Return the path, the number of patches and the id of the last one."""
        try:
            view = self._view()
            return f"<Log {self._name}: patches: {len(view):,}, head: {view.head}>"
        except (JellySparkError, OSError) as error:
            return f"<Log {self._name}: {error}>"

    def _repr_html_(self) -> str:
        """Return the figures of the first rows as HTML, which notebooks show."""
        title = f"Log {self._name}"
        try:
            view = self._view()
            rows = [*self._engine.first_rows(view, view.all(), _SHOWN_ROWS)]
            figures = Figures(first=view.begin)
            figures.add_patches(rows)
        except (JellySparkError, OSError) as error:
            return element("p", f"{title}: {error}")
        if len(rows) < _SHOWN_ROWS:
            return Summary(title, figures)._repr_html_()
        note = (
            f"These are the figures of the first {_SHOWN_ROWS:,} rows. The log has "
            f"{len(view):,} patches."
        )
        return Summary(title, figures, note)._repr_html_()

    def _materialize(self, view: LogView, position: Position) -> tuple[Any, Any]:
        """Return the statements and the prefixes of a state."""
        base = self._base(view, position)
        if base.position == position:
            return base.state, base.prefixes
        return self._engine.apply(view, base, view.entries(base.position, position))

    def _state(self, view: LogView, position: Position) -> Any:
        """Return the statements of a state."""
        base = self._base(view, position)
        if base.position == position:
            return base.state
        return self._engine.state(view, base, view.entries(base.position, position))

    def _base(self, view: LogView, position: Position, *, has_state: bool = True) -> Base:
        """Return the last state at or before a position that is stored, or else the empty state.

        Args:
            view: the patches of the log.
            position: the position.
            has_state: whether the statements are needed, and not only the prefixes.
        """
        found = self._chain.snapshot(position, has_state=has_state)
        if found is not None:
            return found
        if view.before is not None:
            raise LogError(
                f"the log begins after {view.before}, which is missing, and has no snapshot of "
                "it: restore the folder _log/snapshots from a backup"
            )
        return self._engine.nothing(view.start)


def keep_states(log: Log[PatchRow]) -> set[Statement]:
    """Let a log keep its last state and that of its last commit, for whoever needs them next.

    So neither `commit` nor `compact` need compute them again. The terms of states that are
    committed must be canonical, as readers return them.

    Returns:
        The statements of the last version.
    """
    log._keeps_states = True
    view = log._view()
    state, prefixes = log._materialize(view, view.last)
    chain = log._look()
    if view.head is not None and isinstance(chain, ManagedFolder):
        chain.keep(view.entry(view.last), state, prefixes)
    found: set[Statement] = state
    return found


def materialize(
    log: Log[Any], version: VersionName | None = None, language_tags: LanguageTags = "exact"
) -> tuple[Any, Any]:
    """Return the statements and the prefixes of a version, computed together.

    Args:
        log: the log.
        version: the version, as in `Log.state_at`.
        language_tags: how language tags are compared, likewise.
    """
    view = log._view()
    position = view.position(version)
    if language_tags == "exact":
        return log._materialize(view, position)
    base = log._base(view, view.start)
    rows = log._engine.rows(view, view.entries(view.start, position))
    state, prefixes = log._engine.algebra.apply(
        base.state, rows, prefixes=base.prefixes, language_tags=language_tags
    )
    return state, prefixes
