"""Writing Jelly-Patch files."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from jelly_spark.codec.encoder import PatchEncoder
from jelly_spark.codec.frames import FrameWriter
from jelly_spark.codec.options import PatchOptions, StreamType
from jelly_spark.codec.rows import PatchRow, describe_row
from jelly_spark.codec.transactions import TransactionGuard
from jelly_spark.errors import InvalidTermError, UnwritableRowError


class PatchWriter:
    """Writes rows to a Jelly-Patch file, in their order; a context manager.

    Where `patch` changes between two rows, the patch is closed, unless an `END` row just did; the
    end of the input closes no patch. A transaction must be closed in its patch; only rows that
    follow each other in `seq`, as a reader gave them, may be otherwise. `tx` is ignored.

    A file given as a path appears, complete, when the writer is closed; after an error it is left
    as it was. A stream is left open, and nothing more is written to it after an error.

    Args:
        file: path, or buffered stream of bytes.
        options: how to write.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        options: PatchOptions = PatchOptions(),
    ) -> None:
        self._output = _Output(file)
        self._frames = FrameWriter(self._output.stream, options.delimited)
        self._encoder = PatchEncoder(options)
        self._transactions = TransactionGuard()
        self._punctuated = options.stream_type is StreamType.PUNCTUATED
        # A FRAME stream's frames end where its patches do; undelimited output is one frame.
        self._frame_size = options.frame_size
        self._split = options.delimited and options.stream_type is not StreamType.FRAME
        # Of the row before; there is nothing to close before the first one.
        self._patch: int | None = None
        self._ended = True
        self._done = False

    def write(self, row: PatchRow) -> None:
        """Write a row.

        Raises:
            UnwritableRowError: the row is not valid, breaks a rule of the format, or does not fit
                the options. Then the writer takes no more rows.
            ValueError: the writer is closed, or had an error before.
        """
        if self._done:
            raise ValueError("the writer is closed, or failed before")
        try:
            self._write(row)
        except (InvalidTermError, UnwritableRowError) as error:
            self._discard()
            raise UnwritableRowError(str(error), describe_row(row)) from None
        except BaseException:
            self._discard()
            raise

    def _write(self, row: PatchRow) -> None:
        if row.patch != self._patch and not self._ended:
            self._transactions.check_patch_end(row.seq)
            self._put(PatchRow("END"))
        self._transactions.check(row.op, row.seq)
        self._put(row)
        self._patch = row.patch
        self._ended = row.op == "END"

    def _put(self, row: PatchRow) -> None:
        frames = self._frames
        if row.op == "END" and not self._punctuated:
            frames.end()
            return
        frames.add(self._encoder.encode(row))
        if self._split and frames.rows >= self._frame_size:
            frames.end()

    def close(self) -> None:
        """Write what is left, and put the file in its place. After an error it only cleans up.

        Raises:
            UnwritableRowError: a transaction is not closed.
        """
        if self._done:
            return
        try:
            self._transactions.check_end()
            if self._frames.rows:
                self._frames.end()
        except BaseException:
            self._discard()
            raise
        self._done = True
        self._output.keep()

    def _discard(self) -> None:
        self._done = True
        self._output.discard()

    def __enter__(self) -> PatchWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        elif not self._done:
            self._discard()


class _Output:
    """Where a writer writes to: the caller's stream, or a file that takes its name at the end.

    What is no file (a pipe, a device) stays what it is, and is written to.
    """

    def __init__(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        self._temporary: Path | None = None
        self._owned = isinstance(file, (str, os.PathLike))
        if isinstance(file, (str, os.PathLike)):
            self._path = Path(os.path.realpath(file))
            opened = self._path
            if self._path.is_file() or not self._path.exists():
                opened = self._temporary = self._path.with_name(f".{secrets.token_hex(8)}.part")
            self.stream: BinaryIO = open(opened, "xb" if self._temporary else "wb")  # noqa: SIM115
        else:
            self.stream = file

    def keep(self) -> None:
        if self._owned:
            try:
                self.stream.close()
                if self._temporary is not None:
                    os.replace(self._temporary, self._path)
            except BaseException:
                self._remove()
                raise

    def discard(self) -> None:
        if self._owned:
            try:
                self.stream.close()
            finally:
                self._remove()

    def _remove(self) -> None:
        if self._temporary is not None:
            self._temporary.unlink(missing_ok=True)
