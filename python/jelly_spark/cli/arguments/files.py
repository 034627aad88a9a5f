"""The files of the command line: paths, URLs and `-`, with their formats and options."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, TypeVar, cast

import click

from jelly_spark import codec
from jelly_spark.cli.arguments.format_names import FormatName
from jelly_spark.cli.arguments.log_folders import LogReader, files_of, find_log
from jelly_spark.cli.arguments.pipes import guess
from jelly_spark.cli.arguments.reading import Reading, parse_settings
from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    NQuadsOptions,
    PatchRow,
    RdfOptions,
    RdfPatchOptions,
    RowReader,
    WriteOptions,
)
from jelly_spark.core.files import compression
from jelly_spark.core.files.paths import is_url
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.errors import OptionError
from jelly_spark.formats import READ, WRITTEN
from jelly_spark.log import Log, Version

STANDARD = "-"
"""The name that stands for standard input or output."""

Content: TypeAlias = Literal["patches", "statements"]
"""What a file holds."""

_C = TypeVar("_C", bound=Callable[..., Any])

# The format of standard output if `--to` is not given.
_DEFAULTS: dict[Content | None, str] = {
    "patches": RdfPatchOptions.format,
    "statements": NQuadsOptions.format,
}


@dataclass(frozen=True)
class Output:
    """What arguments say about a file to write.

    Attributes:
        name: the path or URL, or `-` for standard output.
        format: the short name of the format; None if the extension says it.
        settings: options of the format, each `KEY=VALUE`.
    """

    name: str
    format: str | None
    settings: Sequence[str]


def target_options(command: _C) -> _C:
    """Add the options `--to` and `--option`; with the argument `output`, they are an `Output`."""

    @wraps(command)
    def with_output(
        *arguments: Any,
        output: str,
        target_format: str | None,
        settings: Sequence[str],
        **others: Any,
    ) -> Any:
        return command(*arguments, output=Output(output, target_format, settings), **others)

    add_settings = click.option(
        "--option",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="An option of the format that is written, such as frameSize=1024. May be repeated.",
    )
    add_format = click.option(
        "--to",
        "target_format",
        type=FormatName("--to", WRITTEN),
        help="The format to write; by default, the extension says it.",
    )
    return cast(_C, add_format(add_settings(with_output)))


def output_option(command: _C) -> _C:
    """Add the options `--output`, `--to` and `--option`; together, they are an `Output`."""
    return click.option(
        "-o",
        "--output",
        default=STANDARD,
        show_default=True,
        metavar="OUT",
        help="The file to write; - is standard output.",
    )(target_options(command))


@dataclass(frozen=True)
class Source:
    """A file to read, by its path or URL, or `-` for standard input; or a log.

    Attributes:
        name: the path or URL, or `-`.
        format: the format of the file, or of what is read from the log.
        reading: how to read it.
        log: the log, if the name is that of a folder: its patches are read, or the statements of
            its last version.
        stream: the stream to read in place of the file, if its beginning was read to guess the
            format.
        versions: the patches of a log in the file, by their ordinals in it: other patches in the
            file do not belong to the log. None if it is not the file of a log, or the patches of
            the log do not form one chain.
    """

    name: str
    format: Format
    reading: Reading
    log: Log[PatchRow] | None = None
    stream: compression.Source | None = None
    versions: Mapping[int, Version] | None = None

    @property
    def has_patches(self) -> bool:
        """Whether the format holds patches; if not, it holds statements."""
        return content_of(self.format) == "patches"

    @property
    def has_namespaces(self) -> bool:
        """Whether it holds namespaces as rows, if its reader is asked for them."""
        return not self.has_patches and "namespaces" in self.format.arguments

    @property
    def title(self) -> str:
        """The name for messages."""
        return title_of(self.name)

    @property
    def is_pipe(self) -> bool:
        """Whether it can be read only once: standard input, a pipe or a device."""
        return is_pipe(self.name)

    def arguments(self, **options: bool) -> dict[str, Any]:
        """Return those of the arguments in `reading`, and of others, that the reader has."""
        found = {**self.reading.options, **{key: True for key in options if options[key]}}
        return {key: value for key, value in found.items() if key in self.format.arguments}

    def open(
        self, reader: Callable[..., RowReader[Any]] | None = None, **options: bool
    ) -> RowReader[Any]:
        """Open the file, by default with the reader of its format; see `arguments`."""
        if self.log is not None:
            rows = LogReader(self.log, has_patches=self.has_patches, **options)
            return cast("RowReader[Any]", rows)
        if self.stream is not None:
            return (reader or self.format.reader)(self.stream, **self.arguments(**options))
        source = stdin() if self.name == STANDARD else self.name
        return (reader or self.format.reader)(source, **self.arguments(**options))

    def size(self) -> int | None:
        """Return the size of the file in bytes; None if it is not a local regular file."""
        try:
            found = os.fstat(0) if self.name == STANDARD else os.stat(self.name)
        except OSError:
            return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None


@dataclass(frozen=True)
class Target:
    """A file to write, by its path or URL, or `-` for standard output."""

    name: str
    format: WrittenFormat
    options: WriteOptions

    @property
    def is_stdout(self) -> bool:
        """Whether this is standard output."""
        return self.name == STANDARD

    @property
    def has_namespaces(self) -> bool:
        """Whether it holds namespaces, as rows: Turtle and TriG do, and Jelly-RDF on request."""
        return isinstance(self.options, RdfOptions) or getattr(self.options, "namespaces", False)

    def write(self, rows: Iterable[Any]) -> int:
        """Write rows to the file, and return their number. In the end, it gets its name.

        What the format cannot hold of prefixes is left out: the IRIs of deleted ones, and those
        that Turtle cannot declare.
        """
        file = stdout() if self.is_stdout else self.name
        with self.format.writer(file, self.options) as writer:
            return writer.write_all(writer.fitting(rows))


def find_sources(
    names: Sequence[str], reading: Reading, content: Content | None = None
) -> list[Source]:
    """Return the files to read.

    Args:
        names: what the arguments say.
        reading: how to read them.
        content: what they must hold; None for either.

    Raises:
        OSError: a file whose extension does not tell its format does not exist.
        UsageError: the format of a file is not known, or holds other content; it is a folder
            without patches; or standard input is given twice.
    """
    check_stdin(names)
    return [find_source(name, reading, content) for name in names]


def check_stdin(names: Sequence[str]) -> None:
    """Raise a `UsageError` if standard input is given twice."""
    if names.count(STANDARD) > 1:
        raise click.UsageError("standard input can be read only once")


def find_source(name: str, reading: Reading, content: Content | None = None) -> Source:
    """Return the file to read; the arguments and errors are those of `find_sources`.

    A folder with patches is a log. It stands for the statements of its last version if these are
    wanted, and else for its patches.
    """
    log = None if name == STANDARD else find_log(name, reading)
    if log is not None:
        options = JellyRdfOptions if content == "statements" else JellyPatchOptions
        return Source(name, READ[options.format], reading, log)
    try:
        found = Source(name, codec.source_format_of(_named(name), reading.format), reading)
    except OptionError:
        guessed = _guessed(name, reading)
        if guessed is not None:
            _require(content, guessed.format, guessed.title)
            return guessed
        if name != STANDARD and not is_url(name) and not os.path.exists(name):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name) from None
        raise _unknown(name, "--from", [*READ]) from None
    _require(content, found.format, found.title)
    return found


def find_files(
    names: Sequence[str], reading: Reading, content: Content | None = None
) -> list[Source]:
    """Return the files to read, with the files of a log in place of the log; see `find_sources`."""
    found: list[tuple[str, Mapping[int, Version] | None]] = []
    for name in names:
        found += files_of(name).items() if find_log(name, reading) else [(name, None)]
    sources = find_sources([name for name, _ in found], reading, content)
    return [
        replace(source, versions=versions)
        for source, (_, versions) in zip(sources, found, strict=True)
    ]


def _guessed(name: str, reading: Reading) -> Source | None:
    """Return the pipe with this name, with the format that its beginning tells, or None."""
    if reading.format is not None or not is_pipe(name):
        return None
    stream = stdin() if name == STANDARD else io.FileIO(name)
    guessed, found = guess(stream, title_of(name))
    if guessed is None:
        return None
    if guessed.syntax:
        reading = Reading(guessed.format, {"syntax": guessed.syntax, **reading.options})
    return Source(name, READ[guessed.format], reading, None, found)


def find_target(
    output: Output, inputs: Sequence[Source] = (), *, content: Content | None = None
) -> Target:
    """Return the file to write.

    Args:
        output: what the arguments say.
        inputs: the files to read, none of which may be overwritten.
        content: what it must hold, which also gives standard output a format if `--to` is not
            given; None for either.

    Raises:
        OptionError: the format has no such option, or a value is not valid.
        UsageError: the format is not known, or holds other content; the file is one of the inputs;
            or a setting is not `KEY=VALUE`.
    """
    name = output.name
    format = output.format
    if format is None and name == STANDARD:
        format = _DEFAULTS.get(content)
    try:
        # The name of a folder ends with a slash.
        found = codec.target_format_of(_named(name.rstrip("/")), format, None)
    except OptionError:
        raise _unknown(name, "--to", [*WRITTEN]) from None
    refuse_inputs(name, inputs)
    settings = parse_settings("--option", output.settings)
    target = Target(name, found, found.options.from_strings(settings))
    _require(content, found, "the output")
    return target


def refuse_inputs(name: str, inputs: Sequence[Source]) -> None:
    """Check that a file to write is none of the files to read.

    Raises:
        UsageError: it is one of them.
    """
    for source in inputs:
        if source.log is not None:
            refuse_inside(name, source.name)
        if _is_same(source.name, name):
            raise click.UsageError(f"{name} is read: write to another file")


def refuse_inside(name: str, folder: str) -> None:
    """Check that a file to write is not in a folder that is read.

    Raises:
        UsageError: it is.
    """
    if name == STANDARD or is_url(name) or is_url(folder):
        inside = name.startswith(f"{folder.rstrip('/')}/")
    else:
        inside = Path(os.path.realpath(folder)) in Path(os.path.realpath(name)).parents
    if inside:
        raise click.UsageError(f"{name} is in {folder}, which is read: write to another folder")


def title_of(name: str) -> str:
    """Return the name of a file to read for messages."""
    return "<stdin>" if name == STANDARD else name


def is_pipe(name: str) -> bool:
    """Return whether a file can be read only once: standard input, a pipe or a device."""
    if name == STANDARD:
        return True
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def content_of(format: WrittenFormat) -> Content:
    """Return what files of a format hold."""
    return "patches" if format.row is PatchRow else "statements"


def stdout() -> BinaryIO:
    """Return standard output as a stream of bytes.

    Raises:
        OSError: it is closed.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    return sys.stdout.buffer


def stdin() -> BinaryIO:
    """Return standard input as a stream of bytes.

    Raises:
        OSError: it is closed.
    """
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    # Unbuffered, so that rows are seen when they arrive: readers have buffers of their own.
    return cast(BinaryIO, getattr(sys.stdin.buffer, "raw", sys.stdin.buffer))


def _named(name: str) -> str | None:
    """Return a name whose extension counts; None for `-`."""
    return None if name == STANDARD else name


def _require(content: Content | None, format: WrittenFormat, name: str) -> None:
    found = content_of(format)
    if content is not None and found != content:
        raise click.UsageError(f"{name} must hold {content}, but {format.name} holds {found}")


def _unknown(name: str, option: str, formats: Sequence[str]) -> click.UsageError:
    """Return the error for a name that does not tell the format."""
    listed = ", ".join(formats)
    if name == STANDARD:
        stream = "standard input" if option == "--from" else "standard output"
        return click.UsageError(
            f"the format of {stream} is not known: give {option}, one of {listed}"
        )
    # It may be the name of a format that is only written.
    with suppress(OptionError):
        found = codec.target_format_of(_named(name), None, None).name
        return click.UsageError(f"{name!r} cannot be read: {found} is only written")
    return click.UsageError(
        f"the extension of {name!r} does not tell the format: give {option}, one of {listed}"
    )


def _is_same(source: str, target: str) -> bool:
    if STANDARD in (source, target):
        return False
    try:
        return os.path.samefile(source, target)
    except (OSError, ValueError):
        return source == target
