"""The engine on Spark, in the form that the laws and cases use."""

from __future__ import annotations

from typing import Any, Literal

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jelly_spark
from jelly_spark import algebra
from jelly_spark.codec import PatchRow
from jelly_spark.patches import Change, Finding, Interval, LanguageTags, Statement
from jelly_spark.patches.checks.rules import RULES
from tests.algebra.engines import Applied, Log, OnOpen, Prefixes, State

_STATEMENT = "subject string, predicate string, object string, graph string"
_PREFIX = "graph string, name string, value string"
_RULES = [rule.name for rule in RULES]


class SparkEngine:
    """`jelly_spark.algebra`. A state of nothing has no partition, as an empty folder has."""

    error: type[Exception] = PySparkException

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._patch_schema = jelly_spark.schema("jelly_patch")

    def diff(
        self,
        before: State,
        after: State,
        *,
        id: str | None = None,
        prev: str | None = None,
        prefixes: tuple[Prefixes, Prefixes] | None = None,
        language_tags: LanguageTags = "exact",
    ) -> Log:
        names = None
        if prefixes is not None:
            old, new = map(self._prefixes, prefixes)
            names = old, new
        states = self._state(before), self._state(after)
        found = algebra.diff(*states, id=id, prev=prev, prefixes=names, language_tags=language_tags)
        return _rows(found)

    def apply(
        self,
        state: State,
        log: Log,
        *,
        prefixes: Prefixes | None = None,
        on_open: OnOpen = "error",
        language_tags: LanguageTags = "exact",
    ) -> Applied:
        names = None if prefixes is None else self._prefixes(prefixes)
        found = algebra.apply(
            self._state(state),
            self._log(log),
            prefixes=names,
            on_open=on_open,
            language_tags=language_tags,
            assume_distinct=isinstance(state, set),  # which has each statement once
        )
        return _applied(*found)

    def apply_strict(
        self, state: State, log: Log, *, language_tags: LanguageTags = "exact"
    ) -> list[Finding]:
        found = algebra.apply(
            self._state(state), self._log(log), strict=True, language_tags=language_tags
        )
        return _findings(found[2])

    def apply_files(self, state: State, files: list[Log]) -> Applied:
        rows = [(place, *row) for place, file in enumerate(files) for row in file]
        schema = f"log_seq bigint, {_ddl(self._patch_schema)}"
        return _applied(*algebra.apply(self._state(state), self._frame(rows, schema)))

    def state(self, log: Log) -> Applied:
        return _applied(*algebra.state(self._log(log)))

    def changes(
        self,
        log: Log,
        state: State | None = None,
        *,
        on_open: OnOpen = "error",
        assume_canonical: bool = False,
        language_tags: LanguageTags = "exact",
    ) -> list[Change]:
        before = None if state is None else self._state(state)
        options: dict[str, Any] = {"on_open": on_open, "assume_canonical": assume_canonical}
        found = algebra.changes(self._log(log), before, language_tags=language_tags, **options)
        return [Change(*row) for row in found.orderBy("log_seq", "seq").collect()]

    def check_canonical(self, log: Log, state: State | None = None) -> Log:
        before = None if state is None else self._state(state)
        return _rows(algebra.check_canonical(self._log(log), before))

    def history(
        self,
        log: Log,
        subject: str | None = None,
        state: State | None = None,
        *,
        language_tags: LanguageTags = "exact",
    ) -> list[Interval]:
        followed = None if subject is None else F.col("subject") == subject
        before = None if state is None else self._state(state)
        found = algebra.history(self._log(log), followed, before, language_tags=language_tags)
        return [
            Interval(*row)
            for row in found.orderBy(
                "subject", "predicate", "object", "graph", "added_log_seq"
            ).collect()
        ]

    def squash(
        self,
        log: Log,
        state: State | None = None,
        *,
        on_open: OnOpen = "error",
        language_tags: LanguageTags = "exact",
        id: str | None = None,
    ) -> Log:
        before = None if state is None else self._state(state)
        return _rows(
            algebra.squash(
                self._log(log), before, on_open=on_open, language_tags=language_tags, id=id
            )
        )

    def invert(self, patch: Log, *, assume_canonical: bool = False) -> Log:
        return _rows(algebra.invert(self._log(patch), assume_canonical=assume_canonical))

    def concat(self, *logs: Log) -> Log:
        return _rows(algebra.concat(*map(self._log, logs))) if logs else []

    def split(
        self,
        log: Log,
        by: Literal["transaction", "patch"] | int,
        *,
        on_open: OnOpen = "error",
    ) -> Log:
        return _rows(algebra.split(self._log(log), by, on_open=on_open))

    def validate(self, log: Log, state: State | None = None) -> list[Finding]:
        before = None if state is None else self._state(state)
        return _findings(algebra.validate(self._log(log), before))

    def _state(self, state: State) -> DataFrame:
        return self._frame([(*row, None)[:4] for row in state], _STATEMENT)

    def _prefixes(self, prefixes: Prefixes) -> DataFrame:
        return self._frame([(*key, iri) for key, iri in prefixes.items()], _PREFIX)

    def _log(self, log: Log) -> DataFrame:
        return self._frame(log, _ddl(self._patch_schema))

    def _frame(self, rows: Any, schema: str) -> DataFrame:
        return self._spark.createDataFrame(rows, schema)


def _ddl(schema: Any) -> str:
    return ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in schema)


def _rows(frame: DataFrame) -> Log:
    """The rows, in the order in which they would be written."""
    rows = [PatchRow(*row) for row in frame.collect()]
    assert [row.seq for row in rows] == [*range(len(rows))]
    return rows


def _applied(statements: DataFrame, prefixes: DataFrame) -> Applied:
    found = [Statement(*row) for row in statements.collect()]
    assert len({*found}) == len(found)
    return Applied({*found}, {(row[0], row[1]): row[2] for row in prefixes.collect()})


def _findings(frame: DataFrame) -> list[Finding]:
    found = [Finding(*row) for row in frame.collect()]
    return sorted(
        found, key=lambda found: (found.log_seq, found.seq or 0, _RULES.index(found.rule))
    )
