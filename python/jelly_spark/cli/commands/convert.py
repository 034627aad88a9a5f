"""`jelly-spark convert`: from one format to another."""

from __future__ import annotations

import shlex
from dataclasses import replace

import click

from jelly_spark._format_options import reader_strings
from jelly_spark.cli.arguments.files import (
    Output,
    Source,
    Target,
    content_of,
    find_source,
    find_target,
    target_options,
)
from jelly_spark.cli.arguments.reading import Reading, read_options
from jelly_spark.cli.command import Command
from jelly_spark.cli.spark.converting import convert_on_spark, is_folder
from jelly_spark.cli.spark.session import conf_option
from jelly_spark.cli.terminal.output import report_json
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.codec import RdfOptions
from jelly_spark.core.options import parse_pairs
from jelly_spark.formats import WRITTEN


@click.command(
    cls=Command,
    epilog="""\b
Examples:
  jelly-spark convert changes.rdfp changes.jellyp
  jelly-spark convert data.nq.gz data.jelly --option physicalType=GRAPHS
  jelly-spark convert data.nt data.ttl --prefix ex=http://example.org/
""",
)
@click.argument("source", metavar="IN")
@click.argument("output", metavar="OUT")
@read_options
@target_options
@click.option(
    "--prefix",
    "prefixes",
    multiple=True,
    metavar="NAME=IRI",
    help="A prefix of Turtle or TriG, which the file begins with, and which shortens its IRIs. It "
    "takes precedence over those of IN. May be repeated.",
)
@click.option(
    "--spark",
    "on_spark",
    is_flag=True,
    help="Use Spark, for big files. If OUT ends with /, it is a folder of files, which are written "
    "in parallel.",
)
@conf_option
def convert(
    source: str,
    output: Output,
    reading: Reading,
    prefixes: tuple[str, ...],
    on_spark: bool,
    conf: tuple[str, ...],
) -> None:
    """Convert a file to another format.

    Patch formats are converted to patch formats, RDF formats to RDF formats, also to the
    same format with other options. The extensions say the formats and the compression, unless
    --from and --to do. OUT is replaced when it is complete.

    Turtle and TriG have a block for each subject, in the order of the statements: sort
    them first if they are in no order. The prefixes are those of IN and of --prefix.
    """
    read = find_source(source, reading)
    written = find_target(output, [read])
    _check_kinds(read, written, reading, output)
    if prefixes:
        written = _with_prefixes(written, prefixes)
    if on_spark and written.format.by_jena:
        raise click.UsageError("--spark does not write Turtle and TriG: convert without it")
    # Namespaces are rows only if the target can hold them.
    wanted = written.has_namespaces
    if on_spark and read.log is not None:
        raise click.UsageError(f"{source} is a log, which --spark does not read")
    if on_spark:
        spark_options = reader_strings(read.arguments(namespaces=wanted))
        count = convert_on_spark(read, written, spark_options, conf)
    elif conf:
        raise click.UsageError("--conf is for --spark")
    elif is_folder(output.name):
        raise click.UsageError(f"{output.name} is a folder, which needs --spark")
    else:
        with ProgressBar() as progress, read.open(namespaces=wanted) as reader:
            count = written.write(progress.rows(read, reader))
    report = {
        "input": source,
        "from": read.format.name,
        "output": output.name,
        "to": written.format.name,
        "rows": count,
    }
    report_json(report, to_stdout=not written.is_stdout)


def _with_prefixes(target: Target, prefixes: tuple[str, ...]) -> Target:
    options = target.options
    if not isinstance(options, RdfOptions):
        raise click.UsageError(f"--prefix is for Turtle and TriG, not for {target.format.name}")
    given = parse_pairs("--prefix", prefixes)
    return replace(target, options=replace(options, prefixes={**options.prefixes, **given}))


def _check_kinds(source: Source, target: Target, reading: Reading, output: Output) -> None:
    read, written = content_of(source.format), content_of(target.format)
    if read == written:
        return
    fitting = (name for name, format in WRITTEN.items() if format.row is source.format.row)
    command = ["jelly-spark", "diff" if read == "statements" else "apply", "none", source.name]
    command += [] if reading.format is None else ["--from", reading.format]
    if "syntax" in reading.options:
        command += ["--read-option", f"syntax={reading.options['syntax']}"]
    command += ["-o", target.name]
    command += [] if output.format is None else ["--to", output.format]
    raise click.UsageError(
        f"{source.format.name} holds {read}, and {target.format.name} holds {written}: convert to "
        f"one of {', '.join(fitting)}; or make {written} of the {read} with: {shlex.join(command)}"
    )
