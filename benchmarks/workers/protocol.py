"""The protocol of the benchmark's Python processes, which run one task after the other.

Each line on standard input is a task: its name and arguments, separated by tabs. The reply is a
line with the seconds that the task took and the number that it returned, or with `error` and a
message.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TypeAlias

Work: TypeAlias = Callable[[], int]
"""The timed part of a task. It returns a number, such as a count."""

Task: TypeAlias = Callable[..., Work]
"""A task: a function of strings that prepares the work, untimed, and returns it."""


def serve(tasks: Mapping[str, Task]) -> None:
    """Run the tasks that are requested on standard input, until it ends.

    Args:
        tasks: the tasks, by name.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # send what libraries and Spark's JVM print to standard error
    for line in sys.stdin:
        name, *arguments = line.rstrip("\n").split("\t")
        print(_answer(tasks[name], arguments), file=answers)


def _answer(task: Task, arguments: list[str]) -> str:
    try:
        work = task(*arguments)
        start = perf_counter()
        found = work()
        return f"{perf_counter() - start}\t{found}"
    except Exception as error:
        return "error\t" + " ".join(f"{type(error).__name__}: {error}".split())
