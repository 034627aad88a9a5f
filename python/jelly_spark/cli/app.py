"""The command `jelly-spark` and its subcommands."""

from __future__ import annotations

import io
import sys

import click

from jelly_spark._version import __version__
from jelly_spark.cli.command import Group
from jelly_spark.cli.commands.algebra import apply, concat, diff, invert, squash
from jelly_spark.cli.commands.convert import convert
from jelly_spark.cli.commands.inspect import inspect
from jelly_spark.cli.commands.logs import logs
from jelly_spark.cli.commands.pull import pull
from jelly_spark.cli.commands.push import push
from jelly_spark.cli.commands.report import report
from jelly_spark.cli.commands.show import cat, head
from jelly_spark.cli.commands.stats import stats
from jelly_spark.cli.commands.validate import validate
from jelly_spark.cli.commands.verify import verify
from jelly_spark.core.compiled import IS_COMPILED

NAME = "jelly-spark"


_COMPLETION = f"""\b
Completion of commands and options in bash (put it into ~/.bashrc; also for zsh and fish):
  eval "$(_JELLY_SPARK_COMPLETE=bash_source {NAME})"
"""

_VERSION = "%(prog)s %(version)s" + (" (compiled)" if IS_COMPILED else "")


@click.group(
    NAME,
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=_COMPLETION,
)
@click.version_option(__version__, prog_name=NAME, message=_VERSION)
def app() -> None:
    """Convert, show, check and compare files of RDF patches and RDF data.

    A file is a path or a URL; - stands for standard input or output. Names that end with .gz or
    .zst are compressed. A log, which is a folder, stands for its patches, or for its last state
    where RDF data is read. The exit status is 0 if all is well, 1 for findings and malformed input,
    2 for wrong use, 3 if a file cannot be read or written, or a server cannot be reached, and 4 if
    log commit has nothing to append, because nothing has changed.
    """


for command in (
    *(convert, cat, head, inspect, stats, validate, verify, report),
    *(diff, apply, squash, invert, concat, logs, push, pull),
):
    app.add_command(command)


def run() -> None:
    """Run the command with the arguments of the process, and exit with its status."""
    # Whatever the locale says. A name of a file that is not UTF-8 is printed as its own bytes.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    app.main(prog_name=NAME)
