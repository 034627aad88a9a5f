"""A Delta table as a log."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from jelly_spark.algebra import history
from jelly_spark.algebra.headers import collect_values
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogConflictError, LogError, OptionError
from jelly_spark.log.chain import (
    Link,
    LogFinding,
    Version,
    Versions,
    broken_rules,
    check_id,
    conflict,
    order,
)
from jelly_spark.log.frames import FrameStore, row_schema, with_subject
from jelly_spark.log.metrics import Counters
from jelly_spark.log.patch_files import kept_message
from jelly_spark.log.patch_frames import UNPLACED, as_in_file, check
from jelly_spark.patches.log_rows import Headers

_APP = "jelly-spark.log"
"""The `txnAppId` of appends to all logs; their `txnVersion` is `log_seq`."""

_LOST = ("DELTA_CONCURRENT_TRANSACTION", "ConcurrentTransactionException")
"""Texts in Delta's error for a concurrent commit with the same `txnAppId` and `txnVersion`."""

_MISSING = ("DELTA_TABLE_NOT_FOUND", "PATH_NOT_FOUND", "TABLE_OR_VIEW_NOT_FOUND")


class DeltaStore(FrameStore):
    """The store for a log in a Delta table; rows and states are DataFrames. See `Log.delta`."""

    def __init__(self, spark: SparkSession, table: str) -> None:
        self._spark, self.counters = spark, Counters()
        self._table = f"delta.`{table}`" if "/" in table else table

    def versions(self) -> Versions:
        """Return the patches in the order of their chain.

        Raises:
            LogError: the patches do not form one chain, or a `log_seq` in the table is not the
                position of its patch in the chain.
        """
        links = self._links()
        for finding in _broken_rules(links):
            raise LogError(finding.message)
        return Versions(order(links))

    def _links(self) -> list[Link]:
        """Return the patches of the table; `patch` of each link is its `log_seq`."""
        if not self._exists():
            return []
        rows = self._spark.table(self._table)
        # The `log_seq` is the last word of the metadata.
        times = {int(commit.split()[-1]): time for commit, time in self._times().items()}
        found = collect_values(rows, "log_seq", names=(*Headers._fields, "message"))
        return [
            Link(
                headers.get("id"),
                headers.get("prev"),
                self._table,
                log_seq,
                times.get(log_seq),
                kept_message(headers.get("message")),
            )
            for (log_seq,), headers in found.items()
        ]

    def _times(self) -> dict[str, datetime]:
        """Return the times of our commits that are still in Delta's history, by `userMetadata`."""
        history = self._spark.sql(f"DESCRIBE HISTORY {self._table}")
        commits = history.where(F.col("userMetadata").startswith(f"{_APP} "))
        rows = commits.select("userMetadata", F.unix_micros("timestamp")).collect()
        return {
            metadata: datetime.fromtimestamp(micros / 1e6, timezone.utc)
            for metadata, micros in rows
        }

    def _exists(self) -> bool:
        try:
            self._spark.table(self._table).schema  # noqa: B018 # Connect asks for it here
        except AnalysisException as error:
            if error.getCondition() in _MISSING:
                return False
            raise
        return True

    def append(
        self, patches: Iterable[DataFrame | Iterable[PatchRow]], *, canonical: bool
    ) -> Iterator[Version]:
        """Append patches, one after the other; see `Log.append_all`.

        All commits for the same position have the same `txnAppId` and `txnVersion`, so Delta does
        only one of them: a concurrent commit fails, and a later one is skipped.
        """
        if canonical:
            raise OptionError(
                "a log in a Delta table does not record that a patch is canonical: call "
                "algebra.check_canonical, and then algebra.changes with assume_canonical"
            )
        for patch in patches:
            # The rows are read several times: to check them, and to write them.
            rows = as_in_file(self.prepare(patch)).persist()
            try:
                yield self._append_frame(rows)
            finally:
                rows.unpersist()

    def _append_frame(self, rows: DataFrame) -> Version:
        headers, message = check(rows)
        id = check_id(headers)
        rows = rows.withColumn("patch", F.lit(0).cast("bigint")).drop(UNPLACED)
        versions = self.versions()
        if there := self._find(rows, headers, versions):
            return there
        if headers.prev != versions.head:
            raise _conflict(headers, versions)
        log_seq = len(versions)
        commit = f"{_APP} {secrets.token_hex(8)} {log_seq}"
        self._write(rows, log_seq, commit)
        if time := self._times().get(commit):
            self.counters.add(appends=1)
            place = (log_seq, time, self._table, log_seq)
            return Version(id, headers.prev, *place, kept_message(message))
        versions = self.versions()
        if there := self._find(rows, headers, versions):
            return there
        if headers.prev == versions.head:
            raise LogError(
                f"{id} cannot be appended: {self._table} had another patch with log_seq {log_seq}, "
                "which was removed, and Delta commits each position only once. Restore the version "
                "of the table that has the removed patch, or append the patches to a new table"
            )
        raise _conflict(headers, versions)

    def _find(
        self, rows: DataFrame, headers: Headers, versions: Sequence[Version]
    ) -> Version | None:
        """Return the patch of the log that equals the appended one; None if there is none.

        A program appends a patch again if an error hid that the first attempt succeeded.

        Raises:
            LogError: the id belongs to another patch of the log.
        """
        for version in versions:
            if version.id == headers.id:
                if self._is_same(rows, version):
                    return version
                if version.prev != headers.prev:
                    raise LogError(
                        f"{version.file} has another patch with the id {version.id}, log_seq "
                        f"{version.log_seq}"
                    )
        return None

    def _is_same(self, rows: DataFrame, version: Version) -> bool:
        there = self.rows([version]).drop("log_seq").withColumn("_count", F.lit(1))
        given = rows.withColumn("_count", F.lit(-1))
        together = there.unionByName(given, allowMissingColumns=True)
        counted = together.groupBy(*PatchRow._fields).agg(F.sum("_count").alias("_count"))
        return counted.where("_count != 0").isEmpty()

    def _write(self, rows: DataFrame, log_seq: int, commit: str) -> None:
        self._create()
        options: dict[str, str | int] = {
            "txnAppId": _APP,
            "txnVersion": log_seq,
            "userMetadata": commit,
        }
        placed = rows.withColumn("log_seq", F.lit(log_seq).cast("bigint"))
        try:
            placed.write.format("delta").mode("append").options(**options).saveAsTable(self._table)
        except Exception as error:
            # PySpark has no class for this error.
            if not any(text in str(error) for text in _LOST):
                raise

    def _create(self) -> None:
        """Create the table, unless it exists."""
        if self._exists():
            return
        columns = (f"{field.name} {field.dataType.simpleString()}" for field in row_schema())
        ddl = ", ".join(columns)
        try:
            self._spark.sql(f"CREATE TABLE IF NOT EXISTS {self._table} ({ddl}) USING delta")
        except Exception:
            # If several writers create the table at once, all but one fail.
            if not self._exists():
                raise

    def rows(self, versions: Sequence[Version]) -> DataFrame:
        """Return the rows of consecutive patches."""
        if not versions:
            return self._no_rows()
        place = F.col("log_seq")
        wanted = place.between(versions[0].log_seq, versions[-1].log_seq)
        return self._spark.table(self._table).where(wanted)

    def save(self, versions: Sequence[Version], state: DataFrame, prefixes: DataFrame) -> None:
        """Refuse to make a snapshot.

        Raises:
            OptionError: always, because a log in a table has no snapshots.
        """
        raise OptionError(
            "a log in a Delta table has no snapshots, and its patches do not expire: write "
            "log.state_at() to a table, or keep the patches in a folder"
        )

    def history(
        self,
        versions: Sequence[Version],
        statement_filter: Column | None,
        state: DataFrame | None,
        subject: str | None,
    ) -> DataFrame:
        """Return the intervals of consecutive patches; see `Store.history`."""
        wanted = with_subject(statement_filter, subject)
        return history(self.rows(versions), wanted, state=state)

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the chain. The files of the table are not checked."""
        return _broken_rules(self._links())


def _conflict(headers: Headers, versions: Versions) -> LogConflictError:
    winner = next((version.id for version in versions if version.prev == headers.prev), None)
    return conflict(headers, winner, versions.head)


def _broken_rules(links: Sequence[Link]) -> Iterator[LogFinding]:
    """Yield what is wrong with the chain, or else patches that are not where `log_seq` says."""
    found = [*broken_rules(links)]
    yield from found
    if not found:
        for version in order(links):
            if version.patch != version.log_seq:
                message = (
                    f"{version.id} has log_seq {version.patch} in {version.file}, but is at "
                    f"position {version.log_seq} of the chain"
                )
                yield LogFinding("misplaced-patch", version.file, message)
