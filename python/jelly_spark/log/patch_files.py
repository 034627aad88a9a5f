"""Patch files: summarizing, reading and writing their patches."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jelly_spark import codec
from jelly_spark.core.files.compression import Source, compression_of
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.transactions import TransactionState
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.chain import LONGEST_MESSAGE, Summary, Version
from jelly_spark.log.files import Files, HashedStream
from jelly_spark.log.packs import is_pack
from jelly_spark.log.subject_filters import MOST_SUBJECTS, subject_filter
from jelly_spark.patches.log_rows import Headers

FORMAT: Final = "jelly_patch"
"""The format in which patches are appended."""

_COMPRESSION = 4
"""The assumed compression ratio of a compressed file."""


def format_of(name: str) -> str | None:
    """Return the format of a patch file or a pack, given its name; None for any other file."""
    if is_pack(name):
        name = posixpath.basename(name)
    if name.startswith((".", "_")):
        return None
    try:
        found = codec.source_format_of(name, None)
    except OptionError:
        return None
    return found.name if found.row is PatchRow else None


def read_rows(stream: Source, name: str) -> Iterator[PatchRow]:
    """Return the rows of a patch file or a pack with this name, from a stream of its content."""
    rows: Iterator[Any] = codec.read(stream, format=format_of(name))
    return rows


def scan(files: Files, name: str) -> tuple[str, tuple[Summary, ...]]:
    """Read a patch file, and return its SHA-256 in hex and the summaries of its patches, in order.

    Raises:
        MalformedInputError: the file is malformed.
    """
    with files.open(name) as file:
        stream = HashedStream(file, files.path(name))
        compression = compression_of(name)
        source = stream if compression is None else compression.decompress(stream)
        found: list[Summary] = []
        reading: _Reading | None = None
        for row in read_rows(source, name):
            reading = reading or _Reading()
            assert row.patch is not None
            while row.patch > len(found):
                found.append(reading.summary())
                reading = _Reading()
            reading.add(row)
        if reading is not None:
            found.append(reading.summary())
        return stream.digest(), tuple(found)


class _Reading:
    """Computes the summary of a patch while its rows are read."""

    def __init__(self) -> None:
        self._headers = Headers()
        self._message: str | None = None
        self._transaction = TransactionState[PatchRow]()
        self._is_left = self._has_statements = self._has_prefixes = False
        # All subjects, or more than a filter may have.
        self._subjects = set[Any]()

    def add(self, row: PatchRow) -> None:
        """Add the next row."""
        op = row.op
        if op in ("A", "D"):
            self._has_statements = True
            if len(self._subjects) <= MOST_SUBJECTS:
                self._subjects.add(row.subject)
        elif op in ("PA", "PD"):
            self._has_prefixes = True
        elif op == "H":
            self._headers = self._headers.after(row)
            if row.name == "message":
                self._message = row.value
        else:
            # TX, TC, TA or END. Anything but a TC leaves an open transaction uncommitted.
            self._is_left |= self._transaction.begin is not None and op != "TC"
            self._transaction.move(op, row)

    def summary(self) -> Summary:
        """Return the summary, after all rows have been added."""
        is_committed = not self._is_left and self._transaction.begin is None
        return Summary(
            *(self._headers, is_committed, self._has_statements, self._has_prefixes),
            subjects=subject_filter(self._subjects),
            message=kept_message(self._message),
        )


def write_patch(path: Path, rows: Iterable[PatchRow]) -> Summary:
    """Write a patch to a new file, and return its summary.

    Raises:
        LogError: the rows belong to more than one patch.
        UnwritableRowError: a row cannot be written, or a transaction is not closed.
    """
    reading = _Reading()
    with open(path, "wb") as file:
        codec.write(file, _of_one_patch(rows, reading), format=FORMAT)
    found = reading.summary()
    return found._replace(headers=canonical_headers(found.headers))


def subjects_in(path: Path) -> bytes | None:
    """Return the filter of the subjects of the patch in a local file, see `subject_filters`."""
    reading = _Reading()
    for row in codec.read(path, format=FORMAT):
        reading.add(row)
    return reading.summary().subjects


def canonical_headers(headers: Headers) -> Headers:
    """Return headers with canonical terms."""
    return Headers(*map(_canonical, headers))


def _of_one_patch(rows: Iterable[PatchRow], reading: _Reading) -> Iterator[PatchRow]:
    """Yield the rows, check that they belong to one patch, and add them to its summary."""
    last: PatchRow | None = None
    for row in rows:
        # Yield first: the writer checks that this is a row before its attributes are used here.
        # With its `seq`, it would accept an open transaction, as part of an unchanged file.
        yield row._replace(seq=None) if isinstance(row, PatchRow) else row
        check_one_patch(last is not None and _is_of_another_patch(row, last))
        last = row
        reading.add(row)


def _is_of_another_patch(row: PatchRow, before: PatchRow) -> bool:
    begins_file = row.seq is not None and before.seq is not None and row.seq <= before.seq
    return before.op == "END" or row.patch != before.patch or begins_file


def check_one_patch(are_several: bool | None) -> None:
    """Raise a `LogError` if rows belong to more than one patch; None if there are no rows."""
    if are_several:
        raise LogError("only one patch can be appended at a time: split them, or squash them")


def kept_message(term: str | None) -> str | None:
    """Return the header `message` as the index keeps it: canonical; None if it is too long."""
    message = _canonical(term)
    return message if message is None or len(message) <= LONGEST_MESSAGE else None


def _canonical(term: str | None) -> str | None:
    return None if term is None else format_term(parse_term(term))


def plain_size(name: str, size: int) -> int:
    """Return the approximate uncompressed size of a file, given its size, both in bytes."""
    return size if compression_of(name) is None else _COMPRESSION * size


def open_patches(
    files: Files, versions: Sequence[Version], where: Mapping[str, object] | None = None
) -> RowReader[Any]:
    """Open the file of patches that one pass over it can read, see `passes`.

    In a pack, reading begins near the first of them.

    Args:
        files: the files of the log.
        versions: the patches.
        where: a condition on the rows of a pack, see `JellyReader`.

    Raises:
        OSError: the file cannot be opened.
    """
    name = versions[0].file
    options: dict[str, object] = {}
    if is_pack(name) and (where or versions[0].patch > 0):
        wanted = range(versions[0].patch, versions[-1].patch + 1)
        options["where"] = {**(where or {}), "patch": wanted}
    return codec.open_reader(files.path(name), format=format_of(name), **options)


def passes(versions: Iterable[Version]) -> Iterator[list[Version]]:
    """Yield the patches that one pass over a file can read, in their order."""
    found: list[Version] = []
    for version in versions:
        if found and (version.file != found[-1].file or version.patch <= found[-1].patch):
            yield found
            found = []
        found.append(version)
    if found:
        yield found


def rows_of(
    reader: Iterable[Any],
    versions: Sequence[Version],
    numbering: RowNumbering,
    *,
    is_whole: bool = True,
) -> Iterator[PatchRow]:
    """Yield the rows of patches, numbered as those of one file, but with `log_seq` as `patch`.

    A pack ends each patch with an `END` row, which is left out.

    Args:
        reader: reads the rows of the file.
        versions: the patches in the file, in order.
        numbering: numbers the rows.
        is_whole: whether the reader reads all rows of the patches.

    Raises:
        LogError: the file lacks a patch.
    """
    log_seqs = {version.patch: version.log_seq for version in versions}
    last, before, count = versions[-1].patch, -1, 0
    in_pack = is_pack(versions[0].file)
    for row in reader:
        if row.patch > last:
            break
        if row.patch not in log_seqs:
            continue
        if row.patch != before:
            before, count = row.patch, count + 1
            # A transaction left open at the end of a patch does not continue in the next.
            numbering.end_transaction()
        if not (in_pack and row.op == "END"):
            _, tx, seq = numbering.number(row.op)
            yield row._replace(patch=log_seqs[before], tx=tx, seq=seq)
    if is_whole and count != len(versions):
        raise LogError(f"{versions[0].file} lacks patches of the log: see Log.verify")
