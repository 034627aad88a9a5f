"""Writing after what a file or stream holds, and joining files."""

# pyjelly ships no types.
# mypy: disable-error-code="import-untyped"

import gzip
import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pyjelly.integrations.generic.parse import parse_jelly_flat

from jelly_spark import codec
from jelly_spark.codec import (
    AnyRow,
    JellyPatchOptions,
    JellyRdfOptions,
    LogicalType,
    PatchRow,
    PhysicalType,
    RdfPatchOptions,
    RdfRow,
    ReadLimits,
    StatementType,
    StreamType,
    Style,
    WriteOptions,
)
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError

_FIRST = [
    ("<urn:x:a/1>", "<urn:x:p>", '"1"', "<urn:x:g>"),
    ("<urn:x:a/2>", "<urn:x:p>", '"2"', None),
]
_SECOND = [
    ("<urn:y:b/1>", "<urn:y:q>", '"3"^^<urn:y:d>', None),
    ("<urn:x:a/1>", "<urn:y:q>", '"3"^^<urn:y:d>', "<urn:y:h>"),
]

_CASES: list[tuple[str, WriteOptions | None]] = [
    ("a.jellyp", None),
    ("a.jellyp", JellyPatchOptions(stream_type=StreamType.FLAT)),
    ("a.jellyp", JellyPatchOptions(stream_type=StreamType.FRAME)),
    ("a.jellyp", JellyPatchOptions(max_prefix_table_size=0)),
    ("a.jelly", None),
    ("a.jelly", JellyRdfOptions(physical_type=PhysicalType.GRAPHS)),
    ("a.jelly", JellyRdfOptions(logical_type=LogicalType.DATASETS)),
    ("a.rdfp", None),
    ("a.rdfp", RdfPatchOptions(style=Style.V1)),
    ("a.trp", None),
    ("a.nq", None),
]


def _rows(name: str, statements: list[tuple[str, str, str, str | None]]) -> list[AnyRow]:
    if name in ("a.jelly", "a.jelly.gz", "a.nq", "a.nq.gz"):
        return [RdfRow(*statement) for statement in statements]
    return [PatchRow("A", *statement) for statement in statements]


def _statements(rows: Iterable[AnyRow]) -> list[tuple[str | None, ...]]:
    return [
        (row.subject, row.predicate, row.object, row.graph)
        for row in rows
        if row.subject is not None
    ]


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize(("name", "options"), _CASES)
def test_what_is_appended_reads_as_it_was_written(
    tmp_path: Path, name: str, options: WriteOptions | None, suffix: str
) -> None:
    path = tmp_path / (name + suffix)
    codec.write(path, _rows(name, _FIRST), options=options, append=True)
    codec.write(path, _rows(name, _SECOND), options=options, append=True)
    assert _statements(codec.read(path, strict=True)) == _FIRST + _SECOND


@pytest.mark.parametrize(("name", "options"), _CASES)
def test_a_stream_is_appended_to(tmp_path: Path, name: str, options: WriteOptions | None) -> None:
    path = tmp_path / name
    for part in (_FIRST, _SECOND):
        with path.open("ab") as stream:
            codec.write(stream, _rows(name, part), options=options, append=True)
    assert _statements(codec.read(path, strict=True)) == _FIRST + _SECOND


@pytest.mark.parametrize("name", ["a.jellyp", "a.jelly"])
def test_a_stream_that_is_not_at_its_start_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    codec.write(path, _rows(name, _FIRST))
    before = path.read_bytes()
    with path.open("ab") as stream, pytest.raises(OptionError, match="append=True"):
        codec.open_writer(stream)
    assert path.read_bytes() == before
    memory = io.BytesIO()
    memory.write(b"x")
    with pytest.raises(OptionError, match="append=True"):
        codec.open_writer(memory, format="jelly_patch")
    assert memory.getvalue() == b"x"


def test_pyjelly_reads_what_was_appended(tmp_path: Path) -> None:
    path = tmp_path / "a.jelly"
    options = JellyRdfOptions(physical_type=PhysicalType.TRIPLES)
    for part in (_FIRST, _SECOND):
        rows = [RdfRow(*statement[:3]) for statement in part]
        codec.write(path, rows, options=options, append=True)
    with path.open("rb") as stream:
        subjects = [str(statement[0]) for statement in parse_jelly_flat(stream)]
    assert [subject.strip("<>") for subject in subjects] == [
        statement[0].strip("<>") for statement in _FIRST + _SECOND
    ]


@pytest.mark.parametrize(
    "options",
    [
        JellyPatchOptions(statement_type=StatementType.TRIPLES),
        JellyPatchOptions(max_name_table_size=100),
        JellyPatchOptions(delimited=False),
    ],
)
def test_other_options_than_the_files_are_refused(
    tmp_path: Path, options: JellyPatchOptions
) -> None:
    path = tmp_path / "a.jellyp"
    codec.write(path, _rows("a.jellyp", _FIRST))
    before = path.read_bytes()
    with pytest.raises(OptionError, match="the options of a stream cannot change"):
        codec.write(path, [], options=options, append=True)
    assert path.read_bytes() == before


def test_a_file_without_lengths_of_frames_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    codec.write(path, _rows("a.jellyp", _FIRST), options=JellyPatchOptions(delimited=False))
    with pytest.raises(OptionError, match="delimited=False"):
        codec.open_writer(path, append=True)
    stream = io.BytesIO(b"x")
    stream.seek(1)
    with pytest.raises(OptionError, match="delimited"):
        codec.write(stream, [], options=JellyPatchOptions(delimited=False), append=True)


@pytest.mark.parametrize("name", ["a.jellyp", "a.jelly", "a.rdfp", "a.trp"])
def test_after_an_error_the_file_is_as_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    codec.write(path, _rows(name, _FIRST))
    before = path.read_bytes()
    with pytest.raises(UnwritableRowError):
        codec.write(
            path, [*_rows(name, _SECOND), *_rows(name, [("no", "no", "no", None)])], append=True
        )
    with pytest.raises(ZeroDivisionError), codec.open_writer(path, append=True) as writer:
        writer.write_all(_rows(name, _SECOND))
        writer.flush()
        raise ZeroDivisionError
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_file_with_an_index_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    options = JellyPatchOptions(restart_interval=1, frame_size=1)
    codec.write(path, _rows("a.jellyp", _FIRST * 5), options=options)
    assert path.read_bytes().endswith(b"JellyIdx")
    codec.write(path, _rows("a.jellyp", _SECOND), options=options, append=True)
    size = path.stat().st_size
    parts = [list(codec.read(path, part=part)) for part in ((0, 1), (1, size))]
    assert [len(part) for part in parts] == [12, 0]
    assert _statements(parts[0]) == _FIRST * 5 + _SECOND


def test_a_text_whose_last_line_has_no_end_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "a.rdfp"
    path.write_text("TX .\nTC .\n# a comment")
    codec.write(path, [PatchRow("TX"), PatchRow("TC")], append=True)
    assert [row.op for row in codec.read_rdf_patch(path)] == ["TX", "TC", "TX", "TC"]


@pytest.mark.parametrize(("name", "options"), _CASES)
def test_concatenated_files_have_all_rows(
    tmp_path: Path, name: str, options: WriteOptions | None
) -> None:
    for number, part in enumerate((_FIRST, _SECOND)):
        codec.write(tmp_path / f"{number}{name}", _rows(name, part), options=options)
    sources = [tmp_path / f"{number}{name}" for number in range(2)]
    target = tmp_path / name
    count = codec.concatenate(target, *sources, options=options)
    rows: list[Any] = list(codec.read(target, strict=True))
    assert _statements(rows) == _FIRST + _SECOND
    assert count >= len(_FIRST + _SECOND)
    if isinstance(rows[0], PatchRow) and name != "a.jellyp" and not options:
        assert [row.op for row in rows] == ["A", "A", "END", "A", "A"]
    if isinstance(options, JellyRdfOptions) and options.logical_type is LogicalType.DATASETS:
        assert [row.frame for row in rows] == [0, 0, 1, 1]


def test_compressed_files_get_a_member(tmp_path: Path) -> None:
    path = tmp_path / "a.trp.gz"
    codec.write(path, _rows("a.trp", _FIRST))
    before = path.read_bytes()
    codec.write(path, _rows("a.trp", _SECOND), append=True)
    assert path.read_bytes().startswith(before)
    assert len(gzip.decompress(path.read_bytes())) > len(gzip.decompress(before))


def _written(path: Path) -> tuple[str, bytes]:
    name = path.name
    codec.write(path, _rows(name, _FIRST))
    return name, path.read_bytes()


@pytest.mark.parametrize("name", ["a.jellyp", "a.jelly", "a.rdfp", "a.trp"])
def test_streams_that_say_that_they_are_at_the_start(tmp_path: Path, name: str) -> None:
    """They are not, or nobody knows: `append=True` writes at their end, as after a restart."""
    path = tmp_path / name
    format = codec.target_format_of(path, None, None).name
    _, old = _written(path)
    memory = io.BytesIO(old)
    codec.write(memory, _rows(name, _SECOND), format=format, append=True)
    path.write_bytes(memory.getvalue())
    assert _statements(codec.read(path)) == _FIRST + _SECOND
    path.write_bytes(old)
    with os.fdopen(os.open(path, os.O_APPEND | os.O_WRONLY), "wb") as file:
        codec.write(file, _rows(name, _SECOND), format=format, append=True)
    assert _statements(codec.read(path)) == _FIRST + _SECOND
    packed = tmp_path / f"{name}.gz"
    codec.write(packed, _rows(name, _FIRST))
    with gzip.open(packed, "ab") as stream:
        codec.write(stream, _rows(name, _SECOND), format=format, append=True)
    assert _statements(codec.read(packed)) == _FIRST + _SECOND


@pytest.mark.parametrize("name", ["a.jellyp", "a.jelly"])
def test_a_file_that_is_open_to_append_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    format = codec.target_format_of(path, None, None).name
    _, old = _written(path)
    file = os.fdopen(os.open(path, os.O_APPEND | os.O_WRONLY), "wb")
    with file, pytest.raises(OptionError, match="append=True"):
        codec.write(file, _rows(name, _SECOND), format=format)
    assert path.read_bytes() == old


def test_a_pipe_is_not_read_before_it_is_appended_to(tmp_path: Path) -> None:
    pipe = tmp_path / "a.jellyp"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    codec.write(pipe, _rows("a.jellyp", _SECOND), append=True)
    data = os.read(reader, 1 << 16)
    os.close(reader)
    assert _statements(codec.read(data, format="jelly_patch")) == _SECOND


def test_a_thrift_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.trp"
    _, old = _written(path)
    path.write_bytes(old[:-9])
    with pytest.raises(MalformedInputError):
        codec.write(path, _rows("a.trp", _SECOND), append=True)
    assert path.read_bytes() == old[:-9]
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_with_large_lookup_tables_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "a.jellyp"
    options = JellyPatchOptions(max_name_table_size=8192)
    for statements in (_FIRST, _SECOND):
        codec.write(path, _rows("a.jellyp", statements), options=options, append=True)
    rows = codec.read(path, limits=ReadLimits(max_name_table_size=8192))
    assert _statements(rows) == _FIRST + _SECOND


def test_nothing_to_concatenate(tmp_path: Path) -> None:
    target = tmp_path / "log.jellyp"
    codec.write(target, [PatchRow("END")])
    before = target.read_bytes()
    with pytest.raises(OptionError, match="give at least one source"):
        codec.concatenate(target)
    assert target.read_bytes() == before
