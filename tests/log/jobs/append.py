"""Run in a process of its own: appends patches, and prints the id of each one that it appended.

    append.py LOG NAME COUNT [PAUSE]

Whenever another process was first, it makes its patch again from the new head. With a COUNT of 0 it
goes on until it is killed. It waits before each patch, for PAUSE seconds at most.
"""

import random
import sys
import time
from collections.abc import Iterable
from itertools import count
from typing import Any

from jelly_spark.codec import PatchRow
from jelly_spark.errors import LogConflictError
from jelly_spark.log import Log, Version
from tests.log.patches import id_of, patch


def append(log: Log[Any], name: str, delete: Iterable[object] = ()) -> Version:
    """Append a patch after whatever patch is the last one by then.

    It adds the statement with its name, and may delete others.
    """
    head = log.head()
    while True:
        headers = [PatchRow("H", name="id", value=id_of(name))]
        headers += [] if head is None else [PatchRow("H", name="prev", value=head)]
        try:
            return log.append([*headers, *patch(name, add=[name], delete=delete)[1:]])
        except LogConflictError as error:
            assert error.winner is not None and error.prev == head
            head = error.head
            # Who was first may be so again.
            time.sleep(random.uniform(0, 0.1))


def main(path: str, name: str, number: int, pause: float) -> None:
    """Append so many patches."""
    log = Log(path)
    for each in range(number) if number else count():
        time.sleep(random.uniform(0, pause))
        print(append(log, f"{name}-{each}").id, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(*sys.argv[4:]))
