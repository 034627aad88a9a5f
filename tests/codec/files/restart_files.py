"""Rows of all kinds, the options of all streams, and files of them with restart points."""

import io
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

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
from jelly_spark.core.rows import AnyRow
from jelly_spark.jelly.frames.restart_index import RestartPoint, index_field, read_index
from jelly_spark.jelly.options import JellyOptions
from jelly_spark.jelly.wire import sized
from tests.codecs import PythonCodec
from tests.frames import frame_contents, frame_places
from tests.numbering import numbered

CODEC = PythonCodec()

# Lookup tables that overflow, but hold what one row needs.
_SMALL = {"max_name_table_size": 12, "max_prefix_table_size": 6, "max_datatype_table_size": 3}
_OPS = [*"AAAAAADDDD", "H", "PA", "PD", "TX", "TC", "TA", "END", "END"]


def all_options(interval: int) -> Iterator[JellyOptions]:
    """Yield options of every kind of stream, with frames of different sizes."""
    tables: dict[str, Any] = {**_SMALL, "restart_interval": interval}
    for number, kind in enumerate(StreamType):
        for statements in StatementType:
            yield JellyPatchOptions(
                stream_type=kind, statement_type=statements, frame_size=1 + 3 * number, **tables
            )
    for number, physical in enumerate(PhysicalType):
        for logical in LogicalType:
            if logical.fits(physical):
                yield JellyRdfOptions(
                    physical_type=physical,
                    logical_type=logical,
                    namespaces=number % 2 == 0,
                    frame_size=1 + logical.value % 10 * 3,
                    stream_name="é",
                    **tables,
                )
    yield JellyPatchOptions(**{**tables, "max_prefix_table_size": 0, "frame_size": 4})


def name_of(options: JellyOptions) -> str:
    """Return a name of the options, for the ids of tests."""
    if isinstance(options, JellyPatchOptions):
        prefixes = "" if options.max_prefix_table_size else "-no-prefixes"
        return f"{options.stream_type.name}-{options.statement_type.name}{prefixes}"
    assert isinstance(options, JellyRdfOptions)
    return f"{options.physical_type.name}-{options.logical_type.name}"


def rows_for(options: JellyOptions, size: int = 150, seed: int = 0) -> list[Any]:
    """Return random rows that fit a stream with these options."""
    random = Random(seed)
    if isinstance(options, JellyPatchOptions):
        quads = options.statement_type is StatementType.QUADS
        return numbered([_patch_row(random, quads=quads) for _ in range(size)])
    assert isinstance(options, JellyRdfOptions)
    quads = options.physical_type is not PhysicalType.TRIPLES
    frames = sorted(random.choices(range(size // 5), k=size))
    return [
        _rdf_row(random, quads=quads, namespaces=options.namespaces)._replace(frame=frame)
        for frame in frames
    ]


def _patch_row(random: Random, *, quads: bool) -> PatchRow:
    op = random.choice(_OPS)
    graph = _graph(random) if quads else None
    if op in ("A", "D"):
        return PatchRow(op, *_triple(random), graph)
    if op == "H":
        return PatchRow(op, name="key", value=_term(random))
    if op in ("PA", "PD"):
        value = _iri(random) if op == "PA" or random.random() < 0.5 else None
        return PatchRow(op, graph=graph, name="ex", value=value)
    return PatchRow(op)


def _rdf_row(random: Random, *, quads: bool, namespaces: bool) -> RdfRow:
    if namespaces and random.random() < 0.2:
        return RdfRow(name="ex", value=_iri(random))
    return RdfRow(*_triple(random), _graph(random) if quads else None)


def _triple(random: Random) -> tuple[str, str, str]:
    subject = random.choice([_iri(random), "_:b"])
    return subject, _iri(random), _term(random)


def _graph(random: Random) -> str | None:
    return random.choice([None, None, None, "<http://g.example/1>", "<http://g.example/2>"])


def _iri(random: Random) -> str:
    space = random.choice(["http://a.example/", "http://b.example/#", "urn:"])
    return f"<{space}{random.choice('abcdefghij')}>"


def _term(random: Random) -> str:
    datatype = random.choice("wxyz")
    return random.choice(
        [
            _iri(random),
            "_:b",
            '"text"',
            '"text"@en',
            f'"1"^^<http://www.w3.org/2001/XMLSchema#{datatype}>',
            f'<<( {_iri(random)} <urn:p> "q" )>>',
        ]
    )


def write(rows: Iterable[AnyRow], options: JellyOptions) -> bytes:
    """Return the file."""
    return CODEC.encode(rows, options)


def read(data: bytes, options: JellyOptions, **how: Any) -> list[Any]:
    """Return the rows of a file or of a part of it, including namespaces."""
    if options.format == "jelly_rdf":
        how = {"namespaces": True, **how}
    return CODEC.decode(data, options.format, **how)


def points_of(data: bytes) -> list[RestartPoint]:
    """Return the restart points of a file."""
    return read_index(io.BytesIO(data), 0)


def without_index(data: bytes) -> bytes:
    """Return a file without its index."""
    frames = frame_contents(data)
    field = index_field(points_of(data), 0)
    frames[-1] = frames[-1][: -len(field)]
    return b"".join(map(sized, frames))


def with_index(data: bytes, points: list[RestartPoint]) -> bytes:
    """Return a file without an index with an index of these restart points."""
    *_, (start, begin, _) = frame_places(data)
    last = data[begin:]
    length = start + len(sized(last + index_field(points, 0)))
    return data[:start] + sized(last + index_field(points, length))
