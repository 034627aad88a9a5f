"""Reading: places of errors, strictness, damage, and what a reader takes and gives."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark.codec import PatchRow, RdfPatchReader, Style, read_rdf_patch
from jelly_spark.errors import MalformedInputError
from tests.codec.damage import check_reading
from tests.codec.rdf_patch.helpers import encode, read
from tests.codec.rdf_patch.strategies import jena_patches, v1_patches
from tests.codec.streams import peak_memory

_SPACES = " \t\r\n\f" * 2000


def test_rows_are_numbered() -> None:
    rows = read("TX .\nA <s> <p> <o> .\nTC .\nZ .\nA <s> <p> <o> .\nTB .\n")
    assert [(row.op, row.patch, row.tx, row.seq) for row in rows] == [
        ("TX", 0, 0, 0),
        ("A", 0, 0, 1),
        ("TC", 0, 0, 2),
        ("END", 0, None, 3),
        ("A", 1, None, 4),
        ("TX", 1, 1, 5),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("X", "line 1 (row 0, byte 0)"),
        ("\ufeffX", "line 1 (row 0, byte 3)"),
        ("A <é> <p> <o> .\r\n  TX", "line 2 (row 1, byte 20)"),
        ("A <é> <p> <o> .\n# é\n\n  A <é>\n <p> X .", "line 4 (row 1, byte 25)"),
        ('A <s> <p> """\n\n""" . A <s> <p> .', "line 3 (row 1, byte 21)"),
        ("@prefix e: <x:> .\n@prefix e: <x> .", "line 2 (row 0, byte 18)"),
        ("A <s> <p> <o> .\n" * 5000 + "A <s> <p> ", "line 5001 (row 5000, byte 80000)"),
        ("A <é> <p> <o> . \n" * 5000 + "A <s> <p> ", "line 5001 (row 5000, byte 90000)"),
    ],
)
def test_places(text: str, place: str) -> None:
    with pytest.raises(MalformedInputError) as raised:
        read(text)
    assert raised.value.place == place
    found = f"(row {raised.value.row}, byte {raised.value.offset})"
    assert place.endswith(found)


def test_comments_are_not_decoded() -> None:
    assert len(read(b"# \xff\nTX . # \xc3\nTC . #\xe2\x82")) == 2


@pytest.mark.parametrize(
    ("text", "byte"),
    [
        (b"A <s\xff> <p> <o> .", "FF"),
        (b'A <s> <p> "\xed\xa0\x80" .', "ED"),
        (b"H \xc0\x80 <v> .", "C0"),
        (b"TX .\xe2\x82", "E2"),
    ],
)
def test_bytes_that_are_not_utf_8(text: bytes, byte: str) -> None:
    with pytest.raises(MalformedInputError) as raised:
        read(text)
    assert str(raised.value).endswith(f": expected UTF-8, found invalid UTF-8 (byte 0x{byte})")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TC .", "line 1 (row 0, byte 0): expected a TX before a TC, found no open transaction"),
        (
            "TX .\nTA .\nTA .",
            "line 3 (row 2, byte 10): expected a TX before a TA, found no open transaction",
        ),
        ("TX .\nTB .", "line 2 (row 1, byte 5): expected the transaction's TC or TA, found TX"),
        (
            "TX .\nZ .",
            "line 2 (row 1, byte 5): "
            "expected the transaction's TC or TA, found the end of the patch",
        ),
        (
            "TX .\nA <s> <p> <o> .\n",
            "line 3 (row 2, byte 21): "
            "expected the transaction's TC or TA, found the end of the input",
        ),
    ],
)
def test_strict(text: str, message: str) -> None:
    read(text)
    with pytest.raises(MalformedInputError) as raised:
        read(text, strict=True)
    assert str(raised.value) == f"<stream>: {message}"


@given(
    st.one_of(jena_patches().map(encode), v1_patches().map(lambda rows: encode(rows, Style.V1))),
    st.lists(st.tuples(st.integers(0, 1 << 20), st.binary(max_size=2)), max_size=4),
    st.integers(0, 1 << 20),
)
def test_damage(text: str, changes: list[tuple[int, bytes]], length: int) -> None:
    data = bytearray(text.encode())
    for at, change in changes:
        at %= len(data) + 1
        data[at : at + len(change)] = change
    del data[length % (len(data) + 1) :]
    _check(bytes(data))


@given(st.one_of(st.binary(max_size=40), st.text("AHDPTXZ<>\"':_.@^\\#R1e+ \n", max_size=40)))
def test_random_texts(text: bytes | str) -> None:
    _check(text if isinstance(text, bytes) else text.encode())


def _check(data: bytes) -> None:
    error = check_reading("rdf_patch", data)
    assert error is None or error.place.startswith("line ")


@pytest.mark.parametrize(
    "text",
    [
        "A <s> <p> <o> .\n" * 25_000,
        "A <s> <p> <o> . " * 25_000,
        f"A <s> {_SPACES * 80} <p> <o> .",
        f"A <s> #{'x' * 800_000}\n <p> <o> .",
        "# x\n" * 200_000,
        "@prefix a: <x:> .\n" * 25_000,
    ],
    ids=["rows", "one line", "spaces", "comment", "comments", "prefixes"],
)
def test_memory_does_not_grow_with_the_text(text: str) -> None:
    stream = io.BytesIO(text.encode())
    rows: list[int] = []
    assert peak_memory(lambda: rows.append(sum(1 for _ in read_rdf_patch(stream)))) < 700_000
    assert rows == [text.count("A <s>")]


@pytest.mark.parametrize(
    "row",
    [
        'A <s> <p> "' + r"\t" * 200_000 + '" .',
        'A <s> <p> """' + '"a' * 200_000 + '""" .',
        "A <s> <p> <" + r"\u0041" * 100_000 + "> .",
        "@prefix a: <x:> . A a:" + "%20" * 100_000 + " <p> <o> .",
        'A <s> <p> "x"@a' + "-b" * 200_000 + " .",
    ],
    ids=["escapes", "quotes", "IRI", "local name", "tag"],
)
def test_memory_grows_with_the_row_alone(row: str) -> None:
    # Nothing is kept for each escape.
    stream = io.BytesIO(row.encode())
    rows: list[PatchRow] = []
    assert peak_memory(lambda: rows.extend(read_rdf_patch(stream))) < 20 * len(row)
    assert len(rows) == 1


def test_paths_and_streams(tmp_path: Path) -> None:
    path = tmp_path / "a.rdfp"
    path.write_text("TX .\nTC .\nX")
    with pytest.raises(MalformedInputError) as raised:
        list(read_rdf_patch(path))
    assert raised.value.file == str(path)
    with path.open("rb") as stream:
        stream.seek(5)
        with RdfPatchReader(stream) as reader:
            assert next(iter(reader)).op == "TC"
        assert not stream.closed


def test_nothing_is_opened_before_the_first_row(tmp_path: Path) -> None:
    rows = read_rdf_patch(tmp_path / "none.rdfp")
    with pytest.raises(FileNotFoundError):
        next(rows)
