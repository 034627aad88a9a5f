"""The codec's public face: formats by extension, by name and by options; readers, options."""

import dataclasses
import inspect
import io
import pickle
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import jelly_spark
from jelly_spark import codec, terms
from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    LogicalType,
    PatchRow,
    PhysicalType,
    RdfPatchOptions,
    RdfRow,
    RowReader,
    RowWriter,
)
from jelly_spark.core.format import Format
from jelly_spark.errors import JellySparkError, MalformedInputError, OptionError, UnwritableRowError
from jelly_spark.formats import FORMATS, WRITTEN

if TYPE_CHECKING:
    from typing_extensions import assert_type

PATCH = [
    PatchRow("TX", patch=0, tx=0, seq=0),
    PatchRow("A", "<a:s>", "<a:p>", '"o"', "<a:g>", patch=0, tx=0, seq=1),
    PatchRow("TC", patch=0, tx=0, seq=2),
]
RDF = {
    "jelly_rdf": RdfRow("<a:s>", "<a:p>", '"o"', "<a:g>", frame=0, seq=0),
    "ntriples": RdfRow("<a:s>", "<a:p>", '"o"', seq=0),
    "nquads": RdfRow("<a:s>", "<a:p>", '"o"', "<a:g>", seq=0),
}


def sample(format: Format) -> list[Any]:
    return PATCH if format.row is PatchRow else [RDF[format.name]]


@pytest.fixture(params=list(FORMATS))
def format(request: pytest.FixtureRequest) -> Format:
    return FORMATS[request.param]


def test_import_jelly_spark_is_enough_and_needs_nothing_else() -> None:
    program = """
import sys
import jelly_spark
jelly_spark.codec.read_jelly_patch, jelly_spark.terms.parse_term, jelly_spark.schema
print(sorted({"pyspark", "py4j", "zstandard", "fsspec"} & sys.modules.keys()))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"


def test_errors_of_values_are_value_errors() -> None:
    for call in (
        lambda: codec.write("file.jellyp", [], format="turtle"),
        lambda: terms.parse_term("oops"),
        lambda: list(codec.read(b"oops", format="jelly_patch")),
        lambda: codec.write(io.BytesIO(), [PatchRow("A")], format="jelly_patch"),
        lambda: jelly_spark.patches.invert([PatchRow("PD", name="x")]),
    ):
        with pytest.raises(ValueError) as found:
            call()
        assert isinstance(found.value, JellySparkError)


def test_the_package_without_pyspark() -> None:
    program = """
import sys
sys.modules["pyspark"] = sys.modules["py4j"] = None  # importing them fails
from jelly_spark import *
import jelly_spark
from jelly_spark import errors, functions as jf
print(hasattr(jelly_spark, "algebra"), hasattr(jelly_spark, "datasource"), "algebra" in dir())
for call in (
    lambda: jelly_spark.configure(None),
    lambda: jelly_spark.read_log(None, "jelly_patch", "log"),
    lambda: jelly_spark.read_stream(None, "jelly_patch", "log"),
    lambda: jelly_spark.Log("log", spark=object()),
    lambda: jelly_spark.Log.delta(object(), "lake.log"),
    lambda: jelly_spark.engine(None),
    lambda: jelly_spark.schema("jelly_patch"),
    lambda: jf.is_iri("object"),
    lambda: jf.from_jelly_patch("value", {"strict": True}),
    lambda: jf.literal("value", "urn:x:type"),
    lambda: exec("from jelly_spark import algebra"),
    lambda: exec("from jelly_spark import datasource"),
):
    try:
        call()
    except errors.MissingPackageError as error:
        print("pip install 'pyspark>=" in str(error))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stderr == ""
    assert run.stdout.splitlines() == ["False False False", *["True"] * 12]


@pytest.mark.parametrize("module", [codec, terms, jelly_spark])
def test_all_names_are_there_and_have_docstrings(module: Any) -> None:
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name


def test_by_extension(format: Format, tmp_path: Path) -> None:
    rows = sample(format)
    path = tmp_path / f"file{format.extension}"
    assert codec.write(path, rows) == len(rows)
    assert list(codec.read(path)) == list(codec.read(str(path))) == rows
    expected = io.BytesIO()
    assert format.write(expected, rows) == len(rows)
    assert path.read_bytes() == expected.getvalue()
    with codec.open_writer(path) as writer:
        for row in rows:
            writer.write(row)
    assert isinstance(writer, format.writer)  # type: ignore[arg-type]
    assert path.read_bytes() == expected.getvalue()
    with codec.open_reader(path) as reader:
        assert list(reader) == rows
    with path.open("rb") as stream:
        assert list(codec.read(stream)) == rows


def test_type_checkers_know_the_rows_of_a_format() -> None:
    """They are checked by `make lint`; this runs the same calls."""
    out = io.BytesIO()
    patches, statements = codec.read(b"", format="rdf_patch"), codec.read(b"", format="nquads")
    patch_reader = codec.open_reader(b"", format="rdf_patch_thrift")
    writer = codec.open_writer(out, format="sparql_update")
    if TYPE_CHECKING:
        assert_type(patches, Iterator[PatchRow])
        assert_type(statements, Iterator[RdfRow])
        assert_type(patch_reader, RowReader[PatchRow])
        assert_type(writer, RowWriter[PatchRow])
    assert [*patches, *statements, *patch_reader] == []
    writer.close()
    assert out.getvalue() == b""


def test_by_name(format: Format, tmp_path: Path) -> None:
    rows = sample(format)
    out = io.BytesIO()
    assert codec.write(out, rows, format=format.name) == len(rows)
    for data in (out.getvalue(), bytearray(out.getvalue()), memoryview(out.getvalue())):
        assert list(codec.read(data, format=format.name)) == rows
    # Whatever the extension is.
    path = tmp_path / "file.jelly"
    codec.write(path, rows, format=format.name)
    assert list(codec.read(path, format=format.name)) == rows


def test_by_options(format: Format, tmp_path: Path) -> None:
    out = io.BytesIO()
    codec.write(out, sample(format), options=format.options())
    assert list(codec.read(out.getvalue(), format=format.name)) == sample(format)
    with codec.open_writer(tmp_path / "file.bin", options=format.options()) as writer:
        assert isinstance(writer, format.writer)  # type: ignore[arg-type]


def test_contradictions(format: Format, tmp_path: Path) -> None:
    other = FORMATS["jelly_rdf" if format.name != "jelly_rdf" else "jelly_patch"]
    path = tmp_path / f"file{other.extension}"
    with pytest.raises(OptionError, match=f"options of {other.name} must be .* not "):
        codec.write(path, [], format=other.name, options=format.options())
    with pytest.raises(OptionError, match=f"extension of {other.name}.*format='{format.name}'"):
        codec.write(path, [], options=format.options())
    assert list(tmp_path.iterdir()) == []
    assert codec.write(path, [], format=format.name, options=format.options()) == 0


@pytest.mark.parametrize("file", ["file", "file.dat", "file.gz", "a.jellyp.bz2", b"", io.BytesIO()])
def test_an_unknown_extension_needs_a_format(file: Any) -> None:
    for call in (codec.read, codec.open_reader):
        with pytest.raises(OptionError, match=r"give format=, one of: jelly_patch, .*\.jellyp"):
            call(file)
    if not isinstance(file, bytes):
        with pytest.raises(OptionError, match="give format="):
            codec.write(file, [])


@pytest.mark.parametrize("name", ["turtle", "JELLY_PATCH", "", 5, [], b"jelly_patch"])
def test_unknown_formats(name: Any) -> None:
    for call in (codec.read, codec.open_reader):
        with pytest.raises(OptionError, match="format must be one of: jelly_patch, "):
            call("a.jellyp", format=name)
    with pytest.raises(OptionError, match="format must be one of: jelly_patch, "):
        codec.write("a.jellyp", [], format=name)


@pytest.mark.parametrize("file", ["changes.ru", "changes.ru.gz", b""])
def test_a_format_that_can_only_be_written(file: Any) -> None:
    format = "sparql_update" if file == b"" else None
    for call in (codec.read, codec.open_reader):
        with pytest.raises(OptionError, match="sparql_update can be written, not read"):
            call(file, format=format)


def test_unknown_options(format: Format) -> None:
    for call in (codec.read, codec.open_reader):
        with pytest.raises(OptionError, match=r"unknown option 'lenient'; .* are: .*strict"):
            call(b"", format=format.name, lenient=True)
        with pytest.raises(OptionError, match="strict must be one of: true, false; not 'no'"):
            list(call(b"", format=format.name, strict="no"))
        with pytest.raises(OptionError, match=r"'Strickt': did you mean strict\? .* are: .*strict"):
            call(b"", format=format.name, Strickt=True)
    with pytest.raises(OptionError, match="options must be WriteOptions, not"):
        codec.write(io.BytesIO(), [], options={"frameSize": 3})  # type: ignore[arg-type]


def test_nothing_is_opened_before_the_first_row() -> None:
    rows = codec.read("missing.jellyp")
    with pytest.raises(FileNotFoundError, match=r"missing\.jellyp"):
        next(rows)


def test_an_error_while_rows_are_made_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "bad.rdfp").write_text("TX .\nX .\n")
    with pytest.raises(MalformedInputError):
        codec.write(tmp_path / "good.jellyp", codec.read(tmp_path / "bad.rdfp"))
    with pytest.raises(UnwritableRowError):
        codec.write(tmp_path / "good.jellyp", [*PATCH, PatchRow("A")])
    assert [path.name for path in tmp_path.iterdir()] == ["bad.rdfp"]


def test_readers_say_why_there_are_no_more_rows(format: Format) -> None:
    out = io.BytesIO()
    format.write(out, sample(format))
    reader = format.reader(out.getvalue())
    assert next(reader) == sample(format)[0]
    assert list(reader) == sample(format)[1:]
    for call in (next, iter, list):
        with pytest.raises(ValueError, match="of <stream> is exhausted"):
            call(reader)
    one_by_one = format.reader(out.getvalue())
    assert [next(one_by_one) for _ in sample(format)] == sample(format)
    assert next(one_by_one, None) is None
    with pytest.raises(ValueError, match="is exhausted"):
        next(one_by_one)
    with format.reader(out.getvalue()) as closed:
        next(closed)
    closed.close()
    for call in (next, iter):
        with pytest.raises(ValueError, match="of <stream> is closed"):
            call(closed)
    failing = format.reader(b"\xff" * 20)
    with pytest.raises(MalformedInputError):
        next(failing)
    with pytest.raises(ValueError, match="stopped at an error"):
        next(failing)


def test_frames_of_a_closed_reader() -> None:
    reader = codec.JellyRdfReader(b"")
    assert list(reader.frames()) == []
    with pytest.raises(ValueError, match="is exhausted"):
        reader.frames()
    reader = codec.JellyRdfReader(b"")
    reader.frames()
    with pytest.raises(ValueError, match="not over both"):
        next(reader)
    reader.close()
    with pytest.raises(ValueError, match="is closed"):
        reader.frames()


@pytest.mark.parametrize(
    "options", [format.options() for format in WRITTEN.values()], ids=lambda o: o.format
)
def test_options_are_values(options: Any) -> None:
    for copy in (
        pickle.loads(pickle.dumps(options)),
        deepcopy(options),
        dataclasses.replace(options),
    ):
        assert copy == options
        assert hash(copy) == hash(options)
        assert repr(copy) == repr(options)
    for field in dataclasses.fields(options):
        value = getattr(options, field.name)
        assert dataclasses.replace(options, **{field.name: value}) == options


def test_replace_checks_values() -> None:
    assert dataclasses.replace(JellyPatchOptions(), frame_size=3).frame_size == 3
    assert dataclasses.replace(RdfPatchOptions(), style=codec.Style.V1).style is codec.Style.V1
    assert dataclasses.replace(codec.ReadLimits(), max_name_table_size=8).max_name_table_size == 8
    with pytest.raises(OptionError, match="frame_size"):
        dataclasses.replace(JellyPatchOptions(), frame_size=0)


@pytest.mark.parametrize("copied", [lambda o: o, lambda o: pickle.loads(pickle.dumps(o)), deepcopy])
def test_a_derived_logical_type_follows_the_physical_type(copied: Any) -> None:
    default = copied(JellyRdfOptions())
    triples = dataclasses.replace(default, physical_type=PhysicalType.TRIPLES)
    assert triples.logical_type is LogicalType.FLAT_TRIPLES
    assert triples == JellyRdfOptions(physical_type=PhysicalType.TRIPLES)
    again = dataclasses.replace(copied(triples), physical_type=PhysicalType.GRAPHS, frame_size=3)
    assert again.logical_type is LogicalType.FLAT_QUADS
    given = copied(JellyRdfOptions(logical_type=LogicalType.FLAT_QUADS))
    assert given == default
    with pytest.raises(OptionError, match="logical_type for physical_type TRIPLES must be one of"):
        dataclasses.replace(given, physical_type=PhysicalType.TRIPLES)
    datasets = dataclasses.replace(default, logical_type=LogicalType.DATASETS)
    with pytest.raises(OptionError, match="logical_type for physical_type TRIPLES must be one of"):
        dataclasses.replace(datasets, physical_type=PhysicalType.TRIPLES)


def test_terms() -> None:
    for text, term in {
        "<http://e/a>": terms.Iri("http://e/a"),
        "_:b": terms.BlankNode("b"),
        '"chat"@fr': terms.Literal("chat", language="fr"),
        '"1"^^<a:t>': terms.Literal("1", datatype="a:t"),
        "<<( <a:s> <a:p> _:o )>>": terms.TripleTerm(
            terms.Iri("a:s"), terms.Iri("a:p"), terms.BlankNode("o")
        ),
    }.items():
        assert terms.parse_term(text) == term
        assert terms.format_term(term) == text
    for bad in ("", "a", "<a b>", '"', 5, None, b"<a>", "\ud800"):
        with pytest.raises(terms.InvalidTermError):
            terms.parse_term(bad)  # type: ignore[arg-type]


def test_ints_of_too_many_digits_for_messages() -> None:
    with pytest.raises(OptionError, match=r"frame_size must be .*, not <int>"):
        JellyPatchOptions(frame_size=10**5000)
    with pytest.raises(OptionError, match=r"part must be .*, not <tuple>"):
        codec.JellyPatchReader(b"", part=(0, -(10**5000)))
    with pytest.raises(OptionError, match=r"delimited must be .*; not <int>"):
        JellyPatchOptions(delimited=10**5000)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [None, 5, [], "frameSize=3", {"frameSize": 3}, {1: "2"}])
def test_options_from_no_strings(options: Any) -> None:
    with pytest.raises(OptionError, match="options must be a mapping of strings, not "):
        JellyPatchOptions.from_strings(options)


def test_a_given_logical_type_must_fit_the_physical_type() -> None:
    given = JellyRdfOptions(logical_type=LogicalType.FLAT_QUADS)
    with pytest.raises(OptionError, match="logical_type for physical_type TRIPLES"):
        dataclasses.replace(given, physical_type=PhysicalType.TRIPLES)
    with pytest.raises(OptionError, match="logical_type for physical_type TRIPLES"):
        dataclasses.replace(
            JellyRdfOptions(),
            physical_type=PhysicalType.TRIPLES,
            logical_type=LogicalType.DATASETS,
        )
