"""Run in a process of its own: one kind of work on a log, again and again, until it is killed.

    keep_house.py LOG optimize|expire|vacuum|compact|read

A reader compares states with the patches of `append.py`, of which each adds a statement with its
own name. Each prints a line for whatever it finished: the position of the first patch, or `expired`
if that is what a reader was told.
"""

import random
import sys
import time
from datetime import timedelta

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import LogError
from jelly_spark.log import Log

KEPT = 60
"""How many patches stay, at least."""

RETENTION = timedelta(seconds=2)


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
    assert len(found) == at.log_seq + 1, (len(found), at)
    name = at.id.removeprefix("<urn:patch:").removesuffix(">")
    assert name in found and rows == [f'"{name}"'], (at, rows)
    return str(versions[0].log_seq)


def main(path: str, work: str) -> None:
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
                log.expire(max(0, log.versions()[-1].log_seq - KEPT))
            else:
                log.vacuum(RETENTION)
            print(log.versions()[0].log_seq, flush=True)
        time.sleep(random.uniform(0, 0.3))


if __name__ == "__main__":
    main(*sys.argv[1:])
