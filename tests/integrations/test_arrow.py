"""Rows as Arrow record batches, and back."""

import gc
import io
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import codec, patches
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError
from jelly_spark.formats import FORMATS
from jelly_spark.integrations.arrow import batches, from_arrow, schema, to_arrow
from tests.integrations.parity_files import each_file
from tests.integrations.strategies import patches as some_patches

S, P = "<urn:x:s>", "<urn:x:p>"
CHANGES = [
    PatchRow("H", name="id", value="<urn:uuid:1>"),
    PatchRow("TX"),
    PatchRow("PA", name="ex", value="<urn:x:>"),
    PatchRow("A", S, P, '"é😀"@de'),
    PatchRow("D", S, P, "_:o", "<urn:x:g>"),
    PatchRow("TC"),
    PatchRow("END"),
    PatchRow("A", S, P, '"last"'),
]
STATEMENTS = [RdfRow(S, P, '"a"'), RdfRow(S, P, "_:b", "_:g")]


def file_of(format: str, folder: Path) -> Path:
    rows: Any = CHANGES if FORMATS[format].row is PatchRow else STATEMENTS
    if format == "ntriples":
        rows = STATEMENTS[:1]
    path = folder / f"file{FORMATS[format].extension}"
    codec.write(path, rows)
    return path


@pytest.mark.parametrize("format", FORMATS)
def test_formats(format: str, tmp_path: Path) -> None:
    path = file_of(format, tmp_path)
    rows = list(codec.read(path))
    table = to_arrow(path).read_all()
    assert table.schema == schema(format)
    assert table.to_pylist() == [
        {name: getattr(row, name) for name in table.schema.names} for row in rows
    ]
    again = io.BytesIO()
    codec.write(again, from_arrow(table), format=format)
    assert again.getvalue() == path.read_bytes()


@pytest.mark.parametrize("format", FORMATS)
def test_columns_are_those_of_spark(format: str) -> None:
    spark = pytest.importorskip("pyspark.sql.pandas.types")
    from jelly_spark import schema as spark_schema

    found = spark.to_arrow_schema(spark_schema(format))
    assert [(f.name, f.type) for f in schema(format)] == [(f.name, f.type) for f in found]


def test_namespaces(tmp_path: Path) -> None:
    path = tmp_path / "data.jelly"
    options = codec.JellyRdfOptions(namespaces=True)
    codec.write(path, [RdfRow(name="ex", value="<urn:x:>"), *STATEMENTS], options=options)
    table = to_arrow(path, namespaces=True).read_all()
    assert table.schema == schema("jelly_rdf", namespaces=True)
    assert list(from_arrow(table)) == list(codec.read(path, namespaces=True))


@each_file
def test_parity_files(path: Path) -> None:
    rows: list[Any] = list(codec.read(path))
    assert list(from_arrow(to_arrow(path, size=3))) == rows
    assert list(from_arrow(to_arrow(path).read_pandas())) == rows
    # A part of a table has an index, which is no data.
    table = to_arrow(path).read_pandas()
    assert list(from_arrow(table[table.op == "A"])) == [row for row in rows if row.op == "A"]


@given(some_patches(), st.integers(1, 5))
def test_batches(rows: list[PatchRow], size: int) -> None:
    found = list(batches(rows, schema("jelly_patch"), size))
    assert list(from_arrow(pa.Table.from_batches(found, schema("jelly_patch")))) == rows
    assert [batch.num_rows for batch in found] == [
        min(size, len(rows) - start) for start in range(0, len(rows), size)
    ]


def test_some_columns() -> None:
    names = pa.schema([pa.field("object", pa.string()), pa.field("op", pa.string())])
    found = batches(CHANGES, names).read_all()
    assert found.schema.names == ["object", "op"]
    assert list(from_arrow(found)) == [PatchRow(row.op, object=row.object) for row in CHANGES]


def test_streaming() -> None:
    """Rows are taken as batches are read, and few are held in memory."""
    taken = 0

    def rows() -> Iterator[PatchRow]:
        nonlocal taken
        for number in range(40_000):
            taken += 1
            yield PatchRow("A", S, P, f'"{number}"')

    reader = batches(rows(), schema("jelly_patch"), 1000)
    assert taken == 0
    reader.read_next_batch()
    assert taken <= 2000
    tracemalloc.start()
    pa_before = pa.total_allocated_bytes()
    count = sum(1 for _ in from_arrow(reader))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 39_000
    assert peak < 5_000_000
    gc.collect()
    assert pa.total_allocated_bytes() - pa_before < 1_000_000


def test_long_texts_end_batches() -> None:
    text = '"' + "a" * (1 << 22) + '"'
    rows = (PatchRow("A", S, P, text) for _ in range(10))
    assert [batch.num_rows for batch in batches(rows, schema("jelly_patch"))] == [4, 4, 2]


def test_malformed_files(tmp_path: Path) -> None:
    path = tmp_path / "cut.jellyp"
    path.write_bytes(file_of("jelly_patch", tmp_path).read_bytes()[:-1])
    with pytest.raises(MalformedInputError, match=r"cut\.jellyp"):
        to_arrow(path).read_all()


def test_readers() -> None:
    reader = codec.open_reader(b"A <urn:x:s> <urn:x:p> _:o .\nZ .", format="rdf_patch")
    assert next(reader).op == "A"
    table = reader.to_arrow(size=10).read_all()
    assert table.column("op").to_pylist() == ["END"]
    with pytest.raises(ValueError, match="exhausted"):
        reader.to_arrow()


MANY = [
    RdfRow(f"<urn:x:{n // 8}>", f"<urn:p{n % 7}>", f'"{n % 50}é"', f"<urn:g{n // 300}>")
    for n in range(3000)
]
CONDITIONS: list[dict[str, Any]] = [
    {},
    {"predicate": ["<urn:p3>", "<urn:p4>"]},
    {"graph": "<urn:g5>"},
    {"graph": ["<urn:g0>", "<urn:g9>"], "object": '"7é"'},
    {"graph": None, "predicate": "<urn:p3>"},
    {"subject": []},
    {"seq": range(100, 2900, 3), "predicate": {"<urn:p1>"}},
]


@pytest.mark.parametrize("where", [*CONDITIONS, {"frame": range(2, 5)}, {"frame": [1, 8]}])
@pytest.mark.parametrize("graphs", [0, 1, 10])
def test_conditions(where: dict[str, Any], graphs: int) -> None:
    rows = [row._replace(graph=row.graph if graphs == 10 else None) for row in MANY]
    if graphs == 1:
        # The graph changes within most runs, and often.
        rows = [row._replace(graph=MANY[n % 9 * 300].graph) for n, row in enumerate(rows)]
    given = codec.JellyRdfOptions(physical_type=codec.PhysicalType.QUADS, frame_size=700)
    _check_conditions(rows, given, where)


@pytest.mark.parametrize(
    "where", [*CONDITIONS, {"op": ["TX", "A"]}, {"tx": range(3, 40)}, {"tx": None}, {"patch": 2}]
)
def test_conditions_of_patches(where: dict[str, Any]) -> None:
    rows = []
    for number in range(0, len(MANY), 100):
        rows.append(PatchRow("TX"))
        op: Any = "AD"[number // 200 % 2]
        rows += [PatchRow(op, *row[:4]) for row in MANY[number : number + 100]]
        rows.append(PatchRow("TC"))
        rows += [PatchRow("D", *row[:4]) for row in MANY[number : number + 2]]
        rows += [PatchRow("END")] * (number % 900 == 0)
    _check_conditions(rows, codec.JellyPatchOptions(), where)


def _check_conditions(rows: list[Any], options: Any, where: dict[str, Any]) -> None:
    """Columns have the rows that pass, as the iterator has, in batches of the same sizes."""
    file = io.BytesIO()
    codec.write(file, rows, format=options.format, options=options)
    data = file.getvalue()
    expected = list(codec.read(data, format=options.format, where=where))
    for size in (70, 1000, 1 << 16):
        found = list(to_arrow(data, format=options.format, where=where, size=size))
        assert all(batch.num_rows == size for batch in found[:-1])
        assert [row for batch in found for row in from_arrow(batch)] == expected
    if len(expected) > 3:
        reader = codec.open_reader(data, format=options.format, where=where)
        first = list(islice(reader, 3))
        assert first + list(from_arrow(reader.to_arrow())) == expected


def test_rows_after_batches() -> None:
    """A reader whose batches were begun goes on with the rows after them."""
    file = io.BytesIO()
    codec.write(file, MANY, format="jelly_rdf")
    reader = codec.open_reader(file.getvalue(), format="jelly_rdf")
    batch = reader.to_arrow(1000).read_next_batch()
    rows = [*from_arrow(batch), *reader]
    assert rows[:1000] == list(codec.read(file.getvalue(), format="jelly_rdf"))[:1000]
    assert rows[-1] == MANY[-1]._replace(frame=rows[-1].frame, seq=2999)


def test_pandas_and_parquet(tmp_path: Path) -> None:
    path = file_of("jelly_patch", tmp_path)
    frame = to_arrow(path).read_pandas()
    assert frame["tx"].dtype == "float64"  # pandas has no integers with nulls by default
    assert list(from_arrow(frame)) == list(codec.read(path))
    pyarrow.parquet.write_table(to_arrow(path).read_all(), tmp_path / "file.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "file.parquet")
    assert list(from_arrow(table)) == list(codec.read(path))


def test_polars(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    path = file_of("jelly_patch", tmp_path)
    frame = pl.from_arrow(to_arrow(path))
    assert frame.columns == list(PatchRow._fields)
    assert frame.filter(pl.col("op") == "A")["object"].to_list() == ['"é😀"@de', '"last"']
    assert list(from_arrow(frame)) == list(codec.read(path))


def test_other_types_of_strings() -> None:
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        array = pa.array(["A", "D"]).cast(kind)
        assert [row[0] for row in from_arrow(pa.table({"op": array}))] == ["A", "D"]
    assert list(from_arrow(pa.record_batch({"subject": pa.nulls(1)}))) == [RdfRow()]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1], "expected a table or stream of Arrow, not list"),
        (pa.table({"op": ["A"], "frame": [1]}), "column 'frame' is not one of PatchRow"),
        (pa.table([["A"], ["A"]], names=["op", "op"]), "a column is there twice"),
        (pa.table({"op": ["A"], "subject": [1]}), "column 'subject' must have strings, not int64"),
        (pa.table({"op": ["A"], "tx": [0.5]}), "column 'tx' must have whole numbers"),
        (pa.table({"op": ["A"], "tx": ["a"]}), "column 'tx' must have whole numbers"),
    ],
)
def test_wrong_data(data: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        list(from_arrow(data))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (RdfRow(S, P, S), "a row must be a PatchRow, not RdfRow"),
        (PatchRow("A", S, P, 1), "object must be a string, not int"),  # type: ignore[arg-type]
        (PatchRow("A", tx="1"), "tx must be a whole number, not str"),  # type: ignore[arg-type]
        (PatchRow("A", tx=1 << 63), "tx must be a whole number of 64 bits"),
    ],
)
def test_wrong_rows(row: Any, message: str) -> None:
    with pytest.raises(UnwritableRowError, match=message):
        batches([*CHANGES, row], schema("jelly_patch")).read_all()


def test_wrong_arguments(tmp_path: Path) -> None:
    path = file_of("jelly_patch", tmp_path)
    for size in (0, -1, 1 << 31, True, "1"):
        with pytest.raises(OptionError, match="size must be a whole number"):
            to_arrow(path, size=size)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="format must be one of"):
        schema("turtle")
    with pytest.raises(OptionError, match="namespaces"):
        schema("jelly_rdf", namespaces=1)  # type: ignore[arg-type]


def test_the_codec_does_not_import_pyarrow() -> None:
    program = """
import sys
for name in ("pyarrow", "rdflib", "pyoxigraph", "pyjelly"):
    sys.modules[name] = None  # importing them fails
import jelly_spark.codec
from jelly_spark.errors import MissingPackageError
try:
    jelly_spark.codec.open_reader(b"", format="rdf_patch").to_arrow()
except MissingPackageError as error:
    print(error)
import importlib
for name in ("arrow", "rdflib", "oxigraph", "pyjelly"):
    try:
        importlib.import_module(f"jelly_spark.integrations.{name}")
    except MissingPackageError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    packages = ("pyarrow", "pyarrow", "rdflib", "pyoxigraph", "pyjelly")
    for line, package in zip(run.stdout.splitlines(), packages, strict=True):
        assert f"pip install '{package}>=" in line


def test_patches_as_tables() -> None:
    patch = patches.diff([(S, P, '"old"')], [(S, P, '"new"')])
    table = batches(patch, schema("jelly_patch")).read_all()
    assert table.column("op").to_pylist() == ["TX", "D", "A", "TC"]
