"""Sources and targets of every kind: compressed files, URLs, bytes and streams."""

import bz2
import gc
import gzip
import io
import lzma
import os
import signal
import stat
import subprocess
import sys
import tempfile
import warnings
import zlib
from errno import ELOOP, ENOENT, ENOTDIR
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import fsspec
import pytest
import zstandard
from fsspec.implementations.memory import MemoryFileSystem

from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions, JellyPatchReader, JellyPatchWriter, PatchRow
from jelly_spark.core.files.compression import COMPRESSIONS
from jelly_spark.core.files.local import LocalStorage
from jelly_spark.core.format import Format
from jelly_spark.core.rows import AnyRow
from jelly_spark.errors import MalformedInputError, MissingPackageError, OptionError
from jelly_spark.formats import FORMATS
from tests.codec.streams import peak_memory
from tests.codec.test_codec import sample
from tests.codecs import JvmCodec, PythonCodec


@pytest.fixture(params=list(FORMATS))
def format(request: pytest.FixtureRequest) -> Format:
    return FORMATS[request.param]


def encoded(format: Format, rows: list[AnyRow] | None = None) -> bytes:
    out = io.BytesIO()
    format.write(out, sample(format) if rows is None else rows)
    return out.getvalue()


def adds(count: int) -> list[AnyRow]:
    return [PatchRow("A", f"<a:s{i}>", "<a:p>", f'"{i}"', patch=0, seq=i) for i in range(count)]


def compress(extension: str, data: bytes) -> bytes:
    return gzip.compress(data) if extension == ".gz" else zstandard.compress(data)


EXTENSIONS = [compression.extension for compression in COMPRESSIONS]


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_compressed_by_extension(format: Format, tmp_path: Path, extension: str) -> None:
    rows = sample(format)
    path = tmp_path / f"file{format.extension}{extension}"
    assert codec.write(path, rows) == len(rows)
    first = path.read_bytes()
    content = (
        gzip.decompress(first)
        if extension == ".gz"
        else zstandard.ZstdDecompressor().decompressobj().decompress(first)
    )
    assert content == encoded(format)
    assert list(codec.read(path)) == rows
    assert list(format.reader(path)) == list(format.read(str(path))) == rows
    with format.writer(path, format.options()) as writer:
        writer.write_all(rows)
    # The file holds neither a name nor a time.
    assert path.read_bytes() == first
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_parts_joined(format: Format, tmp_path: Path, extension: str) -> None:
    """As `cat a.gz b.gz` writes them; a member may be empty."""
    data = encoded(format)
    parts = (b"", data[:7], data[7:], b"")
    path = tmp_path / f"file{format.extension}{extension}"
    path.write_bytes(b"".join(compress(extension, part) for part in parts))
    assert list(codec.read(path)) == sample(format)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_an_empty_file_has_no_rows(format: Format, tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"file{format.extension}{extension}"
    path.write_bytes(b"")
    assert list(codec.read(path)) == []


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_damaged(format: Format, tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"file{format.extension}{extension}"
    whole = compress(extension, encoded(format))
    for cut in range(1, len(whole)):
        path.write_bytes(whole[:cut])
        with pytest.raises(MalformedInputError, match="undamaged compressed input") as raised:
            list(codec.read(path))
        assert raised.value.file == str(path)
    for garbage in (b"x", whole[:-1], bytes(range(30))):
        path.write_bytes(whole + garbage)
        with pytest.raises(MalformedInputError, match="undamaged compressed input"):
            list(codec.read(path))
    path.write_bytes(encoded(format))
    with pytest.raises(MalformedInputError, match="undamaged compressed input"):
        list(codec.read(path))


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_rows_before_damage_are_delivered(tmp_path: Path, extension: str) -> None:
    rows = adds(20_000)
    data = compress(extension, encoded(FORMATS["jelly_patch"], rows))
    path = tmp_path / f"file.jellyp{extension}"
    path.write_bytes(data[: len(data) // 2])
    found: list[PatchRow] = []
    with pytest.raises(MalformedInputError, match="frame at byte"):
        found.extend(JellyPatchReader(path))
    assert len(found) > 1000
    assert found == rows[: len(found)]


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_memory_stays_bounded(tmp_path: Path, extension: str) -> None:
    """A file of a few KiB that holds 64 MiB of comments and empty lines."""
    path = tmp_path / f"file.rdfp{extension}"
    size = 64 << 20
    if extension == ".gz":
        with gzip.open(path, "wb") as out:
            for _ in range(size >> 20):
                out.write(b"# " + b"\n" * (1 << 20))
    else:
        with zstandard.open(path, "wb") as out:
            for _ in range(size >> 20):
                out.write(b"# " + b"\n" * (1 << 20))
    rows: list[AnyRow] = []
    assert peak_memory(lambda: rows.extend(codec.read(path))) < size // 4
    assert rows == []


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_parts_of_compressed_files(tmp_path: Path, extension: str) -> None:
    """The first part holds all rows: compressed files are not split."""
    rows = adds(200)
    options = JellyPatchOptions(restart_interval=100, frame_size=10)
    path = tmp_path / f"file.jellyp{extension}"
    codec.write(path, rows, options=options)
    assert list(JellyPatchReader(path, part=(0, 1))) == rows
    assert list(JellyPatchReader(path, part=(1, 1 << 30))) == []
    assert list(JellyPatchReader(path, part=(0, 0))) == []


def test_streams_are_taken_as_they_are(tmp_path: Path) -> None:
    rows = adds(3)
    path = tmp_path / "file.jellyp.gz"
    with path.open("wb") as stream:
        codec.write(stream, rows)
    assert path.read_bytes() == encoded(FORMATS["jelly_patch"], rows)
    codec.write(path, rows)
    with gzip.open(path) as unzipped:
        assert list(codec.read(unzipped)) == rows


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            gzip.compress(b"TX .\n", mtime=0),
            r"compressed with gzip: give .* \.gz, or decompress it",
        ),
        (zstandard.compress(b"TX .\n"), r"compressed with zstd: give .* \.zst, or decompress it"),
        (bz2.compress(b"TX .\n"), r"compressed with bzip2: decompress it first"),
        (lzma.compress(b"TX .\n"), r"compressed with xz: decompress it first"),
        (b"PK\x03\x04\x14\0\0\0", "this looks like a zip archive"),
        (b"PAR1\x15\x04\x15", "this looks like a Parquet file"),
        (b"<!DOCTYPE html>\n<html>", "this looks like an HTML page"),
        (b'\n<html lang="en">', "this looks like an HTML page"),
        (b'<?xml version="1.0"?>\n<rdf:RDF', "this looks like XML"),
        (b'{"error": "not found"}', "this looks like JSON"),
        (b"PREFIX ex: <http://example.org/>\n", "this looks like Turtle or TriG"),
        ("TX .\n".encode("utf-16"), "this looks like text in UTF-16"),
        ("<http://x/a> ".encode("utf-16-le"), "this looks like text in UTF-16: convert it"),
        ("@prefix : <a:> .".encode("utf-16-be"), "this looks like text in UTF-16: convert it"),
    ],
    # Compressed data in the ids would differ between processes: gzip holds the time.
    ids=[
        *["gzip", "zstd", "bzip2", "xz", "zip", "parquet", "doctype", "html"],
        *["xml", "json", "turtle", "utf-16", "utf-16-le", "utf-16-be"],
    ],
)
def test_a_file_of_another_kind(format: Format, tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / f"file{format.extension}"
    path.write_bytes(data)
    for file in (path, data, io.BytesIO(data)):
        with pytest.raises(MalformedInputError, match=says) as raised:
            list(format.reader(file))
        assert raised.value.hint is not None
        assert raised.value.hint not in raised.value.found


PREFIXES = b"# c\n@prefix ex: <http://example.org/> .\n\n@prefix : <#> .\n"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (PREFIXES + b"ex:s a ex:c .\n", "this looks like Turtle or TriG"),
        (PREFIXES * 20 + b"ex:s a ex:c .\n", "this looks like Turtle or TriG"),
        (b"@prefix\nex:<http://example.org/>.ex:s a ex:c.", "this looks like Turtle or TriG"),
        (PREFIXES + b"A ex:s ex:p ex:o .\n", "this looks like RDF Patch text"),
        (PREFIXES + b"# a patch\n TX .\n", "this looks like RDF Patch text"),
    ],
    ids=["turtle", "many prefixes", "in one line", "version 1", "a transaction"],
)
def test_files_that_begin_with_prefixes(format: Format, data: bytes, says: str) -> None:
    with pytest.raises(MalformedInputError) as raised:
        list(format.reader(data + b"\xff"))
    hint = raised.value.hint
    if format.name == "rdf_patch":
        assert hint is None
    else:
        assert hint is not None and hint.startswith(says)


def test_empty_lines_are_no_options_row_of_jelly(jvm: JvmCodec) -> None:
    for each in (PythonCodec(), jvm):
        with pytest.raises(MalformedInputError, match="this looks like Turtle or TriG"):
            each.decode(b"\n" * 5 + PREFIXES, "jelly_patch")


@pytest.mark.parametrize("name", ["ntriples", "nquads"])
@pytest.mark.parametrize("rest", [b" .\n", b"\nbad\n", b"\nMESSAGE\n", b"\n<a:s> bad .\n"])
def test_lines_that_begin_with_a_version(name: str, rest: bytes) -> None:
    with pytest.raises(MalformedInputError) as raised:
        list(FORMATS[name].reader(b'VERSION "1.2"' + rest))
    assert raised.value.hint is None


@pytest.mark.parametrize("other", list(FORMATS))
def test_a_file_of_another_format(format: Format, other: str) -> None:
    data = encoded(FORMATS[other])
    if other == format.name:
        assert list(format.reader(data)) == sample(format)
        with pytest.raises(MalformedInputError) as own:
            list(format.reader(data[:-1] + b"\xff\xff"))
        assert own.value.hint is None
        return
    if {format.name, other} == {"ntriples", "nquads"}:
        # They begin alike.
        return
    shown = "ntriples or nquads" if other in ("ntriples", "nquads") else other
    with pytest.raises(MalformedInputError, match=f"read it with the format {shown}") as raised:
        list(format.reader(data))
    assert raised.value.hint is not None
    assert str(raised.value).endswith(f" ({raised.value.hint})")


def test_all_rows_hint_at_their_format() -> None:
    rows = [
        PatchRow("H", name="id", value="<a:b>"),
        PatchRow("PA", name="ex", value="<a:b>"),
        PatchRow("PD", name="ex"),
        PatchRow("PA", name="ex", value="<a:b>", graph="<a:g>"),
        PatchRow("A", "_:s", "<a:p>", "<a:o>"),
        PatchRow("D", "<<( <a:s> <a:p> <a:o> )>>", "<a:p>", '"o"', "_:g"),
        PatchRow("TX", seq=0),
        PatchRow("TC", seq=0),
        PatchRow("TA", seq=0),
        PatchRow("END"),
    ]
    for row in rows:
        for name in ("rdf_patch", "rdf_patch_thrift", "jelly_patch"):
            data = encoded(FORMATS[name], [row])
            with pytest.raises(MalformedInputError, match=f"with the format {name}"):
                list(codec.read(data, format="jelly_rdf"))


@pytest.mark.parametrize("mode", ["r", "w+"])
def test_streams_of_text(format: Format, tmp_path: Path, mode: str) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"")
    with path.open(mode) as text:
        with pytest.raises(OptionError, match=r"file\.txt is a stream of text.* mode 'rb'"):
            format.reader(text)
        with pytest.raises(OptionError, match=r"file\.txt is a stream of text.* mode 'wb'"):
            format.writer(text, format.options())
    with pytest.raises(OptionError, match="<stream> is a stream of text"):
        format.reader(io.StringIO("TX ."))  # type: ignore[arg-type]
    with tempfile.NamedTemporaryFile("w+") as text, pytest.raises(OptionError, match="of text"):
        format.reader(text)

    class Text:
        def read(self, size: int) -> str:
            return "TX ."

    with pytest.raises(OptionError, match="of text"):
        list(format.reader(Text()))  # type: ignore[arg-type]


@pytest.mark.parametrize("file", [None, 5, object(), [b"x"], {}, io.BytesIO])
def test_arguments_that_are_not_files_are_rejected(format: Format, file: Any) -> None:
    for open_file in (format.reader, lambda file: format.writer(file, format.options())):
        with pytest.raises(OptionError, match="file must be a path or a stream of bytes, not "):
            open_file(file)


def test_wrong_paths_are_rejected(format: Format, tmp_path: Path) -> None:
    for open_file in (format.reader, lambda file: format.writer(file, format.options())):
        with pytest.raises(FileNotFoundError, match="the path is empty"):
            open_file("")
        with pytest.raises(OptionError, match="NUL"):
            open_file("a\0b")
        with pytest.raises(OptionError, match="surrogate"):
            open_file("\ud800")
        with pytest.raises(OptionError, match="no scheme"):
            open_file("://a.jellyp")
        with pytest.raises(IsADirectoryError, match=str(tmp_path)):
            open_file(tmp_path)
    with pytest.raises(IsADirectoryError, match="this is a folder: read its files"):
        format.reader(tmp_path)
    with pytest.raises(FileNotFoundError, match="missing"):
        format.reader(tmp_path / "missing")
    with pytest.raises(OptionError, match=r"pass an io\.BytesIO"):
        format.writer(b"", format.options())


def test_streams_that_return_something_else_than_bytes() -> None:
    class Odd:
        def __init__(self, chunk: Any) -> None:
            self.chunk = chunk

        def read(self, size: int) -> Any:
            chunk, self.chunk = self.chunk, b""
            return chunk

    with pytest.raises(BlockingIOError):
        list(JellyPatchReader(Odd(None)))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="must return bytes, not list"):
        list(JellyPatchReader(Odd([])))  # type: ignore[arg-type]
    data = encoded(FORMATS["jelly_patch"])
    for chunk in (bytearray(data), memoryview(data)):
        assert len(list(JellyPatchReader(Odd(chunk)))) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("extension", ["", *EXTENSIONS])
def test_urls(format: Format, tmp_path: Path, extension: str) -> None:
    memory = fsspec.filesystem("memory")
    rows = sample(format)
    url = f"memory://test_urls/a b#[x]/file{format.extension}{extension}"
    assert codec.write(url, rows) == len(rows)
    assert list(codec.read(url)) == rows
    with pytest.raises(ZeroDivisionError), codec.open_writer(url) as writer:
        raise ZeroDivisionError
    with codec.open_writer(url) as writer:
        writer.write_all(rows[:1])
        # The file changes only when the writer is closed.
        assert list(codec.read(url)) == rows
        writer.write_all(rows[1:])
    folder = os.path.dirname(url)
    assert [Path(path).name for path in memory.ls(folder, detail=False)] == [Path(url).name]
    with pytest.raises(IsADirectoryError):
        codec.write(folder, rows, format=format.name)
    local = (tmp_path / f"a b{format.extension}{extension}").as_uri()
    assert codec.write(local, rows) == len(rows)
    assert (tmp_path / f"a b{format.extension}{extension}").is_file()
    assert list(codec.read(local)) == rows
    memory.rm("/test_urls", recursive=True)


def test_wrong_urls_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(codec.read("memory://missing/a.jellyp"))
    with pytest.raises(OptionError, match=r"'nosuch://a\.jellyp' is not the URL"):
        list(codec.read("nosuch://a.jellyp"))
    with pytest.raises(OptionError, match="must not name a host"):
        list(codec.read("file://host/a.jellyp"))
    with pytest.raises(OptionError, match=r"'nosuch://a\.jellyp' is not the URL"):
        codec.write("nosuch://a.jellyp", [])
    with pytest.raises(IsADirectoryError):
        codec.write(tmp_path.as_uri(), [], format="jelly_patch")


@pytest.mark.parametrize(
    ("package", "file"), [("zstandard", "a.jellyp.zst"), ("fsspec.core", "memory://a.jellyp")]
)
def test_a_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, file: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jellyp.zst").write_bytes(b"before")
    monkeypatch.setitem(sys.modules, package, None)
    install = f"pip install '{package.partition('.')[0]}>="
    with pytest.raises(MissingPackageError, match=install):
        list(codec.read(file))
    with pytest.raises(MissingPackageError, match=install):
        codec.write(file, [])
    assert [(path.name, path.read_bytes()) for path in Path().iterdir()] == [
        ("a.jellyp.zst", b"before")
    ]


def test_flush(format: Format) -> None:
    rows = sample(format)
    out = io.BytesIO()
    writer = format.writer(out, format.options())
    for count, row in enumerate(rows, 1):
        writer.write(row)
        writer.flush()
        found = list(format.reader(out.getvalue()))
        assert found == rows[:count]
    writer.close()
    assert list(format.reader(out.getvalue())) == rows
    writer.close()
    for call in (writer.flush, lambda: writer.write(rows[0])):
        with pytest.raises(ValueError, match="the writer is closed"):
            call()
    empty = io.BytesIO()
    with format.writer(empty, format.options()) as writer:
        writer.flush()
    assert empty.getvalue() == b""


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_flush_of_compressed_files(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"file.jellyp{extension}"
    with JellyPatchWriter(path) as writer:
        writer.write(PatchRow("TX"))
        writer.flush()
        (part,) = tmp_path.iterdir()
        # The file is not complete yet: `gzip.open` would report it as cut off.
        if extension == ".gz":
            decompressor: Any = zlib.decompressobj(wbits=31)
        else:
            decompressor = zstandard.ZstdDecompressor().decompressobj()
        data = decompressor.decompress(part.read_bytes())
        assert [row.op for row in JellyPatchReader(data)] == ["TX"]
        writer.write(PatchRow("TC"))
    assert [row.op for row in codec.read_jelly_patch(path)] == ["TX", "TC"]


def test_flush_does_not_end_a_frame_that_has_a_meaning() -> None:
    frame = JellyPatchOptions(stream_type=codec.StreamType.FRAME)
    grouped = codec.JellyRdfOptions(logical_type=codec.LogicalType.DATASETS)
    for options, row in ((frame, adds(1)[0]), (grouped, codec.RdfRow("<a:s>", "<a:p>", "<a:o>"))):
        held, plain = io.BytesIO(), io.BytesIO()
        with codec.open_writer(held, options=options) as writer:
            writer.write(row)
            writer.flush()
            assert held.getvalue() == b""
            writer.write(row)
        codec.write(plain, [row, row], options=options)
        assert held.getvalue() == plain.getvalue()


@pytest.mark.parametrize("every", [1, 7, 50])
def test_flush_and_restart_points(every: int) -> None:
    rows = adds(200)
    out = io.BytesIO()
    with JellyPatchWriter(out, JellyPatchOptions(restart_interval=300, frame_size=20)) as writer:
        for number, row in enumerate(rows):
            writer.write(row)  # type: ignore[arg-type]
            if number % every == 0:
                writer.flush()
    data = out.getvalue()
    assert list(codec.read(data, format="jelly_patch")) == rows
    parts = [(at, at + 100) for at in range(0, len(data), 100)]
    found = [list(JellyPatchReader(data, part=part)) for part in parts]
    assert [row for part in found for row in part] == rows
    assert sum(map(bool, found)) > 3


def test_a_file_whose_only_frame_was_flushed_ends_well() -> None:
    out, rows = io.BytesIO(), adds(5)
    with JellyPatchWriter(out, JellyPatchOptions(restart_interval=1)) as writer:
        for row in rows:
            writer.write(row)  # type: ignore[arg-type]
        writer.flush()
    assert list(codec.read(out.getvalue(), format="jelly_patch")) == rows


class Unremovable(MemoryFileSystem):  # type: ignore[misc]
    """A store where nothing may be removed."""

    protocol = "unremovable"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    def rm_file(self, path: str) -> None:
        raise PermissionError("no right to remove")


class Uncopyable(MemoryFileSystem):  # type: ignore[misc]
    """A store that can neither copy nor rename."""

    protocol = "uncopyable"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    def cp_file(self, path1: str, path2: str, **_: Any) -> None:
        raise NotImplementedError


def test_urls_whose_temporary_file_stays() -> None:
    fsspec.register_implementation("unremovable", Unremovable, clobber=True)
    with pytest.warns(ResourceWarning, match=r"a\.jellyp is written, but its temporary file"):
        assert codec.write("unremovable://a.jellyp", adds(2)) == 2
    assert len(list(codec.read("unremovable://a.jellyp"))) == 2


def test_urls_of_stores_that_cannot_copy() -> None:
    fsspec.register_implementation("uncopyable", Uncopyable, clobber=True)
    with pytest.raises(OSError, match="neither copy nor rename"):
        codec.write("uncopyable://a.jellyp", adds(2))
    assert Uncopyable.store == {}


def test_file_urls_are_bytes(tmp_path: Path) -> None:
    url = tmp_path.as_uri() + "/a%FF%20.jellyp"
    codec.write(url, adds(1))
    assert os.listdir(os.fsencode(tmp_path)) == [b"a\xff .jellyp"]
    assert list(codec.read(url)) == adds(1)


@pytest.mark.parametrize(
    "url",
    ["file:///tmp/a%00.jellyp", "file://[x.jellyp", "data://x.jellyp", "reference://x.jellyp"],
)
def test_urls_that_are_not_valid(url: str) -> None:
    with pytest.raises(OptionError):
        list(codec.read(url))
    with pytest.raises(OptionError):
        codec.write(url, [])


def test_interrupted_when_the_file_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between the system call and the next line of Python leaves no file."""

    def interrupt(storage: LocalStorage, path: str, *, like: str) -> NoReturn:
        create(storage, path, like=like).close()
        assert list(tmp_path.iterdir()) != []
        raise KeyboardInterrupt

    create = LocalStorage.create
    monkeypatch.setattr(LocalStorage, "create", interrupt)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(KeyboardInterrupt):
            codec.open_writer(tmp_path / "a.jellyp")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("extension", ["", *EXTENSIONS])
def test_writers_that_nobody_closes(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"a.jellyp{extension}"
    writer = codec.open_writer(path)
    writer.write(PatchRow("TX"))
    assert list(tmp_path.iterdir()) != []
    with pytest.warns(ResourceWarning, match=r"a\.jellyp.* its writer was not closed"):
        del writer
        gc.collect()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", [0o600, 0o666, 0o755, 0o444])
def test_permissions_stay(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.jellyp"
    path.write_bytes(b"before")
    path.chmod(mode)
    codec.write(path, adds(1))
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert list(codec.read(path)) == adds(1)


def test_targets_that_open_refuses(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"before")
    (tmp_path / "loop").symlink_to("loop")
    for name, errno in (
        ("old/", ENOTDIR),
        ("old/.", ENOTDIR),
        ("old/new", ENOTDIR),
        ("new/", ENOENT),
        ("loop", ELOOP),
    ):
        with pytest.raises(OSError) as raised:
            codec.write(f"{tmp_path}/{name}", [], format="jelly_patch")
        assert raised.value.errno == errno
    assert (tmp_path / "old").read_bytes() == b"before"
    assert (tmp_path / "loop").is_symlink()


@pytest.mark.parametrize("rows", [None, 5])
def test_rows_that_are_none(format: Format, tmp_path: Path, rows: Any) -> None:
    with pytest.raises(OptionError, match="rows must be an iterable of rows, not "):
        codec.write(tmp_path / f"a{format.extension}", rows)
    assert list(tmp_path.iterdir()) == []


def test_parts_need_streams_that_can_seek() -> None:
    class ReadOnly:
        def read(self, size: int) -> bytes:
            return b""

    with pytest.raises(OptionError, match="can seek"):
        list(codec.read_jelly_patch(ReadOnly(), part=(0, 10)))  # type: ignore[arg-type]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    path, hard, soft = (tmp_path / name for name in ("a.jellyp", "hard.jellyp", "soft.jellyp"))
    codec.write(path, adds(1))
    hard.hardlink_to(path)
    soft.symlink_to(path)
    codec.write(soft, adds(2))
    assert soft.is_symlink()
    assert list(codec.read(path)) == adds(2)
    # A file is replaced by another one, so other names of the old one keep its content.
    assert list(codec.read(hard)) == adds(1)


def test_new_files_respect_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        codec.write(tmp_path / "a.jellyp", adds(1))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.jellyp").stat().st_mode) == 0o600


_WRITE = """
import os, resource, signal, sys
from jelly_spark import codec
from jelly_spark.codec import PatchRow

if sys.argv[2] == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
with codec.open_writer(sys.argv[1]) as writer:
    for number in range(50_000):
        writer.write(PatchRow("A", f"<urn:x:{number}>", "<urn:x:p>", '"o"'))
    writer.flush()
    os.kill(os.getpid(), int(sys.argv[2]))
"""


@pytest.mark.parametrize("name", ["a.jellyp", "a.rdfp.gz"])
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_writer_leaves_the_target_as_it_was(
    tmp_path: Path, name: str, end: signal.Signals
) -> None:
    path = tmp_path / name
    codec.write(path, adds(1))
    run = subprocess.run([sys.executable, "-c", _WRITE, str(path), str(int(end))], check=False)
    assert run.returncode == -end
    assert list(codec.read(path)) == adds(1)
    left = [file for file in tmp_path.iterdir() if file != path]
    # What stays has no format's extension, so that nothing takes it for a file.
    assert [file.suffix for file in left] == [".part"]


@pytest.mark.parametrize("name", ["a.jellyp", "a.rdfp.gz", "a.trp"])
def test_a_full_disk_leaves_the_target_as_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    codec.write(path, adds(1))
    run = subprocess.run(
        [sys.executable, "-c", _WRITE, str(path), "full"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert "OSError: [Errno 27]" in run.stderr
    assert list(codec.read(path)) == adds(1)
    assert list(tmp_path.iterdir()) == [path]


def test_standard_output_that_is_a_file_is_continued(tmp_path: Path) -> None:
    """What others write to it, before and behind, stays."""
    program = (
        "import os; from jelly_spark import codec; from jelly_spark.codec import PatchRow\n"
        "os.write(1, b'# first\\n')\n"
        "codec.write('/dev/stdout', [PatchRow('TX'), PatchRow('TC')], format='rdf_patch')\n"
        "codec.write('/dev/fd/1', [PatchRow('TX'), PatchRow('TA')], format='rdf_patch')\n"
        "os.write(1, b'# last\\n')\n"
    )
    path = tmp_path / "out"
    with path.open("wb") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert path.read_text() == "# first\nTX .\nTC .\nTX .\nTA .\n# last\n"
    assert [*tmp_path.iterdir()] == [path]
