"""What the processes of the benchmark do that are written in Python: tasks, one after the other.

Each line on standard input is a task, its name and arguments parted by tabs. The answer is a line
with the seconds that the work took and what it found, or with `error` and a message.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TypeAlias

Work: TypeAlias = Callable[[], int]
"""What is timed, made ready: it returns what it found."""

Task: TypeAlias = Callable[..., Work]
"""Makes work ready; its arguments are strings."""


def serve(tasks: Mapping[str, Task]) -> None:
    """Do the tasks that standard input names, until it ends.

    Args:
        tasks: the tasks by their names.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries and Spark's JVM print
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
