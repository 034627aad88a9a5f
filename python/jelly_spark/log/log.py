"""Logs: patches in the order of their chain, as one thing to append to and to ask."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from jelly_spark.core.files import FilePath
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogError
from jelly_spark.log.chain import LogFinding, Version
from jelly_spark.log.files import files_of
from jelly_spark.log.in_python import PythonStore
from jelly_spark.log.store import Base, Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Log:
    """A folder of patches, or a table of Delta, as a log.

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

    The order of the patches is that of their headers `id` and `prev`, whatever the names of their
    files are. A folder that others wrote is a log too: all files in it whose extension is that of a
    format of patches, with one or more patches each. Each patch is a version of the data: the state
    after it. A version is named by the `id` of its patch.

    With a session, rows and states are DataFrames; without, they are rows and sets of plain Python,
    and Spark is not needed. The files are found and opened by Python in both cases: a URL needs the
    extra `jelly-spark[fsspec]`, and the package that fsspec needs for it.

    A log can be read while others append to it: each call looks at the patches that there are when
    it is made. What was read of the files is kept in an index, the file `_log/index.json`. If it is
    lost or damaged, it is made again from the patches.

    Args:
        path: path or URL of the folder. It need not exist; `append` makes it. Spark must know it by
            the same path: with Spark, the URL of a folder in S3 begins with `s3a://`.
        spark: the session. Works over Spark Connect too.

    Raises:
        MissingPackageError: the path is a URL, which needs a package that is not installed.
        OptionError: this is no path or URL.
    """

    def __init__(self, path: FilePath, spark: SparkSession | None = None) -> None:
        files = files_of(path)
        if spark is None:
            self._store: Store = PythonStore(files)
        else:
            # It imports PySpark.
            from jelly_spark.log.on_spark import SparkStore

            self._store = SparkStore(spark, files)

    @classmethod
    def delta(cls, spark: SparkSession, table: str) -> Log:
        """Return the log in a table of Delta.

            log = Log.delta(spark, "lake.changes")

        Its rows are those of the patches, with the column `log_seq`. A patch is appended by a
        commit that fails if another patch was committed in its place. There are no snapshots.

        Args:
            spark: the session, which must have Delta. Works over Spark Connect too.
            table: the name of a table, or the path or URL of its folder, which has a `/`. It need
                not exist; `append` makes it.
        """
        from jelly_spark.log.in_delta import DeltaStore

        log = cls.__new__(cls)
        log._store = DeltaStore(spark, table)
        return log

    def append(self, patch: Iterable[PatchRow] | DataFrame) -> Version:
        """Make a patch the last one of the log.

        The patch needs a header `id`, and its header `prev` must be the id of the log's last patch;
        in the first patch of a log, there must be none. Of several processes that append after the
        same patch, one succeeds. When `append` returns, the patch is on disk.

        To append a patch again that is in the log, byte for byte (in a table: with the same rows),
        does nothing: so a program that does not know whether it succeeded can repeat it.

        Args:
            patch: the rows of one patch. A DataFrame, if the log has a session, is written by
                Spark, in the order of its column `seq` if it has one.

        Returns:
            The patch in its place.

        Raises:
            LogConflictError: another patch follows `prev` already, or the log has no patch `prev`.
            LogError: the patch has no `id`, or one that another patch of the log has; or these are
                several patches; or the log is broken.
            OptionError: the log is at a URL where patches cannot be appended.
            OSError: the folder cannot be written to.
            UnwritableRowError: the rows are not those of a patch.
            pyspark.errors.PySparkException: Spark cannot compute or write the DataFrame.
        """
        return self._store.append(patch)

    def head(self) -> str | None:
        """Return the id of the last patch; None if the log is empty.

        Raises:
            LogError: the log is broken.
        """
        versions = self.versions()
        return versions[-1].id if versions else None

    def versions(self) -> list[Version]:
        """Return the patches of the log, in their order.

        Raises:
            LogError: they do not make one chain; `verify` says all that is wrong.
            MalformedInputError: a file that is new is malformed.
            OSError: the folder cannot be read.
        """
        return self._store.versions()

    def read(self, from_id: str | None = None, to_id: str | None = None) -> Any:
        """Return the rows of the patches that lead from one version to another.

        Args:
            from_id: the version before the first patch to read; None for the beginning of the log.
            to_id: the last patch to read; None for the last one of the log.

        Returns:
            With a session, a DataFrame with the columns of the patch formats and `log_seq`, the
            place of the patch in the log. Else an iterator of rows, in their order: `patch` is the
            place in the log, `tx` and `seq` go on from one patch to the next.

        Raises:
            LogError: the log has no such patch, or `to_id` comes before `from_id`.
        """
        versions = self.versions()
        first = -1 if from_id is None else _place(versions, from_id)
        last = _place(versions, to_id)
        if last < first:
            raise LogError(f"{to_id} comes before {from_id} in the log")
        return self._store.rows(versions[first + 1 : last + 1])

    def state_at(self, version: str | datetime | None = None) -> Any:
        """Return the statements of a version: version materialization.

        The patches since the last snapshot that is not after the version are applied to it.

        Args:
            version: the id of a patch; or a time, for the last patch that was appended until then,
                in the local time zone if it has none; by default the last patch.

        Returns:
            With a session, a DataFrame with `subject`, `predicate`, `object` and `graph`; else a
            set of tuples of these four. Before the first patch, there are none.

        Raises:
            LogError: the log has no such patch; or it begins after a patch that is not there, and
                has no snapshot.
        """
        return self._materialize(self.versions(), version)[0]

    def prefixes_at(self, version: str | datetime | None = None) -> Any:
        """Return the prefixes of a version.

        The arguments and errors are those of `state_at`.

        Returns:
            With a session, a DataFrame with `graph`, `name` and `value`; else a dict of the IRIs by
            `(graph, name)`.
        """
        return self._materialize(self.versions(), version)[1]

    def between(self, a: str | datetime, b: str | datetime) -> Any:
        """Return the patch that leads from one version to another: delta materialization.

        If `b` is after `a`, it is the net effect of the patches in between; it can add statements
        that are there in `a`, and delete some that are not, if the patches do. If `b` is before
        `a`, it is the difference of the two states.

        Args:
            a: the version before, as `state_at` takes it.
            b: the version after, likewise.

        Returns:
            A canonical patch, with `a` as `prev` and `b` as `id`: with a session, a DataFrame; else
            rows.

        Raises:
            LogError: the log has no such patch.
        """
        versions = self.versions()
        first, last = _place(versions, a), _place(versions, b)
        if first <= last:
            return self._store.squash(versions[first + 1 : last + 1])
        (before, old), (after, new) = self._at(versions, first), self._at(versions, last)
        id, prev = (_id_at(versions, place) for place in (last, first))
        return self._store.algebra.diff(before, after, id=id, prev=prev, prefixes=(old, new))

    def history(self, statement_filter: Any = None) -> Any:
        """Return when statements came and went: version queries.

        Args:
            statement_filter: which statements, as `jelly_spark.algebra.history` takes it with a
                session, and `jelly_spark.patches.history` without; by default all.

        Returns:
            What that function returns: a row for each time that a statement was there, with the ids
            of the patches that added and removed it.
        """
        versions = self.versions()
        state = None
        if versions and versions[0].prev is not None:
            state = self._base(versions, -1).state
        return self._store.history(versions, statement_filter, state)

    def verify(self) -> list[LogFinding]:
        """Read all files, and return what is wrong with the log; nothing, if all is well.

        It compares the SHA-256 of each file with the one in the index, from when the patch was
        appended or first seen. It finds files that changed, are missing, cannot be read, or are no
        patches; patches that do not make one chain; and snapshots that are damaged. To accept files
        as they are, remove the index. The rows are checked by `validate`.
        """
        return [*self._store.findings()]

    def compact(self, at: str | datetime | None = None) -> None:
        """Keep the state of a version as a snapshot, so that later states take less to make.

        Nothing is removed, so nobody who reads is disturbed. The snapshot is a folder of Jelly-RDF
        below `_log/snapshots`.

        Args:
            at: the version, as `state_at` takes it; by default the last one.

        Raises:
            LogError: the log has no such patch.
            OptionError: the log is a table of Delta.
        """
        versions = self.versions()
        place = _place(versions, at)
        if place < 0:
            raise LogError("the log has no patch until then: there is nothing to compact")
        self._store.save(versions[: place + 1], *self._at(versions, place))

    def _materialize(
        self, versions: list[Version], version: str | datetime | None
    ) -> tuple[Any, Any]:
        return self._at(versions, _place(versions, version))

    def _at(self, versions: list[Version], place: int) -> tuple[Any, Any]:
        """Return the statements and prefixes after the patch at a place."""
        base = self._base(versions, place)
        if base.place == place:
            return base.state, base.prefixes
        return self._store.apply(base, versions[base.place + 1 : place + 1])

    def _base(self, versions: list[Version], place: int) -> Base:
        """Return the last state that need not be made, at a place or before."""
        found = self._store.snapshot(versions, place)
        if found is not None:
            return found
        before = versions[0].prev if versions else None
        if before is not None:
            raise LogError(
                f"the log begins after {before}, which is not there, and has no snapshot of it"
            )
        return self._store.nothing()


def _place(versions: list[Version], version: str | datetime | None) -> int:
    """Return the place of a version; -1 for the state before the first patch."""
    if version is None:
        return len(versions) - 1
    if isinstance(version, datetime):
        time = version.astimezone()
        places = (found.log_seq for found in versions if found.time and found.time <= time)
        return max(places, default=-1)
    for found in versions:
        if found.id == version:
            return found.log_seq
    if versions and versions[0].prev == version:
        return -1
    raise LogError(
        f"the log has no patch with the id {version}: a version is an id, such as <urn:uuid:1>, or "
        "a datetime"
    )


def _id_at(versions: list[Version], place: int) -> str | None:
    """Return the id of the version at a place; None for nothing, before the first patch."""
    return versions[0].prev if place < 0 else versions[place].id
