"""Processor times of running processes, and the cores that they may use, on Linux."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

_TASK_THREAD = "Executor task"
"""How the names of the threads begin in which Spark runs tasks. The system cuts the names off."""


def pin_to_last_core() -> None:
    """Let this process run on only one core, the last that it may use."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def pin_to_other_cores() -> None:
    """Let this process run on all cores but the last, if there are several."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores - {max(cores)} or cores)


def of_processes(pid: int) -> float:
    """Return the processor time, in seconds, of a process and of all that it started.

    Threads and processes that have ended count, the latter to a hundredth of a second.
    """
    return sum(_of_process(process) for process in _family(pid))


def of_task_threads(pid: int) -> dict[int, float]:
    """Return the processor time, in seconds, of each thread that runs tasks of Spark, by its id.

    The threads are those of a process and of all that it started.
    """
    found = {}
    for process in _family(pid):
        for thread in Path(f"/proc/{process}/task").iterdir():
            try:
                if (thread / "comm").read_text().startswith(_TASK_THREAD):
                    nanos = (thread / "schedstat").read_text().split()[0]
                    found[int(thread.name)] = int(nanos) / 1e9
            except (FileNotFoundError, ProcessLookupError):
                pass  # The thread has just ended.
    return found


def resident(pid: int) -> int:
    """Return the resident memory, in bytes, of a process and of all that it started.

    If one of them ends meanwhile, it is that of some of them.
    """
    pages = 0
    try:
        for process in _family(pid):
            pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        pass  # A process has just ended.
    return pages * os.sysconf("SC_PAGE_SIZE")


def spent(before: dict[int, float], after: dict[int, float]) -> float:
    """Return the seconds that threads spent between two results of `of_task_threads`.

    Threads that ended in between are left out. Spark ends a thread that has had no task for a
    minute, so they had none in a measure that takes less.
    """
    return sum(seconds - before.get(thread, 0) for thread, seconds in after.items())


def _of_process(pid: int) -> float:
    # After the name, which is in parentheses, the ended children are the 14th and 15th field.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ended = sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")
    # The clock that clock_getcpuclockid(3) names on Linux; Python has no function for it.
    return time.clock_gettime((~pid << 3) | 2) + ended


def _family(pid: int) -> Iterator[int]:
    """Yield a process and all that it started and that still run."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from _family(int(child))
