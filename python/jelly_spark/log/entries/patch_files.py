"""Patch files: summarizing, reading and writing their patches."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jelly_spark import codec
from jelly_spark.core.files.compression import Source, compression_of
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.transactions import TransactionState
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.entries.entry import LONGEST_MESSAGE, Entry
from jelly_spark.log.entries.files import Files, HashedStream, HashedTarget
from jelly_spark.log.entries.packs import is_pack
from jelly_spark.log.entries.subject_filters import MOST_SUBJECTS, subject_filter
from jelly_spark.patches.log_rows import Headers

FORMAT = codec.JellyPatchOptions.format
"""The format in which patches are appended."""

COMPRESSION_RATIO = 4
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


def scan(files: Files, name: str) -> list[Entry]:
    """Read a patch file or a pack, and return what its patches have, in order.

    Sizes, times and positions are not known.

    Raises:
        MalformedInputError: the file is malformed.
    """
    with files.open(name) as file:
        stream = HashedStream(file, files.path(name))
        compression = compression_of(name)
        source = stream if compression is None else compression.decompress(stream)
        found = _entries_of(read_rows(source, name))
        digest = stream.digest()
    return [
        entry._replace(sha256=digest, file=name, patch=patch) for patch, entry in enumerate(found)
    ]


def _entries_of(rows: Iterable[PatchRow]) -> list[Entry]:
    """Return what the patches of a file have, in order, given its rows."""
    found: list[Entry] = []
    reading: _Reading | None = None
    for row in rows:
        reading = reading or _Reading()
        assert row.patch is not None
        while row.patch > len(found):
            found.append(reading.entry())
            reading = _Reading()
        reading.add(row)
    if reading is not None:
        found.append(reading.entry())
    return found


class _Reading:
    """Computes what a patch has while its rows are read."""

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

    def entry(self) -> Entry:
        """Return what the patch has, after all rows have been added."""
        is_committed = not self._is_left and self._transaction.begin is None
        return Entry(
            *(*self._headers, is_committed, self._has_statements, self._has_prefixes),
            subjects=subject_filter(self._subjects),
            message=kept_message(self._message),
        )


def write_patch(path: Path, rows: Iterable[PatchRow]) -> Entry:
    """Write a patch to a new file, and return what it has.

    Raises:
        LogError: the rows belong to more than one patch.
        UnwritableRowError: a row cannot be written, or a transaction is not closed.
    """
    reading = _Reading()
    with open(path, "wb") as file:
        target = HashedTarget(file)
        codec.write(target, _of_one_patch(rows, reading), format=FORMAT)
    found = reading.entry()
    id, prev = canonical_headers(Headers(found.id, found.prev))
    return found._replace(id=id, prev=prev, size=target.size, sha256=target.digest())


def read_patch(path: Path) -> Entry:
    """Read a local file with a patch in the format `FORMAT`, and return what it has.

    Raises:
        LogError: the file has more than one patch.
    """
    rows: Iterator[Any] = codec.read(path, format=FORMAT)
    found = _entries_of(rows)
    check_one_patch(len(found) > 1)
    return found[0] if found else _Reading().entry()


def canonical_headers(headers: Headers) -> Headers:
    """Return headers with canonical terms."""
    return Headers(*map(_canonical, headers))


def _of_one_patch(rows: Iterable[PatchRow], reading: _Reading) -> Iterator[PatchRow]:
    """Yield the rows, check that they belong to one patch, and add them to what it has."""
    last: PatchRow | None = None
    for row in rows:
        # Yield first: the writer checks that this is a row before its attributes are used here.
        # With its `seq`, it would accept an open transaction, as part of an unchanged file.
        has_seq = isinstance(row, PatchRow) and row.seq is not None
        yield row._replace(seq=None) if has_seq else row
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


def check_packs(files: Files, patches: Iterable[Entry]) -> None:
    """Check the sizes of the packs of some patches, because readers skip parts of them.

    Raises:
        LogError: one has another size.
    """
    for pack in {patch.pack for patch in patches if patch.pack is not None}:
        if files.has(pack.file):
            size = files.info(pack.file).size
            if size != pack.size:
                raise LogError(
                    f"{files.path(pack.file)} has {size} bytes, and had {pack.size}: see Log.verify"
                )


def kept_message(term: str | None) -> str | None:
    """Return the header `message` as the index keeps it: canonical; None if it is too long."""
    message = _canonical(term)
    return message if message is None or len(message) <= LONGEST_MESSAGE else None


def _canonical(term: str | None) -> str | None:
    return None if term is None else format_term(parse_term(term))


def plain_size(name: str, size: int) -> int:
    """Return the approximate uncompressed size of a file, given its size, both in bytes."""
    return size if compression_of(name) is None else COMPRESSION_RATIO * size


def open_patches(
    files: Files, patches: Sequence[Entry], where: Mapping[str, object] | None = None
) -> RowReader[Any]:
    """Open the file of patches that one pass over it can read, see `passes`.

    In a pack, reading begins near the first of them.

    Args:
        files: the files of the log.
        patches: the patches.
        where: a condition on the rows of a pack, see `JellyReader`.

    Raises:
        OSError: the file cannot be opened.
    """
    name = patches[0].source
    options: dict[str, object] = {}
    if is_pack(name) and (where or patches[0].ordinal > 0):
        wanted = range(patches[0].ordinal, patches[-1].ordinal + 1)
        options["where"] = {**(where or {}), "patch": wanted}
    return codec.open_reader(files.path(name), format=format_of(name), **options)


def passes(patches: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield the patches that one pass over a file can read, in their order."""
    found: list[Entry] = []
    for patch in patches:
        if found and (patch.source != found[-1].source or patch.ordinal <= found[-1].ordinal):
            yield found
            found = []
        found.append(patch)
    if found:
        yield found


def rows_of(
    reader: Iterable[Any],
    patches: Sequence[Entry],
    numbering: RowNumbering,
    *,
    is_whole: bool = True,
) -> Iterator[PatchRow]:
    """Yield the rows of patches, numbered as those of one file, but with `log_seq` as `patch`.

    A pack ends each patch with an `END` row, which is left out.

    Args:
        reader: reads the rows of the file.
        patches: the patches in the file, in order.
        numbering: numbers the rows.
        is_whole: whether the reader reads all rows of the patches.

    Raises:
        LogError: the file lacks a patch.
    """
    positions = {patch.ordinal: patch.position for patch in patches}
    last, before, count = patches[-1].ordinal, -1, 0
    in_pack = is_pack(patches[0].source)
    for row in reader:
        if row.patch > last:
            break
        if row.patch not in positions:
            continue
        if row.patch != before:
            before, count = row.patch, count + 1
            # A transaction left open at the end of a patch does not continue in the next.
            numbering.end_transaction()
        if not (in_pack and row.op == "END"):
            _, tx, seq = numbering.number(row.op)
            yield row._replace(patch=positions[before], tx=tx, seq=seq)
    if is_whole and count != len(patches):
        raise lacking(patches[0].source)


def lacking(name: str) -> LogError:
    """Return the error for a file that lacks a patch of the log."""
    return LogError(f"{name} lacks patches of the log: see Log.verify")
