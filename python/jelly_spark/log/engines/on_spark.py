"""The engine of a folder of patches on Spark: rows and states are DataFrames."""

from __future__ import annotations

import posixpath
import re
import secrets
import shutil
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from urllib.parse import unquote

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from jelly_spark.algebra.canonical import canonical_patch, headers
from jelly_spark.algebra.change_rows import canonical_changes, intervals
from jelly_spark.algebra.columns import STATEMENT, patch_rows_of
from jelly_spark.algebra.headers import header
from jelly_spark.algebra.prefixes import net_prefix_changes, prefixes_after
from jelly_spark.algebra.squashing import net_changes
from jelly_spark.algebra.states import statements_after, statements_after_few
from jelly_spark.algebra.transactions import changes_of, committed
from jelly_spark.codec import JellyRdfOptions
from jelly_spark.core.files.paths import is_url
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.engines.engine import Base, FolderEngine
from jelly_spark.log.engines.frames import PREFIX, FrameEngine, with_subject
from jelly_spark.log.entries.entry import Entry, Position, file_sizes, may_have_subject
from jelly_spark.log.entries.files import OWN, Files, HashedTarget
from jelly_spark.log.entries.packs import Pack
from jelly_spark.log.entries.patch_files import (
    FORMAT,
    check_one_patch,
    check_packs,
    format_of,
    kept_message,
    plain_size,
    read_patch,
    write_patch,
)
from jelly_spark.log.entries.view import LogView
from jelly_spark.log.index.block import number_of
from jelly_spark.log.upkeep.snapshots import Prefix, Snapshot
from jelly_spark.patches.log_rows import Headers

BROADCAST_BYTES = 16 << 20
"""Patches whose files have at most this many bytes, uncompressed, are broadcast to be applied."""

_FEW_BYTES = 64 << 10
"""Up to this size, the driver reads a patch that Spark wrote, and has a filter of its subjects."""

_MOST_PATHS = 100
"""How many files Spark is given by their paths."""

_MOST_PATHS_OF_SHORT_LOG = 32
"""The same if the folder is listed quickly. Spark looks at more paths in a job of its own."""

_SHORT_LOG = 10_000
"""The most patches of a log whose folder is listed quickly."""

_FILE = "_log_file"
_PLACE = f"{_FILE} string, patch bigint, log_seq bigint"
_HEADERS = "log_seq bigint, patch bigint, patch_id string, prev string"
_GLOB = re.compile(r"[\\{}\[\]*?]")
_LOCAL = re.compile("^file:///")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:/*")


class SparkEngine(FrameEngine, FolderEngine):
    """The engine of a folder of patches with a session.

    The index summarizes each patch. So queries need not read patches for their headers, for
    prefixes that they do not change, or for the outcomes of transactions that are all committed.

    Args:
        spark: the session.
        files: the files of the folder.
    """

    def __init__(self, spark: SparkSession, files: Files) -> None:
        super().__init__(spark)
        self._files = files

    def write(self, patch: DataFrame | Iterable[PatchRow], path: Path) -> Entry:
        """Write a patch to a file, and return what it has.

        Spark writes a DataFrame to a staging folder, and the driver copies the file. Spark reads
        it again only if it is large.
        """
        if not isinstance(patch, DataFrame):
            return write_patch(path, patch)
        staging = f"{OWN}/staging-{secrets.token_hex(8)}"
        try:
            self._stage(patch, staging)
            (name,) = (
                name for name in self._files.list(staging) if format_of(posixpath.basename(name))
            )
            with self._files.open(name) as source, open(path, "wb") as file:
                target = HashedTarget(file)
                shutil.copyfileobj(source, target)
            is_few = target.size <= _FEW_BYTES
            found = read_patch(path) if is_few else self._read_staged(staging)
            return found._replace(size=target.size, sha256=target.digest())
        finally:
            self._files.remove(staging)

    def _stage(self, patch: DataFrame, folder: str) -> None:
        """Write a patch as one file in a folder."""
        rows = patch.select(*(name for name in PatchRow._fields if name in patch.columns)).coalesce(
            1
        )
        if "seq" in patch.columns:
            # With `seq`, the writer would accept an open transaction, as part of an unchanged file.
            rows = rows.sortWithinPartitions("seq").drop("seq")
        with _known_to_spark(self._path("")):
            writer = rows.write.format(FORMAT).options(maxRecordsPerFile=0, writeIntoLog=True)
            writer.save(self._path(folder))

    def _read_staged(self, folder: str) -> Entry:
        """Return what a patch in a folder has; the filter of its subjects is left out."""
        found = (
            self._read(FORMAT, folder)
            .selectExpr(
                "max(patch) > 0",
                "count_if(op = 'TX')",
                "count_if(op = 'TC' AND tx IS NOT NULL)",
                "count_if(op IN ('A', 'D'))",
                "count_if(op IN ('PA', 'PD'))",
                *map(header, (*Headers._fields, "message")),
            )
            .first()
        )
        assert found is not None
        are_several, begun, ended, statements, prefixes, id, prev, message = found
        check_one_patch(are_several)
        flags = (begun == ended, statements > 0, prefixes > 0)
        return Entry(id, prev, *flags, message=kept_message(message))

    def rows(self, view: LogView, patches: Sequence[Entry]) -> DataFrame:
        """Return the rows of patches. Spark opens only their files."""
        by_format: dict[str, list[Entry]] = {}
        packed: dict[Pack, list[Entry]] = {}
        for patch in patches:
            if patch.pack is not None:
                packed.setdefault(patch.pack, []).append(patch)
            else:
                by_format.setdefault(format_of(patch.file) or "", []).append(patch)
        check_packs(self._files, patches)
        found = [self._rows(view, format, some) for format, some in by_format.items()]
        whole = [pack for pack, some in packed.items() if len(some) == len(pack.positions)]
        if whole:
            found.append(self._rows_of_packs(*whole))
        found += (self._rows_in_pack(pack, packed[pack]) for pack in packed if pack not in whole)
        return reduce(DataFrame.unionByName, found) if found else self._no_rows()

    def _rows_of_packs(self, *packs: Pack) -> DataFrame:
        """Return the rows of all patches of packs."""
        rows = self._read(FORMAT, *(pack.file for pack in packs)).where("op != 'END'")
        # The name of a pack begins with the position of its first patch.
        first = F.substring_index("_metadata.file_name", "-", 1).cast("bigint")
        return rows.withColumn("log_seq", first + F.col("patch"))

    def _rows_in_pack(self, pack: Pack, patches: Sequence[Entry]) -> DataFrame:
        """Return the rows of some patches of one pack. Spark reads the restart ranges between."""
        first, last = patches[0].ordinal, patches[-1].ordinal
        rows = self._rows_of_packs(pack).where(F.col("patch").between(first, last))
        if len(patches) == last + 1 - first:
            return rows
        wanted = [(patch.position,) for patch in patches]
        positions = F.broadcast(self._spark.createDataFrame(wanted, "log_seq bigint"))
        return rows.join(positions, "log_seq", "left_semi").select(*rows.columns)

    def _rows(self, view: LogView, format: str, patches: Sequence[Entry]) -> DataFrame:
        names = sorted({patch.file for patch in patches})
        # Spark makes a request for each path that it is given: of many, it lists the folder.
        is_few = len(names) <= (_MOST_PATHS if len(view) > _SHORT_LOG else _MOST_PATHS_OF_SHORT_LOG)
        # The names of subfolders could look like those of partitions.
        rows = self._read(format, *(names if is_few else [""]), recursiveFileLookup=True)
        name = F.col("_metadata.file_name")
        numbers = [*map(number_of, names)]
        if view.is_managed and numbers == [patch.position for patch in patches]:
            rows = rows.withColumn("log_seq", F.substring_index(name, ".", 1).cast("bigint"))
            if not is_few:
                uris = self._uris(rows)
                self._check_listed(patches, uris)
                rows = _without_others(rows, names, uris)
            return rows.selectExpr(*PatchRow._fields, "log_seq")
        uris = self._uris(rows)
        self._check_listed(patches, uris)
        places = [(uris[patch.file], patch.patch, patch.position) for patch in patches]
        path = F.col("_metadata.file_path")
        found = F.broadcast(self._spark.createDataFrame(places, _PLACE))
        rows = rows.where(path.isin(sorted({uri for uri, _, _ in places})))
        rows = rows.withColumn(_FILE, path).join(found, [_FILE, "patch"])
        return rows.selectExpr(*PatchRow._fields, "log_seq")

    def _check_listed(self, patches: Sequence[Entry], listed: Container[str]) -> None:
        """Check that Spark has listed the files of patches."""
        for patch in patches:
            if patch.file not in listed:
                raise LogError(
                    f"Spark does not list {patch.file} in {self._path('')}: see Log.verify; if a "
                    "stream of Spark wrote the folder, remove _spark_metadata from there"
                )

    def _uris(self, rows: DataFrame) -> dict[str, str]:
        """Return the URIs of the files of a DataFrame by their paths in the log's folder."""
        folder = _path_of(self._path(""))
        return {
            # `_metadata.file_path` has one slash after the scheme.
            posixpath.relpath(_path_of(unquote(uri)), folder): _LOCAL.sub("file:/", uri)
            for uri in rows.inputFiles()
        }

    def apply(
        self, view: LogView, base: Base, patches: Sequence[Entry]
    ) -> tuple[DataFrame, DataFrame]:
        """Return the statements and prefixes after patches, which follow a base."""
        return self.state(view, base, patches), self.prefixes(view, base, patches)

    def state(self, view: LogView, base: Base, patches: Sequence[Entry]) -> DataFrame:
        """Return the statements after patches, which follow a base.

        The statements of the base are not shuffled, unless the patches may change them. Small
        patches are broadcast instead.
        """
        changes = self._changes(view, patches)
        if uncompressed_size(patches) <= BROADCAST_BYTES:
            return statements_after_few(base.state, changes)
        # Before the first patch, there is nothing that could be left out of the shuffle.
        has_state = base.position >= 0
        return statements_after(base.state, changes, assume_distinct=has_state)

    def prefixes(self, view: LogView, base: Base, patches: Sequence[Entry]) -> DataFrame:
        """Return the prefixes after patches; see `Engine.prefixes`."""
        changing = [patch for patch in patches if patch.prefixes]
        if not changing:
            found: DataFrame = base.prefixes
            return found
        return prefixes_after(base.prefixes, self._changes(view, changing))

    def squash(self, view: LogView, patches: Sequence[Entry]) -> DataFrame:
        """Return one canonical patch with the net effect of patches."""
        if not patches:
            return self._no_rows().drop("log_seq")
        changes = self._changes(view, patches)
        others = headers(changes, prev=patches[0].prev, id=patches[-1].id)
        if changing := [patch for patch in patches if patch.prefixes]:
            others.append(net_prefix_changes(self._changes(view, changing)))
        is_changing = any(patch.committed and patch.statements for patch in patches)
        return canonical_patch(net_changes(None, changes), *others, is_changing=is_changing)

    def history(
        self,
        view: LogView,
        patches: Sequence[Entry],
        statement_filter: Column | None,
        state: DataFrame | None,
        subject: str | None,
    ) -> DataFrame:
        """Return the intervals during which statements were present; see `Engine.history`.

        If all patches are committed, Spark pushes the condition on the subject to the scan, and
        patches that cannot have it are left out.
        """
        if subject is not None and all(patch.committed for patch in patches):
            patches = may_have_subject(subject, patches)
        changes, headers = self._changes(view, patches), self._headers(patches)
        return intervals(state, changes, headers, with_subject(statement_filter, subject))

    def changes(
        self, view: LogView, patches: Sequence[Entry], state: DataFrame | None
    ) -> DataFrame:
        """Return what patches change; see `Engine.changes`."""
        if state is not None:
            found: DataFrame = super().changes(view, patches, state)
            return found
        return canonical_changes(patch_rows_of(self.rows(view, patches)), self._headers(patches))

    def _headers(self, patches: Sequence[Entry]) -> DataFrame:
        """Return the headers of patches, from the index."""
        names = [(patch.position, patch.ordinal, patch.id, patch.prev) for patch in patches]
        return self._spark.createDataFrame(names, _HEADERS)

    def _changes(self, view: LogView, patches: Sequence[Entry]) -> DataFrame:
        """Return the effective changes of patches."""
        rows = patch_rows_of(self.rows(view, patches))
        if all(patch.committed for patch in patches):
            return changes_of(rows)
        return committed(rows, "error")

    def first_state(self, view: LogView, first: Entry) -> Base:
        """Return the state after a first patch; see `FolderEngine.first_state`."""
        state = self._changes(view, [first]).where("op = 'A'").select(*STATEMENT)
        prefixes = self.prefixes(view, self.nothing(view.start), [first])
        return Base(first.position, state, prefixes)

    def read_snapshot(self, snapshot: Snapshot, *, has_state: bool) -> Base:
        """Return the state of a snapshot; see `FolderEngine.read_snapshot`."""
        prefixes = self._spark.createDataFrame(snapshot.prefixes, PREFIX)
        state = None
        if has_state:
            state = self._read(JellyRdfOptions.format, snapshot.folder).select(*STATEMENT)
        return Base(Position(snapshot.log_seq), state, prefixes)

    def write_state(
        self, folder: str, state: DataFrame, prefixes: DataFrame
    ) -> tuple[list[Prefix], dict[str, str]]:
        """Write a state to a folder, for a snapshot; see `FolderEngine.write_state`."""
        # Sorted rows are smaller, because Jelly omits terms that repeat those of the row before.
        # Each graph and subject is in one file.
        ordered = state.repartition("graph", "subject").sortWithinPartitions(
            "graph", "subject", "predicate", "object"
        )
        writer = ordered.write.format(JellyRdfOptions.format)
        writer.options(compression="gzip", writeIntoLog=True).save(self._path(folder))
        return [(row.graph, row.name, row.value) for row in prefixes.collect()], {}

    def _read(self, format: str, *names: str, **options: bool) -> DataFrame:
        # Spark treats the paths as glob patterns.
        paths = [_GLOB.sub(r"\\\g<0>", self._path(name)) for name in names]
        with _known_to_spark(self._path("")):
            return self._spark.read.format(format).options(**options).load(paths)

    def _path(self, folder: str) -> str:
        """Return the path of a folder for Spark, with a scheme: its default may not be `file`."""
        path = self._files.path(folder).rstrip("/")
        return path if is_url(path) else f"file://{path}"


def uncompressed_size(patches: Iterable[Entry]) -> int:
    """Return the approximate uncompressed size of the files of some patches, in bytes."""
    return sum(plain_size(name, size) for name, size in file_sizes(patches).items())


@contextmanager
def _known_to_spark(url: str) -> Iterator[None]:
    """Explain the error for a URL whose scheme fsspec knows, but Hadoop does not."""
    try:
        yield
    except Exception as error:
        # PySpark has no class for this error.
        if "No FileSystem for scheme" not in str(error):
            raise
        raise OptionError(
            f"Spark has no file system for {url}: open the log by a URL that both Spark and fsspec "
            "know, such as s3a://…"
        ) from error


def _without_others(rows: DataFrame, names: list[str], uris: Mapping[str, str]) -> DataFrame:
    """Return the rows of some patches in the folder of a managed log.

    Spark tests each row, so it only tests what the listed files make necessary.

    Args:
        rows: the rows of all files in the folder.
        names: the names of the patches' files, in order.
        uris: the URIs of all files by their paths in the folder.
    """
    others = uris.keys() - names
    beside = [other for other in others if "/" not in other]
    if len(beside) < len(others):
        # All names have the same length, so the paths of files in subfolders are longer.
        rows = rows.where(F.length("_metadata.file_path") == len(uris[names[0]]))
    if beside:
        rows = rows.where(F.col("_metadata.file_name").between(names[0], names[-1]))
    if any(names[0] < other < names[-1] for other in beside):
        # As a text, because each name would be a call of the JVM.
        rows = rows.where(f"_metadata.file_name IN ({str(names)[1:-1]})")
    return rows


def _path_of(url: str) -> str:
    """Return the path in a URL, with the bucket if there is one."""
    return posixpath.normpath(_SCHEME.sub("/", url))
