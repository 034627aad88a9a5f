"""Appending to a Jelly file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, BinaryIO

from jelly_spark.core.files.output_file import Writable, is_replaced
from jelly_spark.errors import OptionError
from jelly_spark.jelly.frames.frame_writer import FrameWriter
from jelly_spark.jelly.options import JellyOptions, ReadLimits
from jelly_spark.jelly.reader import JellyReader


def begin_frames(
    stream: BinaryIO, options: JellyOptions, *, follows: bool, append: bool
) -> FrameWriter:
    """Return the writer of frames for the current position of a stream.

    Args:
        stream: the stream to write to.
        options: the writer's options.
        follows: whether there is content before that position.
        append: the writer's argument.

    Raises:
        OptionError: there is content before the position, and `append` or the option `delimited`
            is false.
    """
    if follows and not append:
        raise OptionError(
            "the stream is not at its start: give append=True to write after what it holds, so "
            "that nothing refers to what is before"
        )
    if follows and not options.delimited:
        raise OptionError("what is appended needs the option delimited: set it to true")
    return FrameWriter(
        stream,
        delimited=options.delimited,
        # An index would have to list the restart points of the existing content too.
        restart_interval=0 if follows else options.restart_interval,
    )


def check_options_fit(
    file: Writable, options: JellyOptions, reader: Callable[..., JellyReader[Any, Any]]
) -> None:
    """Check that a stream with these options can be appended to a file, if the file exists.

    The content of a caller's stream is not read or checked.

    Raises:
        MalformedInputError: the file is malformed at its beginning.
        OptionError: the file has other options.
    """
    if not is_replaced(file):
        return
    known = ReadLimits()
    limits = ReadLimits(
        max(options.max_name_table_size, known.max_name_table_size),
        max(options.max_prefix_table_size, known.max_prefix_table_size),
        max(options.max_datatype_table_size, known.max_datatype_table_size),
    )
    try:
        opened = reader(file, limits=limits)
    except FileNotFoundError:
        return
    with opened:
        for _ in opened:
            break
        found = opened.options
    if found is None:
        return
    # The file does not hold these two options.
    wanted = replace(options, frame_size=found.frame_size, restart_interval=found.restart_interval)
    if wanted != found:
        raise OptionError(
            f"the options of a stream cannot change: to append to {os.fsdecode(file)}, they must "
            f"be {found}, not {wanted}"
        )
