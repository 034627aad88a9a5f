"""Engines whose rows and states are DataFrames, and the one for a table."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructType

from jelly_spark import algebra, codec
from jelly_spark._schema import schema
from jelly_spark.algebra.blank_nodes.terms import HAS_NODES
from jelly_spark.algebra.checks.canonical_terms import with_canonical_terms
from jelly_spark.algebra.differences import difference
from jelly_spark.algebra.headers import header
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.log.engines.drafts import Commit, Draft, Wanted
from jelly_spark.log.engines.engine import Base, Engine
from jelly_spark.log.entries.entry import Entry, Position
from jelly_spark.log.entries.order import new_id
from jelly_spark.log.entries.patch_files import FORMAT, write_patch
from jelly_spark.log.entries.view import LogView
from jelly_spark.patches import Prefixes
from jelly_spark.patches.differences import are_mostly_blank
from jelly_spark.patches.log_rows import Headers

STATEMENT = "subject string, predicate string, object string, graph string"
"""The columns of a state, as a DDL schema."""

PREFIX = "graph string, name string, value string"
"""The columns of the prefixes, as a DDL schema."""


_HEADER_COLUMNS = {"op", "name", "value"}

_COUNTS = [
    f"count_if({condition})"
    for condition in (
        "op = 'A'",
        "op = 'D'",
        "op IN ('PA', 'PD')",
        f"op = 'A' AND {HAS_NODES}",
        f"op = 'D' AND {HAS_NODES}",
    )
]
"""What is counted in a patch that is to be committed."""


class FrameEngine(Engine):
    """An engine with a session, whose rows and states are DataFrames.

    Args:
        spark: the session.
    """

    algebra: ClassVar[Any] = algebra

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def first_rows(self, view: LogView, patches: Sequence[Entry], limit: int) -> Iterator[PatchRow]:
        """Return the first rows of patches, in order, with `log_seq` as `patch`."""
        columns = ["log_seq AS patch" if name == "patch" else name for name in PatchRow._fields]
        first = self.rows(view, patches).orderBy("log_seq", "seq").limit(limit)
        return map(PatchRow._make, first.selectExpr(*columns).collect())

    def prepare(self, patch: DataFrame | Iterable[PatchRow]) -> DataFrame:
        """Return the rows of a patch as a DataFrame; see `Engine.prepare`.

        Rows of Python are checked, canonical and numbered as if they were read from a file.
        """
        if isinstance(patch, DataFrame):
            return patch
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "patch"
            write_patch(path, patch)
            rows = [tuple(row) for row in codec.read(path, format=FORMAT)]
        return self._spark.createDataFrame(rows, schema(FORMAT)).coalesce(1)

    def headers(self, patch: DataFrame) -> Headers:
        """Return the headers of a patch that is to be appended."""
        if not {*patch.columns} >= _HEADER_COLUMNS:
            return Headers()
        place = "seq" if "seq" in patch.columns else "0"
        found = patch.selectExpr(*(header(key, place=place) for key in Headers._fields)).first()
        assert found is not None
        return Headers(*found)

    def with_headers(self, patch: DataFrame, headers: Headers) -> DataFrame:
        """Return the rows of a patch with these headers first; see `Engine.with_headers`."""
        rows = [("H", key, value) for key, value in headers._asdict().items() if value is not None]
        first = self._spark.createDataFrame(rows, "op string, name string, value string")
        first, others = first.coalesce(1), patch
        if {*patch.columns} >= _HEADER_COLUMNS:
            others = patch.where("op <> 'H' OR name IS NULL OR name NOT IN ('id', 'prev')")
        ordinals = [name for name in ("patch", "seq") if name in patch.columns]
        least = patch.selectExpr("0", *(f"min({name}) AS {name}" for name in ordinals)).first()
        assert least is not None
        if "patch" in ordinals:
            first = first.withColumn("patch", F.lit(least["patch"]).cast("bigint"))
        if "seq" in ordinals and least["seq"] is not None:
            # The headers get the numbers before those of the other rows.
            first = first.withColumn("seq", (F.col("name") == "prev").cast("bigint"))
            others = others.withColumn("seq", F.col("seq") + (len(rows) - least["seq"]))
        return first.unionByName(others, allowMissingColumns=True)

    def given(self, state: DataFrame, known: DataFrame, skolem_base: str) -> DataFrame:
        """Return the statements of a state that is to be committed; see `FolderEngine.given`.

        Raises:
            OptionError: `state` is not a DataFrame, or there is a `skolem_base`.
        """
        if not isinstance(state, DataFrame):
            raise OptionError("a log with a session commits DataFrames: Log(path) commits rows")
        if skolem_base:
            raise OptionError("skolem_base needs a log without a session, Log(path)")
        return state

    @contextmanager
    def draft(
        self, before: DataFrame, prefixes: DataFrame, prev: str | None, wanted: Wanted
    ) -> Iterator[Draft | None]:
        """Return the patch from the last version to a state; see `Engine.draft`.

        The patch is computed once, and kept until the block ends.
        """
        old = {(row.graph, row.name): row.value for row in prefixes.collect()}
        new, id = wanted.prefixes_after(old), new_id()
        patch = difference(
            before,
            wanted.state,
            headers={"id": id, "prev": prev, **wanted.headers},
            prefixes=(prefixes, self._prefixes(new)),
            blank_nodes=wanted.blank_nodes,
            language_tags=wanted.language_tags,
        )
        patch = with_canonical_terms(patch).persist()
        try:
            found = patch.selectExpr(*_COUNTS).first()
            assert found is not None
            adds, deletes, changed, added_nodes, deleted_nodes = found
            if not (adds or deletes or changed):
                yield None
                return
            replaces = are_mostly_blank(adds + deletes, added_nodes, deleted_nodes)
            commit = Commit(id, prev, None, adds, deletes, changed, replaces)
            yield Draft(patch, commit, None, new)
        finally:
            patch.unpersist()

    def _prefixes(self, prefixes: Prefixes) -> DataFrame:
        rows = [(*key, iri) for key, iri in prefixes.items()]
        return self._spark.createDataFrame(rows, PREFIX)

    def nothing(self, position: Position) -> Base:
        """Return the empty state, before the first patch."""
        create = self._spark.createDataFrame
        return Base(position, create([], STATEMENT), create([], PREFIX))

    def _no_rows(self) -> DataFrame:
        """Return an empty DataFrame with the columns of a log's rows."""
        return self._spark.createDataFrame([], row_schema())


class TableEngine(FrameEngine):
    """The engine of a log in a table."""

    def rows(self, view: LogView, patches: Sequence[Entry]) -> DataFrame:
        """Return the rows of patches."""
        if not patches:
            return self._no_rows()
        wanted = F.col("log_seq").between(patches[0].position, patches[-1].position)
        return self._spark.table(patches[0].file).where(wanted)

    def history(
        self,
        view: LogView,
        patches: Sequence[Entry],
        statement_filter: Column | None,
        state: DataFrame | None,
        subject: str | None,
    ) -> DataFrame:
        """Return the intervals of patches; see `Engine.history`."""
        wanted = with_subject(statement_filter, subject)
        return algebra.history(self.rows(view, patches), wanted, state=state)


def with_subject(statement_filter: Column | None, subject: str | None) -> Column | None:
    """Return a condition that also selects a subject, if one is given."""
    if subject is None:
        return statement_filter
    wanted = F.col("subject") == subject
    return wanted if statement_filter is None else wanted & statement_filter


def row_schema() -> StructType:
    """Return the schema of a log's rows: the columns of the patch formats, and `log_seq`."""
    return schema(FORMAT).add("log_seq", LongType())
