"""Run in a process of its own: appends, or snapshots, are killed at each operation on a file.

    crash.py LOG append|compact

The first one is killed before its first operation, the second before its second, and so on, until
one is not killed. Prints for each, as JSON, whether its patch is in the log, or a snapshot of the
last patch is. After each one, a patch is appended.
"""

import json
import os
import signal
import sys
from itertools import count
from typing import Any

from jelly_spark.log import Log
from jelly_spark.log.chains.folder import ManagedFolder, ScannedFolder
from jelly_spark.log.engines.in_python import PythonEngine
from jelly_spark.log.entries.files import Files
from tests.log.jobs.append import append
from tests.log.patches import id_of

EVENTS = ("open", "os.", "shutil.")
"""The beginnings of the names of Python's audit events of what is done with files."""


def killed(path: str, name: str, at: int) -> bool:
    """Work in a process of its own, which is killed at an operation; return whether it was.

    Args:
        path: of the log.
        name: of the patch to append, or "" to compact the log.
        at: before which operation it is killed.
    """
    child = os.fork()
    if child == 0:
        left = at

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            if event.startswith(EVENTS) and any(path in str(value) for value in arguments):
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        if name:
            append(Log(path), name)
        else:
            Log(path).compact()
        os._exit(0)
    return os.waitpid(child, 0)[1] == signal.SIGKILL


def main(path: str, work: str) -> None:
    """Kill at all places, one after the other."""
    append(Log(path), "first")
    found = []
    for at in count():
        name = f"killed-{at}" if work == "append" else ""
        last = Log(path).head()
        was_killed = killed(path, name, at)
        files = Files(path)
        folder = ScannedFolder(files, PythonEngine(files)).now()
        view = folder.view()
        assert len(Log(path).state_at()) == len(view)
        if name:
            found.append(id_of(name) in {entry.id for entry in view.all()})
        else:
            assert isinstance(folder, ManagedFolder)
            there = next(folder.snapshots(view.last), None)
            found.append(there is not None and there.id == last)
        # So that the next snapshot takes as many operations: it reads one patch.
        Log(path).compact()
        append(Log(path), f"after-{at}")
        if not was_killed:
            break
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
