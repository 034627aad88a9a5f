"""Damaged files: both codecs read the same rows, or find the same thing wrong at the same place."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from jelly_spark.codec import PatchRow, StreamType
from jelly_spark.errors import MalformedInputError
from jelly_spark.jelly.wire import BYTES, END_GROUP, START_GROUP, sized, varint
from tests.codec.jelly_patch.helpers import frame, options_row
from tests.codecs import Codec, JvmCodec, PythonCodec
from tests.differential.mutations import mutate
from tests.shared import ROOT, SHARED

_BATCHES = range(10)
_FILES_IN_BATCH = 30
# In bytes: long files find no more errors than short ones.
_LONGEST = 5000


@pytest.fixture(scope="module")
def corpus() -> list[bytes]:
    """The files of all parity cases, good and bad, that are there; neither empty nor long."""
    folders = (SHARED / "parity", ROOT / "tests" / "cases")
    paths = sorted(path for folder in folders for path in folder.rglob("*.jellyp"))
    files = [path.read_bytes() for path in paths if 0 < path.stat().st_size < _LONGEST]
    assert files
    return files


def outcome(codec: Codec, path: Path, *, strict: bool) -> list[PatchRow] | tuple[int, int | None]:
    """Return the rows, or the frame's offset and the row in it where the error is."""
    try:
        return codec.decode(path, strict=strict)
    except MalformedInputError as error:
        return error.offset, error.row


@pytest.mark.parametrize("seed", _BATCHES)
def test_mutations(jvm: JvmCodec, tmp_path: Path, corpus: list[bytes], seed: int) -> None:
    random = Random(seed)
    path = tmp_path / "patch"
    for number in range(_FILES_IN_BATCH):
        data = mutate(corpus, random)
        path.write_bytes(data)
        strict = number % 3 == 0
        expected = outcome(PythonCodec(), path, strict=strict)
        assert outcome(jvm, path, strict=strict) == expected, data.hex()


_OPTIONS = "0a120a1008021003180120014814500a580a78010a"


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("0d12091201ff32017052016f3200", id="bad text in a part that is overwritten"),
        pytest.param("11120f1201733201705a070a01ff0a026f6b", id="bad text that comes twice"),
        pytest.param("0f120d1201733201705281808080106f", id="length over 32 bits"),
        pytest.param("06b28080801000", id="tag over 32 bits"),
        pytest.param("0f120d12017332017052016f7a02a401", id="default graph that is no message"),
    ],
)
def test_hostile_rows(jvm: JvmCodec, tmp_path: Path, row: str) -> None:
    path = tmp_path / "patch"
    frame = bytes.fromhex(_OPTIONS + row)
    path.write_bytes(bytes([len(frame)]) + frame)
    rejected = (0, 1)
    assert outcome(PythonCodec(), path, strict=False) == rejected
    assert outcome(jvm, path, strict=False) == rejected


def _field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | BYTES) + sized(content)


def _statement(content: bytes) -> bytes:
    return _field(2, content)


def _quoted(content: bytes) -> bytes:
    for _ in range(60):
        content = _field(12, content)
    return _statement(content)


@pytest.mark.parametrize(
    ("wrap", "most"),
    [
        pytest.param(lambda groups: _field(6, b"") + groups, 100, id="in a row"),
        pytest.param(lambda groups: _statement(groups), 99, id="in a statement"),
        pytest.param(lambda groups: _statement(_field(1, groups)), 98, id="in an IRI"),
        pytest.param(_quoted, 39, id="in a triple quoted 60 deep"),
    ],
)
def test_unknown_groups(
    jvm: JvmCodec, tmp_path: Path, wrap: Callable[[bytes], bytes], most: int
) -> None:
    """Protobuf allows 100 levels of messages and groups."""
    path = tmp_path / "patch"
    deep = "expected a well-formed row"
    for depth in sorted({0, most, most + 1, 99, 100, 101}):
        groups = varint(20 << 3 | START_GROUP) * depth + varint(20 << 3 | END_GROUP) * depth
        path.write_bytes(sized(bytes.fromhex(_OPTIONS) + sized(wrap(groups))))
        found = []
        for codec in (PythonCodec(), jvm):
            try:
                found.append(str(codec.decode(path)))
            except MalformedInputError as error:
                found.append(str(error))
        assert found[0] == found[1]
        assert (deep in found[0]) == (depth > most)


@pytest.mark.parametrize("stream_type", StreamType)
def test_frames_without_content(jvm: JvmCodec, tmp_path: Path, stream_type: StreamType) -> None:
    path = tmp_path / "patch"
    start = frame(options_row(stream_type=stream_type.value))
    for row in (b"\x32\0", b"\x3a\0"):
        path.write_bytes(bytes(9) + start + bytes(10) + frame(row) + bytes(1000))
        for strict in (False, True):
            expected = outcome(PythonCodec(), path, strict=strict)
            assert outcome(jvm, path, strict=strict) == expected


def test_bad_text_in_graph_of_triples(jvm: JvmCodec, tmp_path: Path) -> None:
    """The graph is ignored, but it must be UTF-8."""
    path = tmp_path / "patch"
    path.write_bytes(
        bytes.fromhex("240a120a1008011003180120014814500a580a78010a0e120c12017332017052016f7201ff")
    )
    assert outcome(PythonCodec(), path, strict=False) == (0, 1)
    assert outcome(jvm, path, strict=False) == (0, 1)
