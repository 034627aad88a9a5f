"""Writing after what a Jelly file holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jelly_spark.core.files import Writable, is_replaced
from jelly_spark.errors import OptionError
from jelly_spark.jelly.options import JellyOptions, ReadLimits
from jelly_spark.jelly.reader import JellyReader


def check_start(*, follows: bool, append: bool, delimited: bool) -> None:
    """Check that a writer may begin where its file or stream stands.

    Args:
        follows: whether something is before that.
        append: the writer's argument.
        delimited: the writer's option.

    Raises:
        OptionError: it may not.
    """
    if not follows:
        return
    if not append:
        raise OptionError(
            "the stream is not at its start: give append=True to write after what it holds, so "
            "that nothing refers to what is before"
        )
    if not delimited:
        raise OptionError("what is appended needs the option delimited: set it to true")


def check_options_fit(
    file: Writable, options: JellyOptions, reader: Callable[..., JellyReader[Any, Any]]
) -> None:
    """Check that a stream with these options can continue the one in a file, if there is one.

    What stands before in a stream of the caller is not read.

    Raises:
        MalformedInputError: the file is malformed at its beginning.
        OptionError: the options of the file are others, or its frames have no lengths.
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
    # These two are not in the file.
    wanted = replace(options, frame_size=found.frame_size, restart_interval=found.restart_interval)
    if wanted != found:
        raise OptionError(
            f"the options of a stream cannot change: to append to {os.fsdecode(file)}, they must "
            f"be {found}, not {wanted}"
        )
