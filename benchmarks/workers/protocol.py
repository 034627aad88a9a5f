"""The protocol of the benchmark's Python processes, which run one task after the other.

Each line on standard input is a task: its name and arguments, separated by tabs. The reply is a
line with the seconds that the task took and the number that it returned, or with `error` and a
message.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from time import perf_counter
from typing import TextIO, TypeAlias

Task: TypeAlias = Generator[None, None, int]
"""A task. What it does before it yields prepares the work; what it does after that is timed. It
returns a number, such as a count."""


def serve(tasks: object) -> None:
    """Run the tasks that are requested on standard input, until it ends.

    Args:
        tasks: an object with a method for each task, whose arguments are strings.
    """
    output = replies()
    for line in sys.stdin:
        name, *arguments = line.rstrip("\n").split("\t")
        try:
            seconds, found = run(getattr(tasks, name)(*arguments))
            reply = f"{seconds}\t{found}"
        except Exception as error:
            reply = "error\t" + " ".join(f"{type(error).__name__}: {error}".split())
        print(reply, file=output)


def replies() -> TextIO:
    """Return standard output; from now on, what libraries and JVMs print goes to standard error."""
    output = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return output


def run(task: Task) -> tuple[float, int]:
    """Run a task, and return the seconds of its timed part, and its number."""
    next(task)
    begin = perf_counter()
    try:
        next(task)
    except StopIteration as end:
        return perf_counter() - begin, int(end.value)
    raise AssertionError("a task yields once")
