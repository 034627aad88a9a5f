"""Estimate what a large data set costs on a cluster: to scan, to compare, and to keep as a log.

    from jelly_spark.cost import Cluster, estimate

    cost = estimate(2_000_000_000, 500_000, Cluster(executors=8, cores=4))
    print(cost.scan.seconds, cost.diff.shuffled_bytes, cost.year_bytes)

The estimates are multiples of `Rates`, which were measured on two cores of one machine, with far
fewer statements. They assume:

- The work is linear in the number of statements, which are like those of the benchmark.
- A core is as fast as one of that machine while the other worked, too. Nothing is lost when an
  executor has more than two cores, or when there are several executors.
- More cores do not make the work of a single task faster. This is sorting and writing a patch.
- Reading does not overlap with computing.
- Sending shuffled bytes between executors takes no time, because it was not measured. Divide
  `shuffled_bytes` by what your network does, and add that.
- There is memory for the tasks: 2 GB for each core.
- Starting the session, and planning, are not counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from jelly_spark.errors import OptionError
from jelly_spark.log.upkeep.snapshots import DUE

__all__ = ["Cluster", "Cost", "Job", "Rates", "estimate"]

_MILLION = 1_000_000
_DAYS_OF_YEAR = 365
# `python -m benchmarks.scale.report` writes this file.
_MEASURED: dict[str, float] = json.loads(Path(__file__).with_name("rates.json").read_text("utf-8"))


@dataclass(frozen=True)
class Rates:
    """What one statement or change costs. The defaults are measured.

    Attributes:
        scan_seconds: the core-seconds to read every term of a million statements.
        diff_seconds: the core-seconds to compare two states, for a million statements of one.
        change_seconds: the seconds in which one task sorts and writes a patch of a million changes
            that `diff` has found.
        append_seconds: the seconds to append a patch of a million changes to a log.
        state_seconds: the core-seconds to compute a state of a million statements from patches.
        compact_seconds: the core-seconds to compute and save such a state.
        statement_bytes: the bytes of a statement in a Jelly-RDF file.
        change_bytes: the bytes of a change in a patch of a log.
        snapshot_bytes: the bytes of a statement in a snapshot of a log.
        diff_shuffled_bytes: the bytes that are shuffled to compare two states, for a statement of
            one.
        state_shuffled_bytes: the bytes that are shuffled to compute a state, for each statement.
        compact_shuffled_bytes: the same to compute and save a state.
    """

    scan_seconds: float = _MEASURED["scan_seconds"]
    diff_seconds: float = _MEASURED["diff_seconds"]
    change_seconds: float = _MEASURED["change_seconds"]
    append_seconds: float = _MEASURED["append_seconds"]
    state_seconds: float = _MEASURED["state_seconds"]
    compact_seconds: float = _MEASURED["compact_seconds"]
    statement_bytes: float = _MEASURED["statement_bytes"]
    change_bytes: float = _MEASURED["change_bytes"]
    snapshot_bytes: float = _MEASURED["snapshot_bytes"]
    diff_shuffled_bytes: float = _MEASURED["diff_shuffled_bytes"]
    state_shuffled_bytes: float = _MEASURED["state_shuffled_bytes"]
    compact_shuffled_bytes: float = _MEASURED["compact_shuffled_bytes"]


@dataclass(frozen=True)
class Cluster:
    """The executors that do the work.

    Attributes:
        executors: the number of executors, at least 1.
        cores: the cores of each executor, at least 1.
        bytes_per_second: how fast each executor reads from the storage. The default is an
            assumption for an object store, not a measurement.
    """

    executors: int
    cores: int
    bytes_per_second: float = 200_000_000


class Job(NamedTuple):
    """What a job costs.

    Attributes:
        seconds: the elapsed time, without the time to start, and to send shuffled bytes.
        read_bytes: the bytes that are read from the storage.
        shuffled_bytes: the bytes that are shuffled.
    """

    seconds: float
    read_bytes: float
    shuffled_bytes: float


class Cost(NamedTuple):
    """What a data set costs. `estimate` says what the work is.

    Attributes:
        scan: reading every term.
        diff: comparing the data set with that of the next day, and writing the patch.
        append: appending the patch of a day to a log, without making or reading it.
        state: reading the state after a year of patches, from a snapshot and these patches.
        compact: saving this state as a snapshot.
        patch_bytes: the size of the patch of a day.
        snapshot_bytes: the size of a snapshot.
        year_bytes: the size of a log with a snapshot, and the patches of a year after it.
        days_to_snapshot: how many days after a snapshot `compact(if_due=True)` makes the next.
    """

    scan: Job
    diff: Job
    append: Job
    state: Job
    compact: Job
    patch_bytes: float
    snapshot_bytes: float
    year_bytes: float
    days_to_snapshot: float


def estimate(
    statements: int, changes_per_day: int, cluster: Cluster, rates: Rates | None = None
) -> Cost:
    """Estimate what it costs to scan a data set, to compare it, and to keep it as a log.

        cost = estimate(2_000_000_000, 500_000, Cluster(executors=8, cores=4))
        print(f"{cost.scan.seconds:.0f} seconds")

    The data set is in Jelly-RDF files, which Spark reads in many splits. Its log has a snapshot,
    and a patch for each day, uncompressed. The module lists what the estimate assumes.

    Args:
        statements: the number of statements, at least 1.
        changes_per_day: how many statements are added or deleted each day, at least 1.
        cluster: the executors.
        rates: what one statement costs; by default, what was measured.

    Returns:
        The times in seconds, and the sizes in bytes.

    Raises:
        OptionError: a number is less than 1.
    """
    sizes = (statements, changes_per_day, cluster.executors, cluster.cores)
    if not all(size >= 1 for size in (*sizes, cluster.bytes_per_second)):
        raise OptionError(
            "the statements, the changes of a day, and the executors, cores and bytes per second "
            "of the cluster must be at least 1"
        )
    rates = Rates() if rates is None else rates
    snapshot_bytes = statements * rates.snapshot_bytes
    patch_bytes = changes_per_day * rates.change_bytes
    year_bytes = snapshot_bytes + _DAYS_OF_YEAR * patch_bytes
    of_year = statements + _DAYS_OF_YEAR * changes_per_day

    def job(
        count: int, core_seconds: float, read: float, shuffled: float, single_seconds: float = 0
    ) -> Job:
        """Return what a job costs, by its rates for a million and one of `count`."""
        computing = count / _MILLION * core_seconds / (cluster.executors * cluster.cores)
        reading = read / (cluster.executors * cluster.bytes_per_second)
        return Job(computing + reading + single_seconds, read, count * shuffled)

    changes = changes_per_day / _MILLION
    bytes_of_state = statements * rates.statement_bytes
    return Cost(
        scan=job(statements, rates.scan_seconds, bytes_of_state, 0),
        diff=job(
            statements,
            rates.diff_seconds,
            2 * bytes_of_state,
            rates.diff_shuffled_bytes,
            changes * rates.change_seconds,
        ),
        append=Job(changes * rates.append_seconds, 0, 0),
        state=job(of_year, rates.state_seconds, year_bytes, rates.state_shuffled_bytes),
        compact=job(of_year, rates.compact_seconds, year_bytes, rates.compact_shuffled_bytes),
        patch_bytes=patch_bytes,
        snapshot_bytes=snapshot_bytes,
        year_bytes=year_bytes,
        days_to_snapshot=DUE * snapshot_bytes / patch_bytes,
    )
