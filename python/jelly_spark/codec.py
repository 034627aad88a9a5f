"""All formats in plain Python: reading and writing, streaming, in bounded memory.

    from jelly_spark import codec
    from jelly_spark.codec import PatchRow

    codec.write("changes.jellyp", [PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"o"')])
    for row in codec.read("changes.jellyp"):
        print(row.op, row.subject)

It needs `protobuf` only, neither Spark nor a JVM, and writes the same bytes as the JVM's codec for
the same rows and options. A file is a path, a stream of bytes, or, to be read, bytes themselves:

- `.jellyp`, `.jelly`, `.rdfp`, `.trp`, `.nt`, `.nq` and, to be written, `.ru` are the extensions by
  which `read`, `write`, `open_reader` and `open_writer` know the format; anything else needs
  `format=`.
- Files whose names end with `.gz` or `.zst` are decompressed and compressed; zstd needs the extra
  `jelly-spark[zstd]`. Streams and bytes are taken as they are.
- A URL, such as `s3://bucket/changes.jellyp`, needs the extra `jelly-spark[fsspec]`, and the
  package that fsspec needs for it. A file is written under a temporary name beside the target, and
  copied there at the end.

Each format also has functions and classes of its own, which need no extension: `read_jelly_patch`,
`write_jelly_patch`, `JellyPatchReader`, `JellyPatchWriter` and `JellyPatchOptions`, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jelly_spark.core.compression import COMPRESSIONS
from jelly_spark.core.files import Readable, Writable, name_of
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.core.options import WriteOptions, check_class
from jelly_spark.core.patch_writer import PatchRowWriter
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import AnyRow, PatchRow, RdfRow, RowOp
from jelly_spark.core.writer import RowWriter
from jelly_spark.errors import OptionError
from jelly_spark.formats import FORMATS, WRITTEN, find_format, find_written
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions, StatementType, StreamType
from jelly_spark.formats.jelly_patch.reader import JellyPatchReader, read_jelly_patch
from jelly_spark.formats.jelly_patch.writer import JellyPatchWriter, write_jelly_patch
from jelly_spark.formats.jelly_rdf.options import JellyRdfOptions, LogicalType, PhysicalType
from jelly_spark.formats.jelly_rdf.reader import JellyRdfReader, RdfFrame, read_jelly_rdf
from jelly_spark.formats.jelly_rdf.writer import JellyRdfWriter, write_jelly_rdf
from jelly_spark.formats.nquads.options import NQuadsOptions
from jelly_spark.formats.nquads.reader import NQuadsReader, read_nquads
from jelly_spark.formats.nquads.writer import NQuadsWriter, write_nquads
from jelly_spark.formats.ntriples.options import NTriplesOptions
from jelly_spark.formats.ntriples.reader import NTriplesReader, read_ntriples
from jelly_spark.formats.ntriples.writer import NTriplesWriter, write_ntriples
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions, Style
from jelly_spark.formats.rdf_patch.reader import RdfPatchReader, read_rdf_patch
from jelly_spark.formats.rdf_patch.writer import RdfPatchWriter, write_rdf_patch
from jelly_spark.formats.rdf_patch_thrift.options import RdfPatchThriftOptions
from jelly_spark.formats.rdf_patch_thrift.reader import (
    RdfPatchThriftReader,
    read_rdf_patch_thrift,
)
from jelly_spark.formats.rdf_patch_thrift.writer import (
    RdfPatchThriftWriter,
    write_rdf_patch_thrift,
)
from jelly_spark.formats.sparql_update.options import SparqlUpdateOptions
from jelly_spark.formats.sparql_update.writer import SparqlUpdateWriter, write_sparql_update
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
    "RdfPatchOptions",
    "RdfPatchReader",
    "RdfPatchThriftOptions",
    "RdfPatchThriftReader",
    "RdfPatchThriftWriter",
    "RdfPatchWriter",
    "RdfRow",
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
    "read_rdf_patch",
    "read_rdf_patch_thrift",
    "write",
    "write_jelly_patch",
    "write_jelly_rdf",
    "write_nquads",
    "write_ntriples",
    "write_rdf_patch",
    "write_rdf_patch_thrift",
    "write_sparql_update",
]


def read(file: Readable, *, format: str | None = None, **options: Any) -> Iterator[Any]:
    """Yield the rows of a file of any format.

        for row in codec.read("changes.jellyp.gz"):
            print(row.op, row.subject)

    The file is opened when the first row is asked for, and closed after the last one.

    Args:
        file: path or URL, bytes, or stream of bytes, which is read from its current position on.
        format: short name of the file's format: `jelly_patch`, `jelly_rdf`, `rdf_patch`,
            `rdf_patch_thrift`, `ntriples` or `nquads`. By default its extension says it, of a path
            or a stream's name.
        options: those of the format's reader: `strict` and `max_row_size`; `limits` in the Jelly
            formats; `part` there and in N-Triples and N-Quads; `namespaces` in Jelly-RDF.

    Returns:
        The rows: `RdfRow`s of Jelly-RDF, N-Triples and N-Quads, `PatchRow`s of the other formats.

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
    rows: Iterable[AnyRow],
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    append: bool = False,
) -> int:
    """Write rows to a file of any format, and return their number.

        codec.write("changes.trp", codec.read("changes.jellyp"))
        codec.write("log.jellyp", rows, options=JellyPatchOptions(stream_type=StreamType.FRAME))

    A path's file appears, complete, when all rows are written; after an error it is left as it was.

    Args:
        file: path or URL, or buffered stream of bytes.
        rows: the rows, in their order: `RdfRow`s for Jelly-RDF, N-Triples and N-Quads, `PatchRow`s
            for the other formats.
        format: short name of the format to write: one of those of `read`, or `sparql_update`. By
            default the class of the options says it, else the file's extension.
        options: how to write; by default the format's default options.
        append: whether to write after what the file holds; a file that does not exist is made.

    Raises:
        OptionError: the format is not known, or two of `format`, the options and the extension
            contradict each other; an extension never contradicts `format`.
        UnwritableRowError: no file with these options can hold one of the rows, or end after them.
        MissingPackageError: the file needs a package that is not installed.
        OSError: the file cannot be written.
    """
    found = target_format_of(file, format, options)
    return found.write(file, rows, found.options() if options is None else options, append=append)


def open_reader(file: Readable, *, format: str | None = None, **options: Any) -> RowReader[Any]:
    """Open a file of any format, and return its reader, which iterates once over the rows.

        with codec.open_reader("changes.jellyp", strict=True) as reader:
            first = next(reader)

    The arguments are those of `read`; the errors too, except that files that cannot be opened raise
    them here.
    """
    found = source_format_of(file, format)
    found.check_read_options(options)
    return found.reader(file, **options)


def open_writer(
    file: Writable,
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    append: bool = False,
) -> RowWriter[Any]:
    """Open a file of any format to be written, and return its writer.

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
    """Write the rows of files of one format to one file, and return their number.

        codec.concatenate("twice.jellyp", "changes.jellyp", "changes.jellyp")

    Bytes of Jelly files put together are another file than their rows: the ids of the second refer
    to the lookup entries of the first. So the rows are read and written again. Between two
    sources, the patch ends, unless the format or the stream type has no ends of patches, and in a
    grouped stream of Jelly-RDF the frame. All but the last source must end their last transaction.
    Rows of namespaces are written if the options allow them.

    Args:
        target: path or URL, or buffered stream of bytes.
        sources: what to read, in order: paths, URLs, bytes or streams of bytes.
        format: short name of the format of all files; by default as for `write`.
        options: how to write; by default the format's default options, whatever those of the
            sources are.

    Raises:
        MalformedInputError: a source breaks the format.
        OptionError: there is no source; otherwise see `write`.
        UnwritableRowError: no file with these options can hold one of the rows.
    """
    if not sources:
        raise OptionError("there is nothing to concatenate: give at least one source")
    found = find_format(target_format_of(target, format, options).name)
    chosen = found.options() if options is None else options
    with found.writer(target, chosen) as writer:
        return writer.write_all(_chain(found, chosen, sources))


def _chain(format: Format, options: WriteOptions, sources: Iterable[Readable]) -> Iterator[AnyRow]:
    reading = {"namespaces": options.namespaces} if isinstance(options, JellyRdfOptions) else {}
    ends = not (isinstance(options, RdfPatchOptions) and options.style is Style.V1)
    last: AnyRow | None = None
    frames = 0
    for source in sources:
        if ends and isinstance(last, PatchRow) and last.op != "END":
            # As the source might have it, so that its transactions stay as they are.
            yield PatchRow("END", patch=last.patch, seq=None if last.seq is None else last.seq + 1)
        if isinstance(last, RdfRow) and last.frame is not None:
            frames = last.frame + 1
        for row in format.read(source, **reading):
            if frames:
                # So that a frame of one source does not go on in the next one.
                row = row._replace(frame=row.frame + frames)
            last = row
            yield row


def source_format_of(file: object, format: str | None) -> Format:
    """Return the format of a file that is read; the arguments are those of `read`.

    Raises:
        OptionError: neither `format` nor the file's extension says a format that there is.
    """
    return find_format(_format_of_name(file, FORMATS).name if format is None else format)


def target_format_of(
    file: object, format: str | None, options: WriteOptions | None
) -> WrittenFormat:
    """Return the format of a file that is written; the arguments are those of `write`.

    Raises:
        OptionError: nothing says a format that there is, or two things say different ones.
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
        return _format_of_name(file, WRITTEN)
    name = name_of(file)
    by_name = None if name is None else _find_by_extension(name)
    if by_name is not None and by_name.name != options.format:
        raise OptionError(
            f"{name!r} has the extension of {by_name.name}, but the options are those of "
            f"{options.format}: give format={options.format!r} if that is meant"
        )
    return find_written(options.format)


def _format_of_name(file: object, formats: Mapping[str, WrittenFormat]) -> WrittenFormat:
    """Return the format that a file's extension says; the error lists `formats`."""
    name = name_of(file)
    found = None if name is None else _find_by_extension(name)
    if found is None:
        what = "bytes or a stream without a name" if name is None else repr(name)
        extensions = ", ".join(format.extension for format in formats.values())
        raise OptionError(
            f"the extension of {what} does not tell the format: give format=, one of: "
            f"{', '.join(formats)}; the extensions are {extensions}, also with "
            f"{' or '.join(compression.extension for compression in COMPRESSIONS)}"
        )
    return found


def _find_by_extension(name: str) -> WrittenFormat | None:
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression.extension)
    for format in WRITTEN.values():
        if name.endswith(format.extension):
            return format
    return None
