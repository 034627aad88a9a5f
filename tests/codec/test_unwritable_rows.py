"""Rows of a wrong class, or with wrong values: every writer refuses them with the same errors."""

import io
from typing import Any, NamedTuple

import pytest

from jelly_spark.codec import JellyRdfOptions, LogicalType, PatchRow, PhysicalType, RdfRow
from jelly_spark.core.format import Format
from jelly_spark.core.rows import AnyRow
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats import FORMATS
from jelly_spark.patches import Statement

A = PatchRow("A", "<a:s>", "<a:p>", "<a:o>", "<a:g>")
H = PatchRow("H", name="id", value="<a:b>")
PA = PatchRow("PA", name="ex", value="<a:b>")
PD = PatchRow("PD", name="ex")
QUAD = RdfRow("<a:s>", "<a:p>", "<a:o>", "<a:g>")
NAMESPACE = RdfRow(name="ex", value="<a:b>")
PATCH_FORMATS = [name for name, format in FORMATS.items() if format.row is PatchRow]


class Other(NamedTuple):
    """Another class of rows, with the columns of `PatchRow`."""

    op: str = "TX"
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    graph: str | None = None
    name: str | None = None
    value: str | None = None
    patch: int | None = None
    tx: int | None = None
    seq: int | None = None


class Loop(list[Any]):
    def __repr__(self) -> str:
        raise RuntimeError("no text")


def refused(format: Format, row: Any, options: Any = None) -> UnwritableRowError:
    out = io.BytesIO()
    writer = format.writer(out, format.options() if options is None else options)
    with pytest.raises(UnwritableRowError) as raised:
        writer.write(row)
    assert raised.value.row is not None
    assert str(raised.value).endswith(f"; in row {raised.value.row}")
    with pytest.raises(ValueError, match="an earlier write failed"):
        writer.write(row)
    writer.close()
    assert out.getvalue() == b""
    return raised.value


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize(
    "row",
    [
        Other(),
        Other("A", "<a:s>", "<a:p>", "<a:o>"),
        tuple(A),
        tuple(QUAD),
        A._asdict(),
        list(A),
        None,
        "TX .",
        b"TX .",
        5,
        object(),
        (),
        Loop(),
    ],
    ids=lambda row: type(row).__name__,
)
def test_rows_of_another_class(name: str, row: Any) -> None:
    format = FORMATS[name]
    error = refused(format, row)
    assert error.rule == f"a row must be a {format.row.__name__}, not {type(row).__name__}"


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("row", [A, QUAD], ids=lambda row: type(row).__name__)
def test_rows_of_spark(name: str, row: AnyRow) -> None:
    spark_row = pytest.importorskip("pyspark.sql").Row(**row._asdict())
    format = FORMATS[name]
    assert refused(format, spark_row).rule == f"a row must be a {format.row.__name__}, not Row"


def test_statements_are_written_as_rows() -> None:
    spark_row = pytest.importorskip("pyspark.sql").Row
    terms = ("<urn:x:s>", "<urn:x:p>", '"o"')
    statements = [
        terms,
        (*terms, None),
        Statement(*terms),
        spark_row(**dict(zip(RdfRow._fields, terms, strict=False))),
    ]
    for format in FORMATS.values():
        if format.row is RdfRow:
            file, expected = io.BytesIO(), io.BytesIO()
            format.write(file, statements)
            format.write(expected, [RdfRow(*terms)] * len(statements))
            assert file.getvalue() == expected.getvalue()
            swapped = spark_row(object=terms[0], predicate=terms[1], subject=terms[2])
            assert refused(format, swapped).rule == "a row must be a RdfRow, not Row"
            assert "must be of type str" in refused(format, (terms[0], terms[1], 1)).rule


@pytest.mark.parametrize("name", list(FORMATS))
def test_rows_of_another_of_our_classes(name: str) -> None:
    format = FORMATS[name]
    others: list[Any] = (
        [QUAD, NAMESPACE, RdfRow()] if format.row is PatchRow else [A, H, PatchRow("TX")]
    )
    for row in others:
        assert "a row must be a" in refused(format, row).rule
        options = JellyRdfOptions(namespaces=True) if name == "jelly_rdf" else None
        assert "a row must be a" in refused(format, row, options).rule


def test_a_row_of_a_subclass_is_written() -> None:
    class Mine(PatchRow):
        pass

    for name in PATCH_FORMATS:
        expected, out = io.BytesIO(), io.BytesIO()
        FORMATS[name].write(expected, [A])
        FORMATS[name].write(out, [Mine(*A)])
        assert out.getvalue() == expected.getvalue()


NO_STRINGS: list[Any] = [
    5,
    0,
    True,
    False,
    1.5,
    b"<a:b>",
    b"",
    [],
    ["<a:b>"],
    {},
    ("<a:b>",),
    object(),
    Loop(),
]


@pytest.mark.parametrize("name", PATCH_FORMATS)
@pytest.mark.parametrize("value", NO_STRINGS, ids=lambda value: type(value).__name__)
def test_columns_of_patches_must_be_strings(name: str, value: Any) -> None:
    format = FORMATS[name]
    for row, columns in (
        (A, A._fields[1:5]),
        (H, ("name", "value")),
        (PA, ("name", "value", "graph")),
    ):
        for column in columns:
            error = refused(format, row._replace(**{column: value}))
            assert type(value).__name__ in error.rule or "PD holds no value" in error.rule
            assert f'"{column}":' in (error.row or "")
    for column in ("name", "graph"):
        refused(format, PD._replace(**{column: value}))
    refused(format, A._replace(op=value))
    if not isinstance(value, int) or isinstance(value, bool):
        for row in (A, H, PA, PD, PatchRow("TX"), PatchRow("END")):
            for column in ("patch", "tx", "seq"):
                changed: dict[str, Any] = {column: value}
                error = refused(format, row._replace(**changed))
                assert error.rule == f"{column} must be a whole number, not {type(value).__name__}"


@pytest.mark.parametrize("physical", PhysicalType)
@pytest.mark.parametrize("value", NO_STRINGS, ids=lambda value: type(value).__name__)
def test_columns_of_rdf_must_be_strings(physical: PhysicalType, value: Any) -> None:
    options = JellyRdfOptions(physical_type=physical, namespaces=True)
    for row, columns in (
        (QUAD._replace(graph=None), QUAD._fields[:4]),
        (NAMESPACE, ("name", "value")),
    ):
        for column in columns:
            refused(FORMATS["jelly_rdf"], row._replace(**{column: value}), options)
    if not isinstance(value, int) or isinstance(value, bool):
        logical = LogicalType.GRAPHS if physical is PhysicalType.TRIPLES else LogicalType.DATASETS
        grouped = JellyRdfOptions(physical_type=physical, logical_type=logical)
        for column in ("frame", "seq"):
            changed: dict[str, Any] = {column: value}
            row = RdfRow("<a:s>", "<a:p>", "<a:o>")._replace(**changed)
            for each in (options, grouped):
                error = refused(FORMATS["jelly_rdf"], row, each)
                assert error.rule == f"{column} must be a whole number, not {type(value).__name__}"


@pytest.mark.parametrize("name", PATCH_FORMATS)
@pytest.mark.parametrize("op", [None, "", "a", "Z", "AA", 5, [], "\ud800"])
def test_codes(name: str, op: Any) -> None:
    for row in (PatchRow(op), A._replace(op=op)):
        assert "op must be one of: H, TX, TC" in refused(FORMATS[name], row).rule


@pytest.mark.parametrize("name", list(FORMATS))
def test_surrogates(name: str) -> None:
    format = FORMATS[name]
    options = JellyRdfOptions(namespaces=True) if name == "jelly_rdf" else None
    rows: list[Any] = [A, H, PA, PD] if format.row is PatchRow else [QUAD, NAMESPACE]
    for row in rows:
        for column, value in row._asdict().items():
            if value is not None and column != "op":
                for text in ("\ud800", '"\udfff"', "<a:\ud800>", "_:\ud800"):
                    error = refused(format, row._replace(**{column: text}), options)
                    assert error.row is not None
                    error.row.encode()  # raises if a surrogate is in it


@pytest.mark.parametrize("name", list(FORMATS))
def test_long_values_are_cut(name: str) -> None:
    format = FORMATS[name]
    row: Any = A if format.row is PatchRow else QUAD
    for value in ("x" * 10**6, ["x"] * 10**6, {"a": "x" * 10**6}):
        error = refused(format, row._replace(object=value))
        assert len(str(error)) < 1500


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**5000], ids=["over", "under", "huge"])
def test_ordinals_of_more_than_64_bits(name: str, value: Any) -> None:
    format = FORMATS[name]
    row: AnyRow = A if format.row is PatchRow else QUAD._replace(graph=None)
    for column in ("seq", "frame") if format.row is RdfRow else ("seq", "patch", "tx"):
        error = refused(format, row._replace(**{column: value}))
        assert error.rule == f"{column} must be a whole number of 64 bits, with its sign"
    for valid in (2**63 - 1, -(2**63), -1, 0):
        values: dict[str, Any] = {
            column: valid for column in row._fields if column in ("seq", "patch", "frame")
        }
        assert format.write(io.BytesIO(), [row._replace(**values)], format.options()) == 1
