"""Run in a process of its own: appends patches, and prints the id of each one that it appended.

    append.py LOG NAME COUNT

Whenever another process was first, it makes its patch again from the new head. With a COUNT of 0 it
goes on until it is killed.
"""

import random
import sys
import time
from itertools import count
from typing import Any

from jelly_spark.errors import LogConflictError
from jelly_spark.log import Log, Version
from tests.log.patches import patch


def append(log: Log[Any], name: str) -> Version:
    """Append a patch after whatever patch is the last one by then."""
    head = log.head()
    while True:
        prev = None if head is None else head.removeprefix("<urn:patch:").removesuffix(">")
        try:
            return log.append(patch(name, prev, add=[name]))
        except LogConflictError as error:
            assert error.winner is not None and error.prev == head
            head = error.head
            # Who was first may be so again.
            time.sleep(random.uniform(0, 0.1))


def main(path: str, name: str, number: int) -> None:
    """Append so many patches."""
    log = Log(path)
    for each in range(number) if number else count():
        print(append(log, f"{name}-{each}").id, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
