"""Reading and writing all formats in plain Python, as streams, in bounded memory.

    from jelly_spark import codec
    from jelly_spark.codec import PatchRow

    codec.write("changes.jellyp", [PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"o"')])
    for row in codec.read("changes.jellyp"):
        print(row.op, row.subject)

This codec needs neither Spark nor a JVM, only the package `protobuf`. It writes the same bytes as
the JVM's codec for the same rows and options. A file is a path, a URL, a stream of bytes or, for
reading, bytes:

- `read`, `write`, `open_reader` and `open_writer` find the format by the extension: `.jellyp`,
  `.jelly`, `.rdfp`, `.trp`, `.nt`, `.nq`, `.ttl`, `.trig`; for reading only, `.rdf`, `.owl`,
  `.jsonld` and others of the format `rdf`; or, for writing only, `.ru`. Without one of these, give
  `format=`.
- Files whose names end with `.gz` or `.zst` are decompressed when read, and compressed when
  written. zstd needs the extra `jelly-spark[zstd]`. Streams and bytes are never decompressed or
  compressed.
- A URL, such as `s3://bucket/changes.jellyp`, needs the extra `jelly-spark[fsspec]`, and the
  package that fsspec needs for it. A file is written under a temporary name beside the target, and
  copied to the target at the end.

Each format also has functions and classes of its own, which accept any extension:
`read_jelly_patch`, `write_jelly_patch`, `JellyPatchReader`, `JellyPatchWriter`,
`JellyPatchOptions`, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from jelly_spark.core.files.compression import COMPRESSIONS
from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.files.paths import name_of
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.core.options import WriteOptions, check_class
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import AnyRow, PatchRow, RdfRow, RowOp, StatementTuple
from jelly_spark.core.writer import PatchRowWriter, RowWriter
from jelly_spark.errors import OptionError
from jelly_spark.formats import READ, WRITTEN, find_read, find_written

if TYPE_CHECKING:
    from jelly_spark.formats import (
        jelly_patch,
        jelly_rdf,
        nquads,
        ntriples,
        rdf,
        rdf_patch,
        rdf_patch_thrift,
        sparql_update,
    )
    from jelly_spark.formats.jelly_patch.options import JellyPatchOptions, StatementType, StreamType
    from jelly_spark.formats.jelly_patch.reader import JellyPatchReader
    from jelly_spark.formats.jelly_patch.writer import JellyPatchWriter
    from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions, LogicalType, PhysicalType
    from jelly_spark.formats.jelly_rdf.reader import JellyRdfReader, RdfFrame
    from jelly_spark.formats.jelly_rdf.writer import JellyRdfWriter
    from jelly_spark.formats.nquads import NQuadsOptions, NQuadsReader, NQuadsWriter
    from jelly_spark.formats.ntriples import NTriplesOptions, NTriplesReader, NTriplesWriter
    from jelly_spark.formats.rdf import RdfReader
    from jelly_spark.formats.rdf.options import RdfOptions
    from jelly_spark.formats.rdf.writer import RdfWriter
    from jelly_spark.formats.rdf_patch.options import RdfPatchOptions, Style
    from jelly_spark.formats.rdf_patch.reader import RdfPatchReader
    from jelly_spark.formats.rdf_patch.writer import RdfPatchWriter
    from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
    from jelly_spark.formats.rdf_patch_thrift.reader import RdfPatchThriftReader
    from jelly_spark.formats.rdf_patch_thrift.writer import RdfPatchThriftWriter
    from jelly_spark.formats.sparql_update.options import SparqlUpdateOptions
    from jelly_spark.formats.sparql_update.writer import SparqlUpdateWriter
    from jelly_spark.jelly.options import ReadLimits
    from jelly_spark.jelly.reader import JellyReader
    from jelly_spark.lines.reader import LineReader
    from jelly_spark.lines.writer import LineWriter

__all__ = [
    "AnyRow",
    "JellyPatchOptions",
    "JellyPatchReader",
    "JellyPatchWriter",
    "JellyRdfOptions",
    "JellyRdfReader",
    "JellyRdfWriter",
    "JellyReader",
    "LineReader",
    "LineWriter",
    "LogicalType",
    "NQuadsOptions",
    "NQuadsReader",
    "NQuadsWriter",
    "NTriplesOptions",
    "NTriplesReader",
    "NTriplesWriter",
    "PatchRow",
    "PatchRowWriter",
    "PhysicalType",
    "RdfFrame",
    "RdfOptions",
    "RdfPatchOptions",
    "RdfPatchReader",
    "RdfPatchThriftOptions",
    "RdfPatchThriftReader",
    "RdfPatchThriftWriter",
    "RdfPatchWriter",
    "RdfReader",
    "RdfRow",
    "RdfWriter",
    "ReadLimits",
    "RowOp",
    "RowReader",
    "RowWriter",
    "SparqlUpdateOptions",
    "SparqlUpdateWriter",
    "StatementType",
    "StreamType",
    "Style",
    "WriteOptions",
    "concatenate",
    "open_reader",
    "open_writer",
    "read",
    "read_jelly_patch",
    "read_jelly_rdf",
    "read_nquads",
    "read_ntriples",
    "read_rdf",
    "read_rdf_patch",
    "read_rdf_patch_thrift",
    "write",
    "write_jelly_patch",
    "write_jelly_rdf",
    "write_nquads",
    "write_ntriples",
    "write_rdf",
    "write_rdf_patch",
    "write_rdf_patch_thrift",
    "write_sparql_update",
]

if TYPE_CHECKING:
    read_jelly_patch = jelly_patch.FORMAT.read
    """Yield the rows of a file of Jelly-Patch; arguments as for `JellyPatchReader`."""
    read_jelly_rdf = jelly_rdf.FORMAT.read
    """Yield the rows of a file of Jelly-RDF; arguments as for `JellyRdfReader`."""
    read_nquads = nquads.FORMAT.read
    """Yield the rows of a file of N-Quads; arguments as for `NQuadsReader`."""
    read_ntriples = ntriples.FORMAT.read
    """Yield the rows of a file of N-Triples; arguments as for `NTriplesReader`."""
    read_rdf = rdf.FORMAT.read
    """Yield the statements of a file of Turtle, TriG, N3, RDF/XML or JSON-LD; see `RdfReader`."""
    read_rdf_patch = rdf_patch.FORMAT.read
    """Yield the rows of a file of RDF Patch text; arguments as for `RdfPatchReader`."""
    read_rdf_patch_thrift = rdf_patch_thrift.FORMAT.read
    """Yield the rows of a file of RDF Patch in Thrift; arguments as for `RdfPatchThriftReader`."""

    write_jelly_patch = jelly_patch.FORMAT.write
    """Write rows to a file, as `write` with `JellyPatchOptions` does, and return their number."""
    write_jelly_rdf = jelly_rdf.FORMAT.write
    """Write rows to a file, as `write` with `JellyRdfOptions` does, and return their number."""
    write_nquads = nquads.FORMAT.write
    """Write rows to a file, as `write` with `NQuadsOptions` does, and return their number."""
    write_ntriples = ntriples.FORMAT.write
    """Write rows to a file, as `write` with `NTriplesOptions` does, and return their number."""
    write_rdf = rdf.FORMAT.write
    """Write rows to a file of Turtle or TriG, as `write` with `RdfOptions` does, and return their
    number."""
    write_rdf_patch = rdf_patch.FORMAT.write
    """Write rows to a file, as `write` with `RdfPatchOptions` does, and return their number."""
    write_rdf_patch_thrift = rdf_patch_thrift.FORMAT.write
    """Write rows to a file, as `write` with `RdfPatchThriftOptions` does; return their number."""
    write_sparql_update = sparql_update.FORMAT.write
    """Write rows to a file, as `write` with `SparqlUpdateOptions` does, and return their number."""

# Where the names that the codec of a format defines come from: each is imported on its first use,
# because importing all formats takes longer than reading a small file.
_MODULES = {
    "formats.jelly_patch.options": ("JellyPatchOptions", "StatementType", "StreamType"),
    "formats.jelly_patch.reader": ("JellyPatchReader",),
    "formats.jelly_patch.writer": ("JellyPatchWriter",),
    "formats.jelly_rdf.options": ("JellyRdfOptions", "LogicalType", "PhysicalType"),
    "formats.jelly_rdf.reader": ("JellyRdfReader", "RdfFrame"),
    "formats.jelly_rdf.writer": ("JellyRdfWriter",),
    "formats.nquads": ("NQuadsOptions", "NQuadsReader", "NQuadsWriter"),
    "formats.ntriples": ("NTriplesOptions", "NTriplesReader", "NTriplesWriter"),
    "formats.rdf": ("RdfReader",),
    "formats.rdf.options": ("RdfOptions",),
    "formats.rdf.writer": ("RdfWriter",),
    "formats.rdf_patch.options": ("RdfPatchOptions", "Style"),
    "formats.rdf_patch.reader": ("RdfPatchReader",),
    "formats.rdf_patch.writer": ("RdfPatchWriter",),
    "formats.rdf_patch_thrift.options": ("RdfPatchThriftOptions",),
    "formats.rdf_patch_thrift.reader": ("RdfPatchThriftReader",),
    "formats.rdf_patch_thrift.writer": ("RdfPatchThriftWriter",),
    "formats.sparql_update.options": ("SparqlUpdateOptions",),
    "formats.sparql_update.writer": ("SparqlUpdateWriter",),
    "jelly.options": ("ReadLimits",),
    "jelly.reader": ("JellyReader",),
    "lines.reader": ("LineReader",),
    "lines.writer": ("LineWriter",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a name of the codec of a format: a class, or a function such as `read_jelly_patch`.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _MODULE_OF:
        found = getattr(import_module(f"jelly_spark.{_MODULE_OF[name]}"), name)
    else:
        verb, _, format = name.partition("_")
        found = READ[format].read if verb == "read" else WRITTEN[format].write
    globals()[name] = found
    return found


# The formats by the class of their rows, so that type checkers know the rows if a format is given.
_PatchFormat: TypeAlias = Literal["jelly_patch", "rdf_patch", "rdf_patch_thrift"]
_RdfFormat: TypeAlias = Literal["jelly_rdf", "ntriples", "nquads", "rdf"]
_WrittenPatchFormat: TypeAlias = _PatchFormat | Literal["sparql_update"]


@overload
def read(file: Readable, *, format: _PatchFormat, **options: Any) -> Iterator[PatchRow]: ...
@overload
def read(file: Readable, *, format: _RdfFormat, **options: Any) -> Iterator[RdfRow]: ...
@overload
def read(file: Readable, *, format: str | None = None, **options: Any) -> Iterator[AnyRow]: ...
def read(file: Readable, *, format: str | None = None, **options: Any) -> Iterator[Any]:
    """Yield the rows of a file of any format.

        for row in codec.read("changes.jellyp.gz"):
            print(row.op, row.subject)

    The file is opened when the first row is requested, and closed after the last one.

    Args:
        file: path, URL, bytes, or stream of bytes, which is read from its current position on.
        format: the short name of the file's format: `jelly_patch`, `jelly_rdf`, `rdf_patch`,
            `rdf_patch_thrift`, `ntriples`, `nquads` or `rdf`. By default, it is found by the
            extension of the path, or of the stream's name.
        options: options of the format's reader: `max_row_size` for all formats; `strict` for all
            but `rdf`; `part` for the Jelly formats, N-Triples and N-Quads; `limits` and `where` for
            the Jelly formats; `namespaces` for Jelly-RDF and `rdf`; `syntax` and `base` for `rdf`.

    Returns:
        An iterator over `RdfRow`s for Jelly-RDF, N-Triples, N-Quads and `rdf`, and over `PatchRow`s
        for the other formats. Type checkers know which if `format` is given; otherwise they see
        `PatchRow | RdfRow`.

    Raises:
        OptionError: the format is not known, or its reader has no such option.
        MalformedInputError: while iterating: the input breaks the format.
        MissingPackageError: while iterating: the file needs a package that is not installed.
        OSError: while iterating: the file cannot be read.
    """
    found = source_format_of(file, format)
    found.check_read_options(options)
    return found.read(file, **options)


def write(
    file: Writable,
    rows: Iterable[AnyRow | StatementTuple],
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    append: bool = False,
) -> int:
    """Write rows to a file of any format, and return their number.

        codec.write("changes.trp", codec.read("changes.jellyp"))
        codec.write("state.nq", sorted(Log("log").state_at(), key=str))
        codec.write("log.jellyp", rows, options=JellyPatchOptions(stream_type=StreamType.FRAME))

    If `file` is a path, the file appears only when it is complete. After an error, the file that
    was there before is unchanged.

    Args:
        file: path, URL, or buffered stream of bytes.
        rows: the rows, in order: `RdfRow`s for Jelly-RDF, N-Triples, N-Quads and `rdf`, and
            `PatchRow`s for the other formats. A statement can also be a tuple of three or four
            terms, such as the `Statement`s of `Log.state_at`.
        format: the short name of the format to write: one of those of `read`, of which `rdf` is
            Turtle or TriG here, or `sparql_update`. By default, the format of `options`, else it is
            found by the file's extension.
        options: how to write; by default, the format's default options.
        append: whether to write after the file's content; a missing file is created.

    Raises:
        LogError: the local path is in the folder of a managed log: use `Log.append`.
        OptionError: the format is not known, or `options` are for another format than `format` or,
            if `format` is not given, than the extension says.
        UnwritableRowError: a row is not valid or cannot be written with these options, or the file
            may not end after the last row.
        MissingPackageError: the file needs a package that is not installed.
        OSError: the file cannot be written.
    """
    found = target_format_of(file, format, options)
    return found.write(file, rows, options, append=append)


@overload
def open_reader(file: Readable, *, format: _PatchFormat, **options: Any) -> RowReader[PatchRow]: ...
@overload
def open_reader(file: Readable, *, format: _RdfFormat, **options: Any) -> RowReader[RdfRow]: ...
@overload
def open_reader(
    file: Readable, *, format: str | None = None, **options: Any
) -> RowReader[AnyRow]: ...
def open_reader(file: Readable, *, format: str | None = None, **options: Any) -> RowReader[Any]:
    """Open a file of any format, and return a reader that iterates once over its rows.

        with codec.open_reader("changes.jellyp", strict=True) as reader:
            first = next(reader)

    The arguments and errors are those of `read`, except that this function raises the error if the
    file cannot be opened.
    """
    found = source_format_of(file, format)
    found.check_read_options(options)
    return found.reader(file, **options)


@overload
def open_writer(
    file: Writable,
    *,
    format: _WrittenPatchFormat,
    options: WriteOptions | None = None,
    append: bool = False,
) -> RowWriter[PatchRow]: ...
@overload
def open_writer(
    file: Writable,
    *,
    format: _RdfFormat,
    options: WriteOptions | None = None,
    append: bool = False,
) -> RowWriter[RdfRow]: ...
@overload
def open_writer(
    file: Writable,
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    append: bool = False,
) -> RowWriter[AnyRow]: ...
def open_writer(
    file: Writable,
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    append: bool = False,
) -> RowWriter[Any]:
    """Open a file of any format for writing, and return a writer.

        with codec.open_writer("changes.jellyp") as writer:
            writer.write(PatchRow("TX"))
            writer.write(PatchRow("TC"))

    The arguments and errors are those of `write`.
    """
    found = target_format_of(file, format, options)
    return found.writer(file, found.options() if options is None else options, append=append)


def concatenate(
    target: Writable,
    *sources: Readable,
    format: str | None = None,
    options: WriteOptions | None = None,
) -> int:
    """Write the rows of several files of one format to one file, and return their number.

        codec.concatenate("twice.jellyp", "changes.jellyp", "changes.jellyp")

    Jelly files must not be concatenated byte by byte: the ids in the second file would refer to
    lookup entries of the first. So the rows are decoded and encoded again. Each source but the last
    ends its last patch, unless the format or the stream type does not mark the ends of patches, and
    its last frame in a grouped stream of Jelly-RDF. Each source but the last must close its last
    transaction. Namespaces are written if the options allow them.

    Args:
        target: path, URL, or buffered stream of bytes.
        sources: what to read, in order: paths, URLs, bytes or streams of bytes.
        format: the short name of the format of all files; by default, as in `write`.
        options: how to write; by default, the format's default options, which may differ from the
            options of the sources.

    Raises:
        MalformedInputError: a source breaks the format.
        OptionError: there is no source; otherwise as in `write`.
        UnwritableRowError: a row cannot be written with these options.
    """
    if not sources:
        raise OptionError("there is nothing to concatenate: give at least one source")
    written = target_format_of(target, format, options)
    read = find_read(written.name)
    chosen = written.options() if options is None else options
    with written.writer(target, chosen) as writer:
        return writer.write_all(_chain(read, chosen, sources))


def _chain(format: Format, options: WriteOptions, sources: Iterable[Readable]) -> Iterator[AnyRow]:
    from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions
    from jelly_spark.formats.rdf.options import RdfOptions
    from jelly_spark.formats.rdf_patch.options import RdfPatchOptions, Style

    reading = {"namespaces": True} if isinstance(options, RdfOptions) else {}
    if isinstance(options, JellyRdfOptions):
        reading = {"namespaces": options.namespaces}
    ends = not (isinstance(options, RdfPatchOptions) and options.style is Style.V1)
    last: AnyRow | None = None
    frames = 0
    for source in sources:
        if ends and isinstance(last, PatchRow) and last.op != "END":
            # Give it the next `seq`, as if the source had ended its patch: rows without a gap in
            # `seq` are exempt from the transaction rules.
            yield PatchRow("END", patch=last.patch, seq=None if last.seq is None else last.seq + 1)
        if isinstance(last, RdfRow) and last.frame is not None:
            frames = last.frame + 1
        for row in format.read(source, **reading):
            if frames:
                # Keep the first frame of this source apart from the last one of the source before.
                row = row._replace(frame=row.frame + frames)
            last = row
            yield row


def source_format_of(file: object, format: str | None) -> Format:
    """Return the format of a file that is read; the arguments are those of `read`.

    Raises:
        OptionError: `format`, or else the file's extension, is not that of a format.
    """
    return find_read(_name_of_format(file, READ) if format is None else format)


def target_format_of(
    file: object, format: str | None, options: WriteOptions | None
) -> WrittenFormat:
    """Return the format of a file that is written; the arguments are those of `write`.

    Raises:
        OptionError: the format is not known, or the arguments contradict each other; see `write`.
    """
    if options is not None:
        check_class("options", options, WriteOptions)
    if format is not None:
        found = find_written(format)
        if options is not None and not isinstance(options, found.options):
            raise OptionError(
                f"options of {found.name} must be {found.options.__name__}, not "
                f"{type(options).__name__}"
            )
        return found
    if options is None:
        return find_written(_name_of_format(file, WRITTEN))
    name = name_of(file)
    by_name = None if name is None else _find_by_extension(name)
    if by_name is not None and by_name.name != options.format:
        raise OptionError(
            f"{name!r} has the extension of {by_name.name}, but the options are those of "
            f"{options.format}: give format={options.format!r} if that is meant"
        )
    return find_written(options.format)


def _name_of_format(file: object, formats: Mapping[str, WrittenFormat]) -> str:
    """Return the short name of a file's format by its extension; the error lists `formats`."""
    name = name_of(file)
    found = None if name is None else _find_by_extension(name)
    if found is None:
        what = "bytes or a stream without a name" if name is None else repr(name)
        extensions = ", ".join(
            end
            for format in formats.values()
            for end in format.extensions + (format.read_extensions if formats is READ else ())
        )
        raise OptionError(
            f"the extension of {what} does not tell the format: give format=, one of: "
            f"{', '.join(formats)}; the extensions are {extensions}, also with "
            f"{' or '.join(compression.extension for compression in COMPRESSIONS)}"
        )
    return found.name


def _find_by_extension(name: str) -> WrittenFormat | None:
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression.extension)
    for format in WRITTEN.values():
        if name.endswith(format.extensions + format.read_extensions):
            return format
    return None
