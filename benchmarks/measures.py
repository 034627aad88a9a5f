"""The measures of the benchmark, and the ratios that compare them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from shutil import which
from typing import TypeAlias

from benchmarks.data.datasets import SHOP, Dataset
from benchmarks.data.messages import ROWS
from benchmarks.data.states import Kind
from benchmarks.running.participants import (
    JELLY_CORE,
    JENA,
    PYTHON,
    PYTHON_COMPILED,
    SPARK,
    SPARK_ALGEBRA,
    SPARK_TWO_CORES,
    SPARK_WITH_JENA,
)

SERDI = which("serdi")
"""The path of the command serdi, which reads and writes N-Triples, if it is installed."""

Request: TypeAlias = tuple[str, ...]
"""The name of a participant, the name of a task, and the task's arguments."""


@dataclass(frozen=True)
class Measure:
    """A task that is timed.

    Attributes:
        name: the name of the measure in the results.
        request: the participant and the task.
        finds: what the number that the task returns means. Measures of a group with the same value
            here must return the same number.
        practised: whether the task runs `PRACTICE` more times before the rounds. Short tasks, and
            the first tasks of a process, need that for the JVM to compile them.
    """

    name: str
    request: Request
    finds: str | None = None
    practised: bool = False


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


@dataclass(frozen=True)
class Ratio:
    """The rows per second of one measure, divided by those of another.

    Attributes:
        name: the name of the ratio in the results.
        ours: the measure that is the dividend.
        peer: the measure that is the divisor.
        goal: the smallest ratio that reaches the goal; None if there is no goal.
    """

    name: str
    ours: str
    peer: str
    goal: float | None = None


@dataclass(frozen=True)
class Files:
    """The files of a dataset in a folder, and the files that participants write there."""

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
    def physical_type(self) -> str:
        """The physical type of the Jelly-RDF stream."""
        return "QUADS" if self.dataset.quads else "TRIPLES"

    def options(self, format: str) -> tuple[str, ...]:
        """Return the options for writing a format; only the Jelly formats need any."""
        options = {"jelly_rdf": "physicalType", "jelly_patch": "statementType"}
        return (f"{options[format]}={self.physical_type}",) if format in options else ()

    def make(self, what: str, rows: int, *options: str) -> Request:
        """Return the request to write a Jelly-RDF file with this many statements."""
        path, options = self.path(what), (*self.options("jelly_rdf"), *options)
        return SPARK, "make", self.dataset.name, str(rows), path, *options

    def convert(self, format: str) -> Request:
        """Return the request to convert the Jelly-RDF file to another format."""
        source, path, options = self.path("jelly_rdf"), self.path(format), self.options(format)
        return SPARK, "convert", source, format, path, *options

    def rewrite(self, source: str, what: str) -> Request:
        """Return the request to copy the statements of a Jelly-RDF file to another one."""
        options = self.options("jelly_rdf")
        return SPARK, "convert", self.path(source), "jelly_rdf", self.path(what), *options


def reading(files: Files, rows: int) -> Group:
    """Return the measures that read a dataset's Jelly files on the JVM, and those of peers."""
    jelly, parquet = files.path("jelly_rdf"), files.path("parquet")
    core = "jelly_core_decode"
    measures = [
        *_scans(files, "jelly_rdf", "scan"),
        Measure(core, (JELLY_CORE, core, jelly), "statements", practised=True),
        *_scans(files, "jelly_patch", "scan_patch"),
        Measure("parquet_scan", (SPARK, "scan_all", "parquet", parquet), "terms", practised=True),
    ]
    return Group(rows, _named(files.dataset.prefix, measures))


def _scans(files: Files, format: str, name: str) -> list[Measure]:
    """Return the measures that read a file of statements with Spark in several ways."""
    path = files.path(format)
    one = SPARK, "scan_predicate", format, path, files.dataset.predicate
    return [
        Measure(f"{name}_all", (SPARK, "scan_all", format, path), "terms", practised=True),
        Measure(f"{name}_noop", (SPARK, "scan_noop", format, path), practised=True),
        Measure(f"{name}_count", (SPARK, "scan_count", format, path), "statements", practised=True),
        Measure(f"{name}_predicate", one, "objects", practised=True),
    ]


def reading_text(files: Files, rows: int) -> Group:
    """Return the measures that read a dataset's files in text and Thrift, and those of peers."""
    text, thrift = files.path("rdf_patch"), files.path("rdf_patch_thrift")
    lines = files.path(files.lines)
    ours = {"text_scan": "rdf_patch", "thrift_scan": "rdf_patch_thrift"}
    ours |= {"ntriples_scan": files.lines}
    measures = [
        *(
            Measure(name, (SPARK, "scan_all", format, files.path(format)), "terms", practised=True)
            for name, format in ours.items()
        ),
        Measure("jena_text_read", (JENA, "jena_text_read", text), "statements"),
        Measure("jena_thrift_read", (JENA, "jena_thrift_read", thrift), "statements"),
        Measure("lines_scan", (SPARK, "scan_all", f"lines_of_{files.lines}", lines), "terms"),
        Measure("pyoxigraph_parse", (PYTHON, "pyoxigraph_parse", lines), "statements"),
    ]
    if SERDI is not None:
        measures.append(Measure("serdi", (PYTHON, "serdi", SERDI, files.lines, lines)))
    return Group(rows, _named(files.dataset.prefix, measures))


def writing(files: Files, rows: int) -> Group:
    """Return the measures that write a dataset on the JVM, from memory."""
    jelly = files.path("jelly_rdf")
    rdf = SPARK, "write", "jelly_rdf", "written", *files.options("jelly_rdf")
    patch = SPARK, "write", "jelly_patch", "written", *files.options("jelly_patch")
    peers = {
        name: (JENA, name, "written.peer")
        for name in ("jelly_jena_encode", "jena_text_write", "jena_thrift_write")
    }
    measures = [
        Measure("write", rdf, practised=True),
        *(Measure(name, peer, "statements") for name, peer in peers.items()),
        Measure("write_patch", patch, practised=True),
    ]
    return Group(
        rows,
        _named(files.dataset.prefix, measures),
        before=((SPARK, "hold", jelly), (JENA, "hold", jelly)),
        after=((SPARK, "release"), (JENA, "release")),
    )


def big_file(path: str, rows: int) -> Group:
    """Return the measures that read one big Jelly-RDF file with restart points."""
    one, two = ((who, "scan_all", "jelly_rdf", path) for who in (SPARK, SPARK_TWO_CORES))
    measures = [
        Measure("one_core", one, "terms"),
        Measure("two_cores", two, "terms", practised=True),
    ]
    return Group(rows, measures)


def decoding(rows: str, count: int, codecs: dict[str, str], who: str = SPARK) -> Group:
    """Return the measures that decode messages in memory.

    Args:
        rows: the path of the Parquet file with the rows of the messages.
        count: the number of messages.
        codecs: the names of the measures, by codec; see `messages.CODECS`.
        who: the participant.
    """
    measures = [
        Measure(name, (who, "decode_messages", codec), "message_terms", codec != "python")
        for codec, name in codecs.items()
    ]
    hold: Request = (who, "hold_messages", rows, *codecs)
    return Group(ROWS * count, measures, before=(hold,), after=((who, "release"),))


def encoding(rows: str, count: int, codecs: dict[str, str]) -> Group:
    """Return the measures that encode rows in memory as messages; for arguments, see `decoding`."""
    measures = [
        Measure(name, (SPARK, "encode_messages", codec), practised=True)
        for codec, name in codecs.items()
    ]
    hold: Request = (SPARK, "hold_messages", rows)
    return Group(ROWS * count, measures, before=(hold,), after=((SPARK, "release"),))


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
    def before(self) -> str:
        """The path of the first state."""
        return self._path("before.jelly")

    @property
    def after(self) -> str:
        """The path of the second state."""
        return self._path("after.jelly")

    @property
    def lines(self) -> tuple[str, str]:
        """The paths of both states as N-Quads."""
        return self._path("before.nq"), self._path("after.nq")

    @property
    def logs(self) -> tuple[str, str]:
        """The paths of the log in Jelly-Patch and in Thrift."""
        return self._path("log.jelly_patch"), self._path("log.rdf_patch_thrift")

    def _path(self, what: str) -> str:
        return str(self.folder / f"{self.kind}-{self.rows}-{self.percent}-{what}")

    def make(self) -> list[Request]:
        """Return the requests to write both states."""
        task = SPARK, "make_state", str(self.rows), self.kind
        return [
            (*task, side, str(self.percent), path)
            for side, path in (("before", self.before), ("after", self.after))
        ]

    def make_lines(self) -> list[Request]:
        """Return the requests to write both states as N-Quads."""
        return [
            (SPARK, "convert", state, "nquads", path)
            for state, path in zip((self.before, self.after), self.lines, strict=True)
        ]

    def make_logs(self) -> Request:
        """Return the request to write the log in both formats."""
        return SPARK, "make_log", self.before, self.after, *self.logs


def difference(
    name: str, states: States, who: str = SPARK_ALGEBRA, *, with_sort: bool = False
) -> Group:
    """Return the measures of the difference of two states.

    Args:
        name: the name of the measure.
        states: both states.
        who: the participant.
        with_sort: whether to also measure GNU sort and comm.
    """
    ours = Measure(name, (who, "diff", states.before, states.after, "patch"), "changes")
    peer = Measure(f"{name}_by_sort", (PYTHON, "sort_and_comm", *states.lines), "changes")
    return Group(states.rows, [ours, peer] if with_sort else [ours])


def application(states: States) -> Group:
    """Return the measures that apply a log to a state."""
    jelly, thrift = states.logs
    measures = [
        Measure("apply", (SPARK_ALGEBRA, "apply", states.before, jelly, "state"), "after"),
        Measure("jena_apply", (JENA, "jena_apply", states.before, thrift), "after"),
    ]
    return Group(states.rows, measures)


def in_python(files: Files, rows: int, *, compiled: bool) -> Group:
    """Return the measures of the codecs in Python, on the first statements of a dataset.

    Args:
        files: the files of the dataset.
        rows: the number of statements.
        compiled: whether to measure the compiled codec, too.
    """
    jelly, kind = files.path("python"), files.physical_type
    ours: dict[str, Request] = {
        "python_decode": (jelly,),
        "python_to_arrow": (jelly,),
        "python_encode": ("python.written", kind),
    }
    peers: dict[str, Request] = {
        "pyjelly_decode": (jelly,),
        "pyjelly_encode": ("python.written",),
    }
    measures = [
        Measure(name, (PYTHON, name, *arguments), "statements")
        for name, arguments in [*ours.items(), *peers.items()]
    ]
    before: tuple[Request, ...] = ((PYTHON, "hold", jelly),)
    if compiled:
        measures += [
            Measure(f"{name}_compiled", (PYTHON_COMPILED, name, *arguments), "statements")
            for name, arguments in ours.items()
        ]
        before += ((PYTHON_COMPILED, "hold", jelly),)
    return Group(rows, _named(files.dataset.prefix, measures), before)


def reading_turtle(turtle: str, rows: int) -> Group:
    """Return the measures that read a file of Turtle, with and without Jena, and those of peers."""
    scan = "scan_all", "rdf", turtle
    measures = [
        Measure("turtle_read", (PYTHON, "turtle_read", turtle), "statements"),
        Measure("turtle_parse", (PYTHON, "pyoxigraph_parse", turtle), "statements"),
        Measure("turtle_to_nquads", (PYTHON, "pyoxigraph_to_nquads", turtle)),
        Measure("turtle_scan", (SPARK, *scan), "terms", practised=True),
        Measure("turtle_scan_jena", (SPARK_WITH_JENA, *scan), "terms", practised=True),
        Measure("turtle_riot", (JENA, "riot_read", turtle), "statements", practised=True),
    ]
    return Group(rows, measures)


TURTLE = [
    Ratio("turtle_vs_pyoxigraph", "turtle_read", "turtle_parse"),
    Ratio("turtle_vs_nquads", "turtle_read", "turtle_to_nquads"),
    Ratio("turtle_scan_vs_pyoxigraph", "turtle_scan", "turtle_parse"),
    Ratio("turtle_scan_vs_riot", "turtle_scan_jena", "turtle_riot", 0.9),
]
"""The ratios for Turtle."""


def ratios(dataset: Dataset) -> list[Ratio]:
    """Return the ratios for a dataset."""
    core, jena = "jelly_core_decode", "jelly_jena_encode"
    # The last figure is the goal for the weather.
    found: list[tuple[str, str, str, float | None, float | None]] = [
        ("scan_all", "scan_all", core, 1.15, 1.15),
        ("scan_noop", "scan_noop", core, 0.7, None),
        ("scan_count", "scan_count", core, 4, 4),
        ("scan_predicate", "scan_predicate", core, 2.5, 2.5),
        ("scan_patch_all", "scan_patch_all", core, 1.15, 1.15),
        ("scan_patch_noop", "scan_patch_noop", core, None, None),
        ("scan_patch_count", "scan_patch_count", core, 4, 4),
        ("scan_patch_predicate", "scan_patch_predicate", core, 2.5, 2.5),
        ("scan_vs_text", "scan_patch_all", "jena_text_read", 10, 10),
        ("scan_vs_thrift", "scan_patch_all", "jena_thrift_read", 6, 6),
        ("scan_vs_parquet", "scan_all", "parquet_scan", 2, 2),
        ("scan_vs_lines", "scan_all", "lines_scan", 5, None),
        ("text_vs_jena", "text_scan", "jena_text_read", 5, None),
        ("thrift_vs_jena", "thrift_scan", "jena_thrift_read", 5, None),
        ("ntriples_vs_lines", "ntriples_scan", "lines_scan", 1.5, None),
        ("ntriples_vs_pyoxigraph", "ntriples_scan", "pyoxigraph_parse", None, None),
        ("ntriples_vs_serdi", "ntriples_scan", "serdi", None, None),
        ("write", "write", jena, 2, 1.5),
        ("write_vs_text", "write_patch", "jena_text_write", 2.5, None),
        ("write_vs_thrift", "write_patch", "jena_thrift_write", 2, None),
        ("python_decode", "python_decode", "pyjelly_decode", None, None),
        ("python_encode", "python_encode", "pyjelly_encode", None, None),
        ("to_arrow_vs_rows", "python_to_arrow", "python_decode", None, None),
        ("python_decode_compiled", "python_decode_compiled", "pyjelly_decode", 2.5, None),
        ("python_encode_compiled", "python_encode_compiled", "pyjelly_encode", 2.5, None),
        (
            *("to_arrow_vs_rows_compiled", "python_to_arrow_compiled", "python_decode_compiled"),
            *(3, None),
        ),
    ]
    return [
        Ratio(
            dataset.prefix + name,
            dataset.prefix + ours,
            dataset.prefix + peer,
            goal if dataset is SHOP else weather_goal,
        )
        for name, ours, peer, goal, weather_goal in found
        if SERDI is not None or peer != "serdi"
    ]


MESSAGES = [
    Ratio("from_jelly_patch_vs_json", "from_jelly_patch", "from_json", 1),
    Ratio("to_jelly_patch_vs_json", "to_jelly_patch", "to_json", 2.5),
    Ratio("from_jelly_patch_vs_python", "from_jelly_patch", "from_python_udf", 20),
]
"""The ratios for messages."""

MESSAGES_AVRO = Ratio("from_jelly_patch_vs_avro", "from_jelly_patch_4_0", "from_avro", 2)

DIFF_SIZES = {"diff_fifth": 0.2, "diff_double": 2.0}
"""The sizes of the states relative to those of `diff`, for the measures of how it scales."""

ALGEBRA = [
    Ratio("diff_vs_sort", "diff_quads", "diff_quads_by_sort", 2),
    Ratio("triples_diff_vs_sort", "diff", "diff_by_sort", 1.7),
    Ratio("apply_vs_jena", "apply", "jena_apply", 1),
    Ratio("diff_double_size", "diff_double", "diff"),
    Ratio("diff_fifth_size", "diff_fifth", "diff"),
    # With a skewed state, it may take 1.5 times as long.
    Ratio("diff_skewed_subject", "diff_one_subject", "diff", 0.67),
    Ratio("diff_skewed_predicate", "diff_one_predicate", "diff", 0.67),
]
"""The ratios for patch algebra."""

TWO_CORES = Ratio("two_cores", "two_cores", "one_core", 1.8)


def _named(prefix: str, measures: list[Measure]) -> list[Measure]:
    return [replace(measure, name=prefix + measure.name) for measure in measures]
