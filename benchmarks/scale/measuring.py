"""A Spark session that measures work: time, the JVM's heap, and bytes read and shuffled."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median_low
from typing import Any

from benchmarks.scale.curves import Point
from benchmarks.workers.spark import start_spark

HEAP = "4g"
CORES = 2

ENOUGH_SECONDS = 5
"""Work that takes less in all is repeated, up to `MOST_ROUNDS` times."""

MOST_ROUNDS = 3

PRACTICE = 3
"""How often repeatable work runs before it is first measured, so that the JVM has compiled it."""

# A line of the JVM's log, such as `GC(7) Pause Young (Allocation Failure) 512M->30M(1024M) 5.1ms`.
_COLLECTION = re.compile(r"Pause .*M->(\d+)M\(\d+M\) ([\d.]+)ms")


class Session:
    """A Spark session on two cores.

    Args:
        part: the part of the benchmark.
        folder: the folder for its files. Spark's shuffles are there, too.
        scale: the factor of the sizes.
    """

    def __init__(self, part: str, folder: Path, scale: float) -> None:
        self._part = part
        self.folder = folder
        self.scale = scale
        self._log = folder / "gc.log"
        settings = {
            "spark.local.dir": str(folder / "shuffles"),
            "spark.driver.extraJavaOptions": f"-XX:+UseParallelGC -Xlog:gc:file={self._log}",
        }
        self.spark = start_spark(f"local[{CORES}]", HEAP, [], settings)
        self._context: Any = self.spark.sparkContext
        jvm: Any = self._context._jvm
        pid = jvm.java.lang.ProcessHandle.current().pid()
        self._io = Path(f"/proc/{pid}/io")
        self._practised = set[str]()

    def measure(self, name: str, x: int, work: Callable[[], int]) -> Point:
        """Return what work took that can be repeated: the round with the median time.

        Args:
            name: the name of the work. If it is new, the work is practised.
            x: the size of the work.
            work: the work, which returns a number.
        """
        if name not in self._practised:
            self._practised.add(name)
            for _ in range(PRACTICE):
                work()
        rounds = list[Point]()
        while len(rounds) < MOST_ROUNDS and sum(p.seconds for p in rounds) < ENOUGH_SECONDS:
            rounds.append(self.measure_once(name, x, work))
        middle = median_low(point.seconds for point in rounds)
        return next(point for point in rounds if point.seconds == middle)

    def measure_once(self, name: str, x: int, work: Callable[[], int]) -> Point:
        """Return what work took that cannot be repeated."""
        self._collect_garbage()
        log_begin, jobs_begin, from_disk = self._log.stat().st_size, self._jobs(), self._from_disk()
        begin = time.perf_counter()
        found = work()
        seconds = time.perf_counter() - begin
        from_disk = self._from_disk() - from_disk
        collections = self._collections(log_begin)
        # A collection at the end, because short work has none.
        self._collect_garbage()
        heap = max(size for size, _ in self._collections(log_begin))
        stages = self._stages(jobs_begin)
        several, one = (
            sum(stage.executorRunTime() for stage in stages if (stage.numTasks() > 1) is is_several)
            for is_several in (True, False)
        )
        return Point(
            part=self._part,
            work=name,
            x=x,
            seconds=round(seconds, 4),
            parallel=several / 1e3,
            single=one / 1e3,
            longest=max(map(self._longest, stages), default=0) / 1e3,
            collections=round(sum(millis for _, millis in collections) / 1e3, 4),
            heap=heap << 20,
            read=sum(stage.inputBytes() for stage in stages),
            shuffled=sum(stage.shuffleWriteBytes() for stage in stages),
            spilled=sum(stage.diskBytesSpilled() for stage in stages),
            from_disk=from_disk,
            found=found,
        )

    def _jobs(self) -> int:
        """Return the number of Spark jobs so far."""
        return int(self._context._jsc.sc().dagScheduler().numTotalJobs())

    def _stages(self, begin: int) -> list[Any]:
        """Return Spark's figures of the stages that ran in jobs from a number on."""
        context = self._context._jsc.sc()
        context.listenerBus().waitUntilEmpty()
        store = context.statusStore()
        jobs = (store.job(job).stageIds() for job in range(begin, self._jobs()))
        ids = {stages.apply(place) for stages in jobs for place in range(stages.size())}
        stages = map(store.lastStageAttempt, sorted(ids))
        return [stage for stage in stages if stage.status().toString() == "COMPLETE"]

    def _longest(self, stage: Any) -> float:
        """Return the run time of the longest task of a stage in milliseconds."""
        gateway = self._context._gateway
        greatest = gateway.new_array(gateway.jvm.double, 1)
        greatest[0] = 1.0
        store = self._context._jsc.sc().statusStore()
        found = store.taskSummary(stage.stageId(), stage.attemptId(), greatest)
        return float(found.get().executorRunTime().apply(0)) if found.isDefined() else 0.0

    def _collect_garbage(self) -> None:
        self._context._jvm.java.lang.System.gc()

    def _collections(self, begin: int) -> list[tuple[int, float]]:
        """Return the collections in the log from a place on: MB in use after each, milliseconds."""
        with self._log.open(encoding="utf-8") as log:
            log.seek(begin)
            return [(int(size), float(ms)) for size, ms in _COLLECTION.findall(log.read())]

    def _from_disk(self) -> int:
        """Return the bytes that the JVM has read from storage, not from the page cache."""
        found = re.search(r"^read_bytes: (\d+)$", self._io.read_text(), re.MULTILINE)
        assert found is not None
        return int(found[1])
