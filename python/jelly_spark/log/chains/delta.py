"""A Delta table as a log."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jelly_spark.algebra.headers import collect_values
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogConflictError, LogError, OptionError
from jelly_spark.log.chains.chain import Chain
from jelly_spark.log.chains.patch_frames import UNPLACED, as_in_file, check
from jelly_spark.log.engines.frames import TableEngine, row_schema
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.metrics import Counters
from jelly_spark.log.entries.order import LogFinding, broken_rules, check_id, conflict, order
from jelly_spark.log.entries.patch_files import kept_message
from jelly_spark.log.entries.view import ListedView, LogView
from jelly_spark.patches.log_rows import Headers

_APP = "jelly-spark.log"
"""The `txnAppId` of appends to all logs; their `txnVersion` is `log_seq`."""

_LOST = ("DELTA_CONCURRENT_TRANSACTION", "ConcurrentTransactionException")
"""Texts in Delta's error for a concurrent commit with the same `txnAppId` and `txnVersion`."""

_MISSING = ("DELTA_TABLE_NOT_FOUND", "PATH_NOT_FOUND", "TABLE_OR_VIEW_NOT_FOUND")


class DeltaTable(Chain):
    """The chain of a log in a Delta table; see `Log.delta`.

    Args:
        spark: the session.
        engine: reads and prepares patches.
        table: the name, path or URL of the table.
    """

    def __init__(self, spark: SparkSession, engine: TableEngine, table: str) -> None:
        self._spark, self._engine, self.counters = spark, engine, Counters()
        self._table = f"delta.`{table}`" if "/" in table else table

    def view(self) -> LogView:
        """Return the patches in the order of their chain.

        Raises:
            LogError: the patches do not form one chain, or a `log_seq` in the table is not the
                position of its patch in the chain.
        """
        patches = self._patches()
        for finding in _broken_rules(patches):
            raise LogError(finding.message)
        return ListedView(order(patches))

    def _patches(self) -> list[Entry]:
        """Return the patches of the table; `patch` of each is its `log_seq`."""
        if not self._exists():
            return []
        rows = self._spark.table(self._table)
        # The `log_seq` is the last word of the metadata.
        times = {int(commit.split()[-1]): time for commit, time in self._times().items()}
        found = collect_values(rows, "log_seq", names=(*Headers._fields, "message"))
        return [
            Entry(
                headers.get("id"),
                headers.get("prev"),
                message=kept_message(headers.get("message")),
                time=times.get(log_seq),
                file=self._table,
                patch=log_seq,
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
        self,
        patches: Iterable[DataFrame | Iterable[PatchRow]],
        *,
        canonical: bool,
        time: datetime | None = None,
    ) -> Iterator[Entry]:
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
            rows = as_in_file(self._engine.prepare(patch)).persist()
            try:
                yield self._append_frame(rows)
            finally:
                rows.unpersist()

    def _append_frame(self, rows: DataFrame) -> Entry:
        headers, message = check(rows)
        check_id(headers)
        rows = rows.withColumn("patch", F.lit(0).cast("bigint")).drop(UNPLACED)
        view = self.view()
        if there := self._find(rows, headers, view):
            return there
        if headers.prev != view.head:
            raise _conflict(headers, view)
        log_seq = view.last + 1
        commit = f"{_APP} {secrets.token_hex(8)} {log_seq}"
        self._write(rows, log_seq, commit)
        if time := self._times().get(commit):
            self.counters.add(appends=1)
            return Entry(
                *headers,
                message=kept_message(message),
                time=time,
                file=self._table,
                patch=log_seq,
                position=Position(log_seq),
            )
        view = self.view()
        if there := self._find(rows, headers, view):
            return there
        if headers.prev == view.head:
            raise LogError(
                f"{headers.id} cannot be appended: {self._table} had another patch with log_seq "
                f"{log_seq}, which was removed, and Delta commits each position only once. Restore "
                "the version of the table that has the removed patch, or append the patches to a "
                "new table"
            )
        raise _conflict(headers, view)

    def _find(self, rows: DataFrame, headers: Headers, view: LogView) -> Entry | None:
        """Return the patch of the log that equals the appended one; None if there is none.

        A program appends a patch again if an error hid that the first attempt succeeded.

        Raises:
            LogError: the id belongs to another patch of the log.
        """
        for patch in view.all():
            if patch.id == headers.id:
                if self._is_same(rows, view, patch):
                    return patch
                if patch.prev != headers.prev:
                    raise LogError(
                        f"{patch.file} has another patch with the id {patch.id}, log_seq "
                        f"{patch.position}"
                    )
        return None

    def _is_same(self, rows: DataFrame, view: LogView, patch: Entry) -> bool:
        there = self._engine.rows(view, [patch]).drop("log_seq").withColumn("_count", F.lit(1))
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

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the chain. The files of the table are not checked."""
        return _broken_rules(self._patches())


def _conflict(headers: Headers, view: LogView) -> LogConflictError:
    winner = next((patch.id for patch in view.all() if patch.prev == headers.prev), None)
    return conflict(headers, winner, view.head)


def _broken_rules(patches: Sequence[Entry]) -> Iterator[LogFinding]:
    """Yield what is wrong with the chain, or else patches that are not where `log_seq` says."""
    found = [*broken_rules(patches)]
    yield from found
    if not found:
        for patch in order(patches):
            if patch.patch != patch.position:
                message = (
                    f"{patch.id} has log_seq {patch.patch} in {patch.file}, but is at position "
                    f"{patch.position} of the chain"
                )
                yield LogFinding("misplaced-patch", patch.file, message)
