"""What Spark says of the stages that it ran: as its UI and its REST API show it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from pyspark.sql import SparkSession


class Stages:
    """The stages of a group of jobs, the jobs of one block of code."""

    def __init__(self, spark: SparkSession) -> None:
        self.group = str(uuid4())
        self._context = spark.sparkContext

    @property
    def bytes_read(self) -> int:
        """The bytes of files that the tasks have read."""
        return sum(stage.inputBytes() for stage in self._stages())

    @property
    def counters(self) -> dict[str, int]:
        """The values of the named accumulators at the end of the stages, by name."""
        found: Counter[str] = Counter()
        for update in self._counters():
            found[update.name()] += int(update.value())
        return dict(found)

    @property
    def counter_ids(self) -> set[int]:
        """The ids of the named accumulators."""
        return {update.id() for update in self._counters()}

    def _counters(self) -> list[Any]:
        counters = [stage.accumulatorUpdates() for stage in self._stages()]
        return [found.apply(i) for found in counters for i in range(found.size())]

    def _stages(self) -> list[Any]:
        context: Any = self._context._jsc.sc()
        context.listenerBus().waitUntilEmpty()
        tracker = self._context.statusTracker()
        jobs = (tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(self.group))
        ids = sorted({stage for job in jobs if job is not None for stage in job.stageIds})
        # Spark keeps `spark.ui.retainedStages`. It forgets those first that a job did not have to
        # run, as an earlier job had: they have read and counted nothing.
        ran = [stage for stage in ids if tracker.getStageInfo(stage) is not None]
        return [context.statusStore().lastStageAttempt(stage) for stage in ran]


@contextmanager
def stages(spark: SparkSession) -> Iterator[Stages]:
    """The stages of the jobs that the block runs on this thread.

    Where they are cancelled, their tasks are told so, but their threads are not interrupted.
    """
    context = spark.sparkContext
    found = Stages(spark)
    context.setJobGroup(found.group, "a test", interruptOnCancel=False)
    try:
        yield found
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]
