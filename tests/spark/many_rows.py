"""Many rows of the Jelly formats, of every kind, in files with these options."""

from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    LogicalType,
    PatchRow,
    PhysicalType,
    RdfRow,
    StatementType,
    StreamType,
)
from jelly_spark.core.options import WriteOptions
from jelly_spark.core.rows import AnyRow
from tests.codecs import PythonCodec
from tests.spark.patches import EX, XSD

PREDICATES = [f"<{EX}p{i}>" for i in range(5)]
GRAPHS = [None, f"<{EX}g1>", f"<{EX}g2>", "_:g", '"g"']
OBJECTS = [
    f"<{EX}o>",
    "<a:\\u0020b>",
    "<\\u005F:b>",
    "_:b1",
    "<_:b\\u00201>",
    '"x"',
    '""',
    '"a \\"b\\"\\n\\\\ é😀"',
    '"chat"@fr-BE',
    f'"1"^^<{XSD}integer>',
    '"x"^^<a:\\u003C>',
    f'<<( <{EX}s> <{EX}p> <<( _:b <{EX}p> "x"@en )>> )>>',
]


@dataclass(frozen=True)
class Written:
    """Rows, and how they are written."""

    options: WriteOptions
    rows: list[Any]

    @property
    def format(self) -> str:
        return self.options.format

    def encoded(self) -> bytes:
        """The file."""
        return PythonCodec().encode(self.rows, self.options)

    def read_options(self) -> dict[str, str]:
        """What a reader needs to give all of the rows."""
        return {"namespaces": "true"} if isinstance(self.options, JellyRdfOptions) else {}

    def read(self, spark: SparkSession, path: Path, **options: Any) -> DataFrame:
        """A file of such rows, or a folder of some."""
        reader = spark.read.format(self.format).options(**self.read_options())
        return reader.options(**options).load(str(path))

    def decoded(self, data: bytes) -> list[Any]:
        """What the Python codec reads."""
        options = {"namespaces": True} if isinstance(self.options, JellyRdfOptions) else {}
        return PythonCodec().decode(data, self.format, **options)


def rows_of(frame: DataFrame) -> list[tuple[Any, ...]]:
    """The rows in the order of their file."""
    return sorted(map(tuple, frame.collect()), key=lambda row: row[frame.columns.index("seq")])


def patch(count: int, seed: int = 0, **options: Any) -> Written:
    """A file of so many rows, with transactions, some of them open for long, and patches."""
    random = Random(seed)
    chosen = JellyPatchOptions(**options)
    graphs: list[str | None] = GRAPHS if chosen.statement_type is StatementType.QUADS else [None]
    rows: list[PatchRow] = []
    is_open = False
    while len(rows) < count:
        kind = random.randrange(60)
        if kind < 50:
            rows.append(PatchRow(random.choice("AAD"), *_statement(random, graphs)))  # type: ignore[arg-type]
        elif kind < 53:
            rows.append(PatchRow(random.choice(("TC", "TA")) if is_open else "TX"))
            is_open = not is_open
        elif kind < 55:
            rows.append(PatchRow("H", name=f"key{kind}", value=random.choice(OBJECTS)))
        elif kind < 57:
            graph = random.choice(graphs)
            rows.append(PatchRow("PA", graph=graph, name="ex", value=f"<{EX}>"))
        elif kind == 57:
            rows.append(PatchRow("PD", name="ex"))
        elif not is_open:
            rows.append(PatchRow("END"))
    if is_open:
        rows.append(PatchRow("TC"))
    return Written(chosen, rows)


def rdf(count: int, seed: int = 0, **options: Any) -> Written:
    """A file of so many rows, a few of which are namespaces, in frames that may mean something."""
    random = Random(seed)
    chosen = JellyRdfOptions(namespaces=True, **options)
    graphs = [None] if chosen.physical_type is PhysicalType.TRIPLES else GRAPHS
    # Statements of a graph follow each other.
    graph: str | None = None
    rows: list[AnyRow] = []
    for i in range(count):
        frame = i // 50 if chosen.logical_type.grouped else None
        if random.randrange(40) == 0:
            rows.append(RdfRow(name=f"ex{i % 3}", value=f"<{EX}>", frame=frame))
        else:
            if random.randrange(5) == 0:
                graph = random.choice(graphs)
            subject, predicate, obj, _ = _statement(random, [graph])
            rows.append(RdfRow(subject, predicate, obj, graph, frame=frame))
    return Written(chosen, rows)


def every_kind(count: int, **options: Any) -> dict[str, Written]:
    """Files of all types of streams, by name."""
    patches = {
        f"patch-{stream.name}-{statement.name}": patch(
            count, stream_type=stream, statement_type=statement, **options
        )
        for stream in StreamType
        for statement in StatementType
    }
    types = [
        (PhysicalType.TRIPLES, LogicalType.FLAT_TRIPLES),
        (PhysicalType.TRIPLES, LogicalType.GRAPHS),
        (PhysicalType.QUADS, LogicalType.FLAT_QUADS),
        (PhysicalType.QUADS, LogicalType.DATASETS),
        (PhysicalType.GRAPHS, LogicalType.FLAT_QUADS),
        (PhysicalType.GRAPHS, LogicalType.DATASETS),
    ]
    files = {
        f"rdf-{physical.name}-{logical.name}": rdf(
            count, physical_type=physical, logical_type=logical, **options
        )
        for physical, logical in types
    }
    return patches | files


def _statement(random: Random, graphs: list[str | None]) -> tuple[str, str, str, str | None]:
    subject = f"<{EX}s{random.randrange(200)}>" if random.randrange(9) else random.choice(OBJECTS)
    predicate = random.choice(PREDICATES)
    is_new = random.randrange(3) == 0
    obj = f'"{random.randrange(10**6)}"' if is_new else random.choice(OBJECTS)
    return subject, predicate, obj, random.choice(graphs)
