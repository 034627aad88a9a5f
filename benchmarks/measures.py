"""What `make bench` and `make bench-quick` measure and compare.

`measures.json` declares each measure and each ratio once, with all that tables and charts say of
it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import which
from typing import TypeAlias

from benchmarks.data.datasets import SHOP, WEATHER, Dataset
from benchmarks.data.messages import ROWS
from benchmarks.data.states import Kind
from benchmarks.running import who

Request: TypeAlias = tuple[str, ...]
"""The name of a participant, the name of a task, and the task's arguments."""


@dataclass(frozen=True)
class Measure:
    """A task that is timed.

    Attributes:
        name: the name of the measure in the results. That of another dataset has its prefix.
        request: the participant and the task. Names in braces stand for files and for words that
            depend on the dataset: see `Files.values` and `States.values`.
        finds: what the number that the task returns means. Measures of a group with the same value
            here must return the same number.
        practised: whether the task runs `PRACTICE` more times before the rounds. Short tasks, and
            the first tasks of a process, need that for the JVM to compile them.
        is_peer: whether it measures others, not this project.
        group: the name of the group of measures that run in turn.
        label: what the table of results says.
    """

    name: str
    request: Request
    finds: str | None = None
    practised: bool = False
    is_peer: bool = False
    group: str = ""
    label: str = ""


@dataclass(frozen=True)
class Group:
    """Measures that run in turn.

    Attributes:
        rows: the number of statements that each of them reads or writes.
        measures: the measures, in the order of their turns.
        before: requests that run before the measures, and are not timed.
        after: requests that run after the measures, and are not timed.
    """

    rows: int
    measures: list[Measure]
    before: tuple[Request, ...] = ()
    after: tuple[Request, ...] = ()

    def holding(self, *what: str) -> Group:
        """Return the group with requests to its participants to hold data in memory meanwhile."""
        names = dict.fromkeys(measure.request[0] for measure in self.measures)
        return replace(
            self,
            before=tuple((name, *what) for name in names),
            after=tuple((name, "release") for name in names),
        )


@dataclass(frozen=True)
class Ratio:
    """The rows per second of one measure, divided by those of another.

    Attributes:
        name: the name of the ratio in the results.
        ours: the measure that is the dividend.
        peer: the measure that is the divisor.
        goal: the smallest ratio that reaches the goal; None if there is no goal.
        weather_goal: the same for the weather.
        chart: what the chart says; None if it leaves the ratio out.
    """

    name: str
    ours: str
    peer: str
    goal: float | None = None
    weather_goal: float | None = None
    chart: str | None = None


_DECLARED = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

MEASURES = [
    Measure(**{**found, "request": tuple(found["request"].split())})
    for found in _DECLARED["measures"]
]

SHOP_RATIOS = [Ratio(**found) for found in _DECLARED["ratios"]]

RATIOS = [
    *SHOP_RATIOS,
    *(
        Ratio(
            WEATHER.prefix + r.name,
            WEATHER.prefix + r.ours,
            WEATHER.prefix + r.peer,
            r.weather_goal,
        )
        for r in SHOP_RATIOS
    ),
]
"""The ratios for both datasets. Not all of them are measured for the weather."""


def group(name: str, rows: int, values: Mapping[str, str], prefix: str = "") -> Group:
    """Return a group of measures.

    Args:
        name: the name of the group.
        rows: the number of statements that each measure reads or writes.
        values: what names in braces stand for.
        prefix: the prefix of the names of measures.
    """
    measures = [
        replace(
            measure,
            name=prefix + measure.name,
            request=tuple(word.format_map(values) for word in measure.request),
        )
        for measure in MEASURES
        # Debian's package `serdi` need not be installed.
        if measure.group == name and (measure.name != "serdi" or which("serdi"))
    ]
    return Group(rows, measures)


@dataclass(frozen=True)
class Files:
    """The files of a dataset in a folder, and the measures that use them."""

    dataset: Dataset
    folder: Path

    def path(self, what: str) -> str:
        """Return the path of the file in a format, or with another name."""
        return str(self.folder / f"{self.dataset.name}.{what}")

    @property
    def lines(self) -> str:
        """The format with one line per statement: N-Triples or N-Quads."""
        return "nquads" if self.dataset.quads else "ntriples"

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that the Jelly-RDF file is converted to."""
        return "jelly_patch", "rdf_patch", "rdf_patch_thrift", "parquet", self.lines

    @property
    def values(self) -> dict[str, str]:
        """What names in braces stand for in the requests of measures."""
        names = "jelly_rdf", "python", "turtle", *self.formats
        return {
            **{name: self.path(name) for name in names},
            "lines": self.lines,
            "lines_file": self.path(self.lines),
            "predicate": self.dataset.predicate,
            "type": self._type,
        }

    @property
    def _type(self) -> str:
        return "QUADS" if self.dataset.quads else "TRIPLES"

    def make(self, what: str, rows: int, *options: str) -> Request:
        """Return the request to write a Jelly-RDF file with this many statements."""
        options = f"physicalType={self._type}", *options
        return who.SPARK, "make", self.dataset.name, str(rows), self.path(what), *options

    def convert(self, format: str, what: str | None = None, source: str = "jelly_rdf") -> Request:
        """Return the request to copy the statements of a Jelly-RDF file to another file.

        Args:
            format: the format of the other file.
            what: its name, if that is not the format.
            source: the name of the Jelly-RDF file.
        """
        types = {"jelly_rdf": "physicalType", "jelly_patch": "statementType"}
        options = (f"{types[format]}={self._type}",) if format in types else ()
        path = self.path(what or format)
        return who.SPARK, "convert", self.path(source), format, path, *options

    def group(self, name: str, rows: int) -> Group:
        """Return a group of measures of the dataset."""
        return group(name, rows, self.values, self.dataset.prefix)

    def writing(self, rows: int) -> Group:
        """Return the measures that write the dataset on the JVM, from memory."""
        return self.group("writing", rows).holding("hold", self.path("jelly_rdf"))

    def in_python(self, rows: int, *, compiled: bool) -> Group:
        """Return the measures of the codecs in Python, on the first statements of the dataset.

        Args:
            rows: the number of statements.
            compiled: whether to measure the compiled codec, too.
        """
        found = self.group("python", rows)
        if not compiled:
            plain = [each for each in found.measures if each.request[0] != who.PYTHON_COMPILED]
            found = replace(found, measures=plain)
        return found.holding("hold", self.path("python"))


def messages(name: str, rows: str, count: int) -> Group:
    """Return a group of measures of messages in memory.

    Args:
        name: the name of the group: to decode messages, or to encode their rows.
        rows: the path of the Parquet file with the rows of the messages.
        count: the number of messages.
    """
    found = group(name, ROWS * count, {})
    codecs = [measure.request[2] for measure in found.measures if name != "encoding"]
    return found.holding("hold_messages", rows, *codecs)


@dataclass(frozen=True)
class States:
    """Two states in a folder, and a log that leads from the first to the second.

    Attributes:
        folder: the folder.
        rows: the number of statements in each state.
        kind: the kind of the states.
        percent: the percentage of the statements that change.
    """

    folder: Path
    rows: int
    kind: Kind = "even"
    percent: int = 1

    @property
    def values(self) -> dict[str, str]:
        """What names in braces stand for in the requests of measures: the paths of the files."""
        names = {
            "before": "before.jelly",
            "after": "after.jelly",
            "before_lines": "before.nq",
            "after_lines": "after.nq",
            "log": "log.jelly_patch",
            "log_in_thrift": "log.rdf_patch_thrift",
        }
        start = f"{self.kind}-{self.rows}-{self.percent}"
        return {name: str(self.folder / f"{start}-{end}") for name, end in names.items()}

    def make(self) -> list[Request]:
        """Return the requests to write both states."""
        task = who.SPARK, "make_state", str(self.rows), self.kind
        sides = "before", "after"
        return [(*task, side, str(self.percent), self.values[side]) for side in sides]

    def make_lines(self) -> list[Request]:
        """Return the requests to write both states as N-Quads."""
        return [
            (who.SPARK, "convert", self.values[side], "nquads", self.values[f"{side}_lines"])
            for side in ("before", "after")
        ]

    def make_logs(self) -> Request:
        """Return the request to write the log in both formats."""
        names = "before", "after", "log", "log_in_thrift"
        return who.SPARK, "make_log", *(self.values[name] for name in names)

    def group(self, name: str) -> Group:
        """Return a group of measures of patch algebra."""
        return group(name, self.rows, self.values)


PREFIXES = {
    f"{dataset.name} ({kind})": dataset.prefix
    for dataset, kind in ((SHOP, "triples"), (WEATHER, "quads"))
}
"""The prefixes of the names of measures, by what the columns of tables say."""
