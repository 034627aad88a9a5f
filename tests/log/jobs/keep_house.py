"""Run in a process of its own: one kind of work on a log, again and again, until it is killed.

    keep_house.py LOG optimize|expire|vacuum|compact|read [PAUSE KEPT RETENTION]

It waits after each time, for PAUSE seconds at most. Patches stay for KEPT seconds, and files that
are not needed any more for RETENTION seconds. A reader compares states with the patches, of which
each adds one statement, and those of `append.py` one with their own name. Those of `undo.py` also
delete one. Each prints a line for whatever it finished: the position of the first patch, or
`expired` if that is what a reader was told.
"""

import random
import re
import sys
import time
from datetime import datetime, timedelta, timezone

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogError
from jelly_spark.log import Log
from tests.log.jobs.undo import GONE
from tests.log.patches import id_of

KEPT = 60
"""How many patches stay, at least."""

IDS_OF_SPARK = re.compile("<urn:uuid:.*>")
"""The ids of patches of statements of SQL and of streams."""


def read(log: Log[PatchRow]) -> str:
    """Read the state of a version, and compare it with the ids of the log."""
    versions = log.versions()
    if not versions:
        return "empty"
    at = random.choice(versions)
    try:
        found = {statement.object.strip('"') for statement in log.state_at(at.log_seq)}
        rows = [row.object for row in log.read(at.prev, at.log_seq) if row.op == "A"]
    except LogError as error:
        if "expired" not in str(error):
            raise
        return "expired"
    gone = {name.removeprefix(GONE) for name in found if name.startswith(GONE)}
    assert len(found) + len(gone) == at.log_seq + 1 and not found & gone, (len(found), at)
    (name,) = (str(row).strip('"') for row in rows)
    assert name in found and at.id in (id_of(name), *IDS_OF_SPARK.findall(at.id)), (at, rows)
    return str(versions[0].log_seq)


def expire(log: Log[PatchRow], kept: timedelta) -> None:
    """Let patches expire that are neither among the last ones nor new."""
    until = datetime.now(timezone.utc) - kept
    versions = log.versions()[:-KEPT]
    old = [version.log_seq for version in versions if version.time and version.time <= until]
    log.expire(max(old, default=0))


def main(path: str, work: str, pause: float = 0.3, kept: float = 0, retention: float = 2) -> None:
    """Work until killed."""
    while True:
        log = Log(path)
        if work == "read":
            print(read(log), flush=True)
        elif log.head() is not None:
            if work == "optimize":
                log.optimize(target_size=random.choice([2_000, 20_000]))
            elif work == "compact":
                log.compact(-1)
            elif work == "expire":
                expire(log, timedelta(seconds=kept))
            else:
                log.vacuum(timedelta(seconds=retention))
            print(log.versions()[0].log_seq, flush=True)
        time.sleep(random.uniform(0, pause))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(float, sys.argv[3:]))
