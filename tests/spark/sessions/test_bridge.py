"""The JVM's codec from Python: equal to the Python codec, with the errors of this package."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from pyspark.sql import SparkSession

from jelly_spark._version import __version__
from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    PatchRow,
    PhysicalType,
    RdfRow,
    ReadLimits,
    StatementType,
    StreamType,
    read_jelly_patch,
    read_jelly_rdf,
    write_jelly_patch,
)
from jelly_spark.errors import (
    MalformedInputError,
    OptionError,
    UnwritableRowError,
)
from jelly_spark.session import jar_path
from tests import bridge
from tests.spark.patches import SAMPLE, adds, encoded, write_file
from tests.spark.programs import run

pytestmark = pytest.mark.usefixtures("spark")

PATCH = "jelly_patch"

VERSION_FILE = "org/jellyspark/version.properties"

OPTIONS = [
    JellyPatchOptions(),
    JellyPatchOptions(stream_type=StreamType.FRAME),
    JellyPatchOptions(stream_type=StreamType.FLAT, frame_size=3),
    JellyPatchOptions(delimited=False, max_name_table_size=8, max_prefix_table_size=4),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_encode(options: JellyPatchOptions) -> None:
    assert bridge.encode(SAMPLE, options=options) == encoded(SAMPLE, options)


@pytest.mark.parametrize("options", OPTIONS)
def test_decode(tmp_path: Path, options: JellyPatchOptions) -> None:
    path = tmp_path / "a.jellyp"
    path.write_bytes(encoded(SAMPLE, options))
    expected = list(read_jelly_patch(path))
    assert list(bridge.decode(path)) == expected
    assert list(bridge.decode(str(path))) == expected
    assert list(bridge.decode(path.read_bytes(), format=PATCH)) == expected


@pytest.mark.parametrize("options", OPTIONS)
def test_rewrite(tmp_path: Path, options: JellyPatchOptions) -> None:
    source, target = write_file(tmp_path / "a.jellyp", SAMPLE), tmp_path / "b.jellyp"
    bridge.rewrite(source, target, options=options)
    assert target.read_bytes() == encoded(SAMPLE, options)


def test_a_session_that_is_named(spark: SparkSession) -> None:
    data = bridge.encode(SAMPLE, format=PATCH, spark=spark)
    assert list(bridge.decode(data, format=PATCH, spark=spark)) == SAMPLE


def test_no_rows() -> None:
    assert bridge.encode([], format=PATCH) == b""
    assert list(bridge.decode(b"", format=PATCH)) == []


def test_text_of_every_kind() -> None:
    text = '"tab\\u0009 quote\\" back\\\\ line\\n \U0001f600 \u2028 \x85 \x7f"'
    rows = [
        PatchRow("H", name="k\n\u2028\x85 \U0001f600", value=text),
        PatchRow("A", "<a:\\u0020>", "<a:p>", text, "_:g"),
    ]
    data = encoded(rows)
    assert bridge.encode(rows, format=PATCH) == data
    found = list(bridge.decode(data, format=PATCH))
    assert [row.name for row in found] == [row.name for row in rows]
    assert bridge.encode(found, format=PATCH) == data


def test_malformed_input(tmp_path: Path) -> None:
    path = tmp_path / "cut.jellyp"
    path.write_bytes(encoded(adds(100), JellyPatchOptions(frame_size=10))[:-3])
    with pytest.raises(MalformedInputError) as python:
        list(read_jelly_patch(path))
    with pytest.raises(MalformedInputError) as jvm:
        list(bridge.decode(path))
    ours, theirs = jvm.value, python.value
    assert ours.file == str(path)
    assert (ours.offset, ours.row) == (theirs.offset, theirs.row)
    assert ours.offset > 0
    assert (ours.expected, ours.found) == (theirs.expected, theirs.found)
    assert str(ours).startswith(f"{path}: frame at byte {ours.offset}")

    with pytest.raises(MalformedInputError) as stream:
        list(bridge.decode(path.read_bytes(), format=PATCH))
    assert stream.value.file == "<stream>"


def test_malformed_row() -> None:
    with pytest.raises(MalformedInputError) as caught:
        # A frame of one empty row.
        list(bridge.decode(b"\x02\x0a\x00", format=PATCH))
    assert (caught.value.offset, caught.value.row) == (0, 0)


def test_strict_and_limits() -> None:
    data = encoded(SAMPLE, JellyPatchOptions(max_name_table_size=5000))
    with pytest.raises(MalformedInputError, match="5000"):
        list(bridge.decode(data, format=PATCH))
    assert (
        list(bridge.decode(data, format=PATCH, limits=ReadLimits(max_name_table_size=5000)))
        == SAMPLE
    )

    open_transaction = encoded([PatchRow("TX", seq=0)])
    assert len(list(bridge.decode(open_transaction, format=PATCH))) == 1
    with pytest.raises(MalformedInputError):
        list(bridge.decode(open_transaction, format=PATCH, strict=True))


@pytest.mark.parametrize(
    ("row", "options"),
    [
        (PatchRow("X"), JellyPatchOptions()),  # type: ignore[arg-type]
        (PatchRow("A", "<a:s>", "<a:p>"), JellyPatchOptions()),
        (PatchRow("A", "<a:s>", "<a:p>", "no term"), JellyPatchOptions()),
        (PatchRow("A", "<a:s>", "<a:p>", '"\ud800"'), JellyPatchOptions()),
        (
            PatchRow("A", "<a:s>", "<a:p>", "<a:o>", "<a:g>"),
            JellyPatchOptions(statement_type=StatementType.TRIPLES),
        ),
        (
            PatchRow("A", "<a/s>", "<b/p>", "<c/o>", "<d/g>"),
            JellyPatchOptions(max_prefix_table_size=2),
        ),
    ],
)
def test_rows_that_cannot_be_written(
    tmp_path: Path, row: PatchRow, options: JellyPatchOptions
) -> None:
    with pytest.raises(UnwritableRowError) as caught:
        bridge.encode([*adds(2), row], options=options)
    assert caught.value.rule
    assert caught.value.row is not None
    assert caught.value.row.startswith(f'{{"op":"{row.op}"')
    with pytest.raises(UnwritableRowError) as python:
        encoded([*adds(2), row], options)
    # Text with a surrogate is refused before it is sent to the JVM.
    rule = caught.value.rule
    assert rule.endswith(python.value.rule) or "surrogate" in rule
    assert str(caught.value) == f"{caught.value.rule}; in row {caught.value.row}"


def test_an_open_transaction() -> None:
    with pytest.raises(UnwritableRowError, match="TC or TA") as caught:
        bridge.encode([PatchRow("TX")], format=PATCH)
    assert caught.value.row is None


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "missing.jellyp"
    with pytest.raises(FileNotFoundError, match=r"missing\.jellyp") as caught:
        list(bridge.decode(path))
    assert caught.value.filename == str(path)


def test_an_unknown_format() -> None:
    with pytest.raises(OptionError, match=r"format must be one of: jelly_patch, .*; not 'x'"):
        list(bridge.decode(b"", format="x"))


def test_another_format(tmp_path: Path) -> None:
    rows = [
        RdfRow(name="a", value="<a:>", frame=0, seq=0),
        RdfRow("<a:s>", "<a:p>", '"o"', "_:g", frame=0, seq=1),
    ]
    data = bridge.encode(rows, options=JellyRdfOptions(namespaces=True))
    assert list(bridge.decode(data, format="jelly_rdf", namespaces=True)) == rows
    source, target = tmp_path / "a.jelly", tmp_path / "b.jelly"
    source.write_bytes(data)
    graphs = JellyRdfOptions(physical_type=PhysicalType.GRAPHS)
    bridge.rewrite(source, target, options=graphs, strict=True)
    assert list(read_jelly_rdf(target)) == [rows[1]._replace(seq=0)]


def test_no_session() -> None:
    program = """
        import jelly_spark
        from jelly_spark import _bridge as bridge
        from jelly_spark.errors import NoSessionError

        stopped = jelly_spark.configure(builder()).getOrCreate()
        stopped.stop()
        for call in (
            lambda: bridge.engines("jelly_patch"),
            lambda: jelly_spark.parity(stopped, "file.jelly"),
        ):
            try:
                call()
            except NoSessionError as error:
                print("configure" in str(error))
    """
    assert run(program) == ["True", "True"]


def test_a_jar_of_another_version(tmp_path: Path) -> None:
    other = tmp_path / "jelly-spark-other.jar"
    with ZipFile(jar_path()) as source, ZipFile(other, "w") as target:
        for entry in source.infolist():
            data = source.read(entry)
            target.writestr(entry, b"version=0.0.1\n" if entry.filename == VERSION_FILE else data)
    program = """
        from jelly_spark import _bridge as bridge
        from jelly_spark.errors import JarVersionError
        spark = builder().config("spark.jars", sys.argv[1]).getOrCreate()
        try:
            bridge.engines("jelly_patch")
        except JarVersionError as error:
            print(error)
        spark.stop()
    """
    (message,) = run(program, other)
    assert "0.0.1" in message
    assert __version__ in message


def test_a_literal_longer_than_what_json_libraries_take(spark: SparkSession) -> None:
    row = PatchRow("A", "<a:s>", "<a:p>", f'"{"x" * 21_000_000}"')
    data = bridge.encode([row], format=PATCH)
    assert data == encoded([row])
    assert next(bridge.decode(data, format=PATCH)).object == row.object


def test_relative_paths_are_of_this_process(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_file(tmp_path / "a.jellyp", SAMPLE)
    monkeypatch.chdir(tmp_path)
    assert list(bridge.decode("a.jellyp")) == SAMPLE
    with pytest.raises(FileNotFoundError):
        list(bridge.decode("c.jellyp"))


def test_another_thread(spark: SparkSession) -> None:
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(bridge.encode, SAMPLE, format=PATCH).result() == encoded(SAMPLE)


def test_formats_are_named_as_in_the_codec(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="give format="):
        list(bridge.decode(encoded(SAMPLE)))
    source = write_file(tmp_path / "a.jellyp", SAMPLE)
    bridge.rewrite(source, tmp_path / "b.rdfp")
    assert [row.op for row in bridge.decode(tmp_path / "b.rdfp")] == [row.op for row in SAMPLE]


@pytest.mark.parametrize("extension", [".gz", ".zst"])
def test_compressed_files(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a.jellyp{extension}"
    write_jelly_patch(path, SAMPLE)
    assert list(bridge.decode(path)) == SAMPLE
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(MalformedInputError, match="undamaged compressed input"):
        list(bridge.decode(path))


def test_urls(tmp_path: Path) -> None:
    source = write_file(tmp_path / "a.jellyp", SAMPLE)
    assert list(bridge.decode(source.as_uri())) == SAMPLE
    write_jelly_patch("memory://bridge/b.jellyp.gz", SAMPLE)
    assert list(bridge.decode("memory://bridge/b.jellyp.gz")) == SAMPLE


@pytest.mark.parametrize(
    "row",
    [
        tuple(SAMPLE[0]),
        RdfRow("<a:s>", "<a:p>", "<a:o>"),
        PatchRow("A", "<a:s>", "<a:p>", ["<a:o>"]),  # type: ignore[arg-type]
        PatchRow("TX", seq=True),
        PatchRow("H", name=5, value='"x"'),  # type: ignore[arg-type]
        PatchRow("H", name="\ud800", value='"x"'),
        PatchRow(None),  # type: ignore[arg-type]
    ],
)
def test_rows_that_the_python_writer_refuses(row: PatchRow) -> None:
    with pytest.raises(UnwritableRowError) as ours:
        write_jelly_patch(BytesIO(), [row])
    with pytest.raises(UnwritableRowError) as theirs:
        bridge.encode([row], format=PATCH)
    assert theirs.value.row == ours.value.row
    assert theirs.value.row is not None


def test_file_names_that_are_not_utf8(tmp_path: Path) -> None:
    source = tmp_path / "a\udcff.jellyp"
    source.write_bytes(encoded(SAMPLE))
    expected = list(read_jelly_patch(source))
    assert list(bridge.decode(source)) == expected
    source.write_bytes(b"\xff\xff")
    with pytest.raises(MalformedInputError, match=r"a\\udcff\.jellyp"):
        list(bridge.decode(source))


def test_ordinals_of_more_than_64_bits() -> None:
    with pytest.raises(UnwritableRowError, match="seq must be a whole number of 64 bits"):
        bridge.encode([PatchRow("TX", seq=2**63)], format=PATCH)
