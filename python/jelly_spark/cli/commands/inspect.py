"""`jelly-spark inspect`: what a file consists of, and what makes it big."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from enum import Enum
from typing import Any

import click

from jelly_spark.cli.arguments.files import STANDARD, Source, find_source
from jelly_spark.cli.arguments.reading import Reading, read_options
from jelly_spark.cli.command import Command, is_given
from jelly_spark.cli.commands.anatomy import (
    KINDS,
    Anatomy,
    JellyPatchAnatomyReader,
    JellyRdfAnatomyReader,
)
from jelly_spark.cli.terminal.output import print_json, print_line, print_table
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.codec import JellyReader, RowReader
from jelly_spark.core.files.compression import compression_of
from jelly_spark.core.files.paths import is_url
from jelly_spark.core.options import camel
from jelly_spark.jelly.frames.restart_index import read_index
from jelly_spark.jelly.frames.term_filters import TermFilters, read_filters
from jelly_spark.jelly.options import OPTIONS_OUTSIDE_FILES, JellyOptions


@click.command(cls=Command)
@click.argument("file", metavar="FILE")
@read_options
def inspect(file: str, reading: Reading) -> None:
    """Show what a file consists of, and what makes it big.

    For all formats: rows, patches and transactions. For the Jelly formats also the options of the
    stream, frames, restart points and the filters of their index, bytes by kind of row, and how
    lookup entries are used.
    """
    source = find_source(file, reading)
    compression = compression_of(file)
    report: dict[str, Any] = {
        "file": source.title,
        "format": source.format.name,
        "compression": compression and compression.name,
        "size": source.size(),
    }
    with ProgressBar() as progress, _open(source) as reader:
        report |= _count(progress.rows(source, reader), has_patches=source.has_patches)
        if isinstance(reader, (JellyPatchAnatomyReader, JellyRdfAnatomyReader)):
            report |= _describe(reader, reader.anatomy)
            report["restart_points"], report["index_filters"] = _read_index(source)
    if is_given("--json"):
        print_json(report)
    else:
        _print_tables(report)


def _open(source: Source) -> RowReader[Any]:
    readers = {kind.format: kind for kind in (JellyPatchAnatomyReader, JellyRdfAnatomyReader)}
    reader = readers.get(source.format.name)
    return source.open(reader, namespaces=reader is not None)


def _count(rows: Iterable[Any], *, has_patches: bool) -> dict[str, Any]:
    """Count the rows of a file."""
    if not has_patches:
        count = statements = 0
        for row in rows:
            count += 1
            statements += row.name is None
        return {"rows": count, "statements": statements}
    operations: Counter[str] = Counter()
    patches, last = 0, None
    for row in rows:
        operations[row.op] += 1
        if row.patch != last:
            patches, last = patches + 1, row.patch
    return {
        "rows": operations.total(),
        "operations": dict(operations.most_common()),
        "patches": patches,
        "transactions": {
            "begun": operations["TX"],
            "committed": operations["TC"],
            "aborted": operations["TA"],
        },
    }


def _describe(reader: JellyReader[Any, Any], anatomy: Anatomy) -> dict[str, Any]:
    """Describe a Jelly file that has been read to its end."""
    in_rows = anatomy.bytes.total()
    sizes = [
        {"kind": KINDS.get(kind, kind), "rows": anatomy.rows[kind], "bytes": size}
        for kind, size in anatomy.bytes.most_common()
    ]
    sizes.append({"kind": "frames", "rows": None, "bytes": anatomy.size - in_rows})
    return {
        "options": _options(reader.options),
        "frames": anatomy.frames,
        "decompressed_size": anatomy.size,
        "bytes_by_kind": sizes,
        "lookups": anatomy.lookups(),
        "terms": {
            "written": dict(anatomy.terms.most_common()),
            "repeated": anatomy.repeated,
            "bytes_of_lexical_forms": anatomy.text,
        },
    }


def _options(options: JellyOptions | None) -> dict[str, Any] | None:
    """Return the options that a stream states; None if it has no rows."""
    if options is None:
        return None
    values = {field.name: getattr(options, field.name) for field in fields(options)}
    return {
        camel(name): value.name if isinstance(value, Enum) else value
        for name, value in values.items()
        if name not in OPTIONS_OUTSIDE_FILES
    }


def _read_index(
    source: Source,
) -> tuple[list[dict[str, int]] | None, list[dict[str, Any]] | None]:
    """Return the restart points and the filters of columns that readers use.

    Both are None if they are not known for such a file.
    """
    if source.name == STANDARD or is_url(source.name):
        return None, None
    if compression_of(source.name) is not None or source.size() is None:
        return [], []
    with open(source.name, "rb") as stream:
        points = read_index(stream, 0)
        filters = read_filters(stream, 0, points) if points else None
    shown = [
        {"offset": point.offset, "frames": point.frames, "rows": point.rows} for point in points
    ]
    return shown, [] if filters is None else [_describe_filter(filters, at) for at in filters]


def _describe_filter(filters: TermFilters, column: str) -> dict[str, Any]:
    sizes = [size for size in filters.sizes(column) if size is not None]
    return {"column": column, "ranges": len(sizes), "bytes": sum(sizes)}


def _print_tables(report: dict[str, Any]) -> None:
    summary: list[tuple[str, object]] = [("format", report["format"])]
    if report["compression"]:
        summary.append(("compression", report["compression"]))
    summary += [("bytes", report["size"]), ("rows", report["rows"])]
    if "patches" in report:
        begun, committed, aborted = report["transactions"].values()
        summary += [
            ("patches", report["patches"]),
            ("transactions", f"{begun:,}: {committed:,} committed, {aborted:,} aborted"),
        ]
    else:
        summary.append(("statements", report["statements"]))
    if "frames" in report:
        points = report["restart_points"]
        summary += [
            ("bytes after decompression", report["decompressed_size"]),
            ("frames", report["frames"]),
            ("restart points", "not known" if points is None else len(points)),
        ]
        summary += [
            (
                f"filters of {found['column']}",
                f"{found['ranges']:,} ranges, {found['bytes']:,} bytes",
            )
            for found in report["index_filters"] or ()
        ]
    print_table(report["file"], ["", ""], summary)
    if "frames" not in report:
        if "operations" in report:
            print_table("Rows", ["kind", "rows"], report["operations"].items())
        return
    total = report["decompressed_size"] or 1
    sizes = (
        (size["kind"], size["rows"], size["bytes"], f"{100 * size['bytes'] / total:.1f} %")
        for size in report["bytes_by_kind"]
    )
    print_table("Bytes by kind of row", ["kind", "rows", "bytes", "share"], sizes)
    lookups = ((kind, *use.values()) for kind, use in report["lookups"].items())
    headings = ["lookup", "size", "entries", "replaced", "uses", "used once", "unused"]
    print_table("Lookup entries", headings, lookups)
    terms = report["terms"]
    counts = [*terms["written"].items(), ("repeated, not written", terms["repeated"])]
    print_table("Terms", ["kind", "terms"], counts)
    print_line(f"Lexical forms of literals: {terms['bytes_of_lexical_forms']:,} bytes")
    if report["options"] is not None:
        options = ((name, _option(value)) for name, value in report["options"].items())
        print_table("Options of the stream", ["option", "value"], options)


def _option(value: object) -> str:
    """Return the value of an option as users write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
