"""Run in a process of its own: deletes statements that others added, each once, until it is killed.

    undo.py LOG PAUSE

The patch that deletes the statement NAME adds the statement `gone-NAME`, which is also the name of
the patch. It waits before each patch, for PAUSE seconds at most.
"""

import random
import sys
import time

from jelly_spark.log import Log
from tests.log.jobs.append import append
from tests.log.patches import id_of

GONE = "gone-"

RECENT = 10
"""From how many patches at the end of the log a statement is chosen."""


def main(path: str, pause: float) -> None:
    """Delete statements."""
    log = Log(path)
    while True:
        time.sleep(random.uniform(0, pause))
        versions = log.versions()
        after = versions[-RECENT].prev if len(versions) >= RECENT else None
        rows = log.read(after) if versions else []
        state = {row.object for row in log.state_at()}
        new = [row.object for row in rows if row.op == "A" and row.object in state]
        names = [name for object in new if not (name := str(object).strip('"')).startswith(GONE)]
        if names:
            name = random.choice(names)
            append(log, GONE + name, delete=[name])
            print(id_of(GONE + name), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
