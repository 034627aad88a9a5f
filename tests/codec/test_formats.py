"""What holds for the Python reader and writer of every format."""

import io
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.core.format import Format
from jelly_spark.core.options import WriteOptions
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.formats import FORMATS, find_format
from tests.codec.streams import peak_memory


@pytest.fixture(params=list(FORMATS))
def format(request: pytest.FixtureRequest) -> Format:
    return FORMATS[request.param]


def test_names(format: Format) -> None:
    assert find_format(format.name) is format
    assert format.options.format == format.name


def test_an_unknown_format() -> None:
    with pytest.raises(OptionError, match=r"format must be one of: jelly_patch, .*; not 'turtle'"):
        find_format("turtle")


def test_users_can_import_all_of_it(format: Format) -> None:
    parts = (format.row, format.options, format.reader, format.writer)
    names = {part.__name__ for part in parts}
    names |= {f"read_{format.name}", f"write_{format.name}"}
    assert names <= {*codec.__all__}


@pytest.mark.parametrize(
    ("format", "wrong"),
    [
        pytest.param(format, wrong, id=f"{format.name}-{getattr(wrong, 'format', None)}")
        for format in FORMATS.values()
        for wrong in (None, *(other.options() for other in FORMATS.values() if other != format))
    ],
)
def test_the_options_of_another_format_leave_no_file(
    format: Format, wrong: WriteOptions | None, tmp_path: Path
) -> None:
    with pytest.raises(OptionError, match=f"options must be {format.options.__name__}, not "):
        format.writer(tmp_path / "file", wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("limits", [None, 4096, codec.JellyPatchOptions()])
@pytest.mark.parametrize("name", ["jelly_patch", "jelly_rdf"])
def test_wrong_limits_are_rejected(name: str, limits: Any) -> None:
    with pytest.raises(OptionError, match="limits must be ReadLimits, not "):
        FORMATS[name].reader(io.BytesIO(), limits=limits)


def test_an_error_while_writing_leaves_the_file_as_it_was(format: Format, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"before")
    with pytest.raises(ZeroDivisionError), format.writer(path, format.options()):
        raise ZeroDivisionError
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_stream_of_the_caller_is_left_open(format: Format) -> None:
    stream = io.BytesIO()
    format.writer(stream, format.options()).close()
    with format.reader(stream) as reader:
        assert list(reader) == []
    assert not stream.closed


def test_a_target_that_can_be_no_file_is_named(format: Format, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing/file"):
        format.writer(tmp_path / "missing/file", format.options())
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        format.writer(tmp_path, format.options())
    assert list(tmp_path.iterdir()) == []


def test_memory_does_not_grow_with_the_file(format: Format) -> None:
    out = io.BytesIO()
    with format.writer(out, format.options()) as writer:
        for i in range(30_000):
            columns: dict[str, Any] = {"op": "A"} if format.row is PatchRow else {}
            columns |= {"subject": f"<http://example.org/{i}>", "predicate": "<p:>"}
            writer.write(format.row(**columns, object=f'"{i}"'))
    out.seek(0)
    counts: list[int] = []
    assert peak_memory(lambda: counts.append(sum(1 for _ in format.reader(out)))) < 8_000_000
    assert counts == [30_000]
