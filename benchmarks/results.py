"""The results of a run of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import mean, median
from typing import Any

from benchmarks.measures import Ratio
from benchmarks.running.intervals import interval
from benchmarks.running.participants import ARCHIVE_LOG, ARCHIVE_UNCOMPACTED

ENCODER_PEERS = [
    ("jelly", "kryo_fields"),
    ("jelly", "kryo_jena"),
    ("jelly_batches", "kryo_batches_fields"),
    ("jelly_batches", "kryo_batches_jena"),
]
"""The pairs of encoders of quads that are compared: ours, and one with Kryo."""

JENA_SERIALIZATION = ("kryo_jena", "kryo_batches_jena")
"""The encoders with Jena's own serialization. The comparisons with these have goals."""


QUERY_GOALS = {"state_at": 0.8, "between": 1, "history": 0.8}
"""The kinds of queries on archives, with the goals of their ratios: another archive's time divided
by the log's."""

ARCHIVE_GOALS = {"bytes": 3, "ingest": 2, **QUERY_GOALS}
"""The goals of all ratios of another archive's figure to the log's."""


BEAR_BYTES = 25_100_000
"""The published size of BEAR's hourly archive in HDT-CB, the smallest one."""

BEAR_INGEST = 60
"""The seconds that the ingestion of BEAR's hourly archive may take."""


@dataclass(frozen=True)
class SmallHeap:
    """The scan of the big file in a small heap.

    Attributes:
        heap: the size of the heap.
        passed: whether the scan succeeded.
        rows_per_second: the speed of the scan, if it succeeded.
        error: the error message, if it failed.
    """

    heap: str
    passed: bool
    rows_per_second: float = 0
    error: str = ""


@dataclass(frozen=True)
class EncoderFigures:
    """The shuffle of quads as Jena's objects.

    Attributes:
        bytes: the size of the encoded objects, in bytes per quad.
        shuffled_bytes: the size of the shuffle, which Spark compresses, in bytes per quad.
        per_second: quads per second.
    """

    bytes: float
    shuffled_bytes: float
    per_second: float


@dataclass(frozen=True)
class ArchiveFigures:
    """The figures of an archive of versions.

    Attributes:
        bytes: the size on disk in bytes.
        ingest: the mean seconds to add a version, without the first one.
        queries: the median seconds of each query, by its name, which begins with its kind.
    """

    bytes: int
    ingest: float
    queries: dict[str, float]

    def seconds(self, kind: str) -> float:
        """Return the total seconds of the queries of a kind."""
        return sum(taken for name, taken in self.queries.items() if name.startswith(kind))


@dataclass(frozen=True)
class BearFigures:
    """The figures of a log with an archive in the shape of one of BEAR's.

    Attributes:
        versions: the number of versions.
        changes: the number of statements that all patches add or delete.
        bytes: the sizes in bytes: of all versions as N-Triples, of the log and its parts, and of
            its patches if they were compressed, by what it is.
        ingest: the seconds to append all patches in plain Python.
        queries: the median seconds of each query, by `python` or `spark`, and its name.
    """

    versions: int
    changes: int
    bytes: dict[str, int]
    ingest: float
    queries: dict[str, dict[str, float]]


@dataclass(frozen=True)
class Cost:
    """What some calls took, each.

    Attributes:
        millis: processor time of the process in milliseconds; elapsed time of Spark.
        requests: requests to S3; 0 in a folder.
        lists: requests that list, of these.
        received: bytes that S3 sent.
        sent: bytes that S3 was sent to store.
    """

    millis: float
    requests: float = 0
    lists: float = 0
    received: float = 0
    sent: float = 0


@dataclass(frozen=True)
class SkippingFigures:
    """What looking for one subject in a file takes.

    Attributes:
        size: the size of the file in bytes.
        seconds: the median seconds of each query, by its name.
    """

    size: int
    seconds: dict[str, float]


@dataclass
class Results:
    """The figures of a run.

    Attributes:
        options: the sizes and numbers of rounds of the run.
        machine: the properties of the machine.
        versions: the versions of the software.
        ratios: the ratios, by name.
        intervals: the bounds of the 95 % confidence intervals of ratios, by name. Ratios of sizes
            have none.
        goals: the smallest values of ratios that reach their goals, by name.
        medians: the rows per second of each measure, by name.
        seconds: the seconds of each measure in each round, by name.
        file_bytes: the sizes of the files in bytes, by dataset and format.
        restart_points: the rows of the big file, its bytes with and without restart points, and
            their ratio.
        small_heap: the scan of the big file in a small heap.
        encoders: the shuffles of quads as Jena's objects, by encoder.
        archives: the archives of versions, by participant.
        archive_sizes: the number of versions, and of statements in each.
        bear: the logs with archives in the shape of those of BEAR, by the name of the archive.
        growth: what logs of several lengths cost: the costs, by the place, the length and the call.
        skipping: what looking for one subject takes, by the file.
        blank_nodes: the seconds of a difference in each round, by how blank nodes are compared.
    """

    options: dict[str, int | str]
    machine: dict[str, str]
    versions: dict[str, str]
    ratios: dict[str, float] = field(default_factory=dict)
    intervals: dict[str, list[float]] = field(default_factory=dict)
    goals: dict[str, float] = field(default_factory=dict)
    medians: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    file_bytes: dict[str, dict[str, int]] = field(default_factory=dict)
    restart_points: dict[str, float] = field(default_factory=dict)
    small_heap: SmallHeap = field(default_factory=lambda: SmallHeap("", False, error="not run"))
    encoders: dict[str, EncoderFigures] = field(default_factory=dict)
    archives: dict[str, ArchiveFigures] = field(default_factory=dict)
    archive_sizes: dict[str, int] = field(default_factory=dict)
    bear: dict[str, BearFigures] = field(default_factory=dict)
    growth: dict[str, dict[str, dict[str, Cost]]] = field(default_factory=dict)
    skipping: dict[str, SkippingFigures] = field(default_factory=dict)
    blank_nodes: dict[str, list[float]] = field(default_factory=dict)

    def add(self, rows: int, seconds: dict[str, list[float]]) -> None:
        """Add the seconds of measures, each of which handled this many rows."""
        self.seconds.update(seconds)
        self.medians.update({name: round(rows / median(taken)) for name, taken in seconds.items()})

    def compare(self, ratio: Ratio) -> None:
        """Add the ratio of two measures that have been added."""
        self.ratios[ratio.name] = round(self.medians[ratio.ours] / self.medians[ratio.peer], 3)
        ours, peer = self.seconds[ratio.ours], self.seconds[ratio.peer]
        # Both need not be of one group.
        rounds = min(len(ours), len(peer))
        self._add_interval(ratio.name, ours[:rounds], peer[:rounds])
        # Numbers of rows differ where the states of differences have several sizes.
        scale = self.ratios[ratio.name] / (median(peer) / median(ours))
        self.intervals[ratio.name] = [
            round(bound * scale, 3) for bound in self.intervals[ratio.name]
        ]
        if ratio.goal is not None:
            self.goals[ratio.name] = ratio.goal

    def _add_interval(
        self, name: str, ours: Sequence[float], peer: Sequence[float], *, is_mean: bool = False
    ) -> None:
        found = interval(ours, peer, mean if is_mean else median)
        self.intervals[name] = [round(found.low, 3), round(found.high, 3)]

    def compare_encoders(self, seconds: Mapping[str, Sequence[float]]) -> None:
        """Add the ratios of Jelly's and Kryo's sizes and speeds, for single quads and batches.

        Args:
            seconds: the seconds of each round, by encoder.
        """
        for ours, peer in ENCODER_PEERS:
            jelly, kryo = self.encoders[ours], self.encoders[peer]
            name = f"{ours}_vs_{peer}"
            self.ratios[f"{name}_size"] = round(kryo.bytes / jelly.bytes, 3)
            self.ratios[f"{name}_speed"] = round(jelly.per_second / kryo.per_second, 3)
            self._add_interval(f"{name}_speed", seconds[ours], seconds[peer])
            if peer in JENA_SERIALIZATION:
                self.goals |= {f"{name}_size": 3, f"{name}_speed": 1}

    def compare_archives(
        self,
        ingested: Mapping[str, Sequence[float]],
        asked: Mapping[str, Mapping[str, Sequence[float]]],
    ) -> None:
        """Add the ratios of the other archives' sizes and times to those of the log.

        Args:
            ingested: the seconds of each version but the first, by participant.
            asked: the seconds of each round of all queries of a kind, by participant and kind.
        """
        log = self.archives[ARCHIVE_LOG]
        for name, peer in self.archives.items():
            if name == ARCHIVE_LOG:
                continue
            if name == ARCHIVE_UNCOMPACTED:
                full, kind = "log_vs_log_uncompacted_state_at", "state_at"
                self.ratios[full] = round(peer.seconds(kind) / log.seconds(kind), 3)
                self._add_interval(full, asked[ARCHIVE_LOG][kind], asked[name][kind])
                continue
            found = {
                "bytes": peer.bytes / log.bytes,
                "ingest": peer.ingest / log.ingest,
                **{kind: peer.seconds(kind) / log.seconds(kind) for kind in QUERY_GOALS},
            }
            for what, ratio in found.items():
                full = f"log_vs_{name.removeprefix('archive-').replace('-', '_')}_{what}"
                self.ratios[full] = round(ratio, 3)
                self.goals[full] = ARCHIVE_GOALS[what]
                if what in QUERY_GOALS:
                    self._add_interval(full, asked[ARCHIVE_LOG][what], asked[name][what])
                elif what == "ingest":
                    self._add_interval(full, ingested[ARCHIVE_LOG], ingested[name], is_mean=True)

    def compare_bear(self) -> None:
        """Add the ratios of the goals for BEAR's hourly archive to the log's size and time."""
        hourly = self.bear.get("hourly")
        if hourly is not None:
            self.ratios["bear_hourly_bytes"] = round(BEAR_BYTES / hourly.bytes["log"], 3)
            self.ratios["bear_hourly_ingest"] = round(BEAR_INGEST / hourly.ingest, 3)
            self.goals |= {"bear_hourly_bytes": 1, "bear_hourly_ingest": 1}

    def as_json(self) -> dict[str, Any]:
        """Return the results as the content of `results.json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Results:
        """Return the results that `as_json` returned."""
        encoders = {name: EncoderFigures(**found) for name, found in data["encoders"].items()}
        archives = {name: ArchiveFigures(**found) for name, found in data["archives"].items()}
        bear = {name: BearFigures(**found) for name, found in data["bear"].items()}
        small_heap = SmallHeap(**data["small_heap"])
        growth = {
            place: {
                count: {what: Cost(**cost) for what, cost in costs.items()}
                for count, costs in found.items()
            }
            for place, found in data["growth"].items()
        }
        skipping = {name: SkippingFigures(**found) for name, found in data["skipping"].items()}
        read = {
            "small_heap": small_heap,
            "encoders": encoders,
            "archives": archives,
            "bear": bear,
            "growth": growth,
            "skipping": skipping,
        }
        return cls(**{**data, **read})
