"""The base class of the writers of Jelly files: the frames of a new file, and appending to one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from jelly_spark.core.files.output_file import Writable, is_replaced
from jelly_spark.core.writer import R, RowWriter
from jelly_spark.errors import OptionError
from jelly_spark.jelly.frames.frame_writer import FrameWriter
from jelly_spark.jelly.frames.term_filters import FilterBuilder
from jelly_spark.jelly.options import (
    OPTIONS_OUTSIDE_FILES,
    JellyOptions,
    ReadLimits,
    index_columns,
)
from jelly_spark.jelly.reader import JellyReader


class JellyWriter(RowWriter[R]):
    """Writes rows to a Jelly file; see `RowWriter` and the classes of the formats."""

    reader: ClassVar[Callable[..., JellyReader[Any, Any]]]
    """The reader of the format."""

    # Whether frames have no meaning, so that they end when they are long enough.
    _split: bool
    # Returns the rows to add at the end of a range of frames that can be read on its own.
    _last_rows: Callable[[], list[bytes]] = list

    def __init__(self, file: Writable, options: JellyOptions, *, append: bool) -> None:
        super().__init__(file, options, append=append)
        if self._follows and not append:
            self._discard()
            raise OptionError(
                "the stream is not at its start: give append=True to write after what it holds, "
                "so that nothing refers to what is before"
            )
        if self._follows and not options.delimited:
            self._discard()
            raise OptionError("what is appended needs the option delimited: set it to true")
        # An index would have to list the restart points of the existing content too.
        interval = 0 if self._follows or not options.delimited else options.restart_interval
        columns = index_columns(options)
        # Collects the terms of the rows for the index, if it gets filters.
        self._filters = (
            FilterBuilder(columns, options.index_filter_bits) if interval and columns else None
        )
        self._frames = FrameWriter(
            self._stream,
            delimited=options.delimited,
            restart_interval=interval,
            filters=self._filters,
        )

    def _pass_on(self) -> None:
        if self._split and self._frames.rows:
            self._frames.end(last_rows=self._last_rows)
        self._frames.flush()

    def _finish(self) -> None:
        super()._finish()
        self._frames.add(self._last_rows())
        if self._frames.rows:
            self._frames.end()
        self._frames.finish()

    def _check_old(self, file: Writable, options: Any) -> None:
        # The content of a caller's stream is not read or checked.
        if not is_replaced(file):
            return
        known = ReadLimits()
        limits = ReadLimits(
            max(options.max_name_table_size, known.max_name_table_size),
            max(options.max_prefix_table_size, known.max_prefix_table_size),
            max(options.max_datatype_table_size, known.max_datatype_table_size),
        )
        try:
            opened = self.reader(file, limits=limits)
        except FileNotFoundError:
            return
        with opened:
            next(opened, None)
            found = opened.options
        if found is None:
            return
        wanted = replace(options, **{name: getattr(found, name) for name in OPTIONS_OUTSIDE_FILES})
        if wanted != found:
            raise OptionError(
                f"the options of a stream cannot change: to append to {os.fsdecode(file)}, they "
                f"must be {found}, not {wanted}"
            )
