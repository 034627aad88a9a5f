"""`jelly-spark pull`: append to a log the patches on a server that it does not have yet."""

from __future__ import annotations

import click

from jelly_spark.cli.arguments.requests import request_options, say_retry
from jelly_spark.cli.command import Command, is_given
from jelly_spark.cli.terminal.output import print_json, print_line
from jelly_spark.cli.terminal.progress import Spinner
from jelly_spark.log import Log
from jelly_spark.stores import Pulled, RdfDeltaLog
from jelly_spark.stores import pull as pull_log


@click.command("pull", cls=Command)
@click.argument("url", metavar="URL")
@click.argument("log", metavar="LOG")
@request_options
def pull(url: str, log: str, timeout: int, retries: int) -> None:
    """Append to a log the patches on an RDF Delta server that it does not have yet, each once.

    URL is that of the server and the name of its log, such as http://localhost:1066/NAME. The first
    patch creates LOG. After an interruption, the same command continues.

    Credentials are in the environment, JELLY_SPARK_STORE_TOKEN, or JELLY_SPARK_STORE_USER and
    JELLY_SPARK_STORE_PASSWORD, or in the netrc file.
    """
    source = RdfDeltaLog(url, timeout=timeout, retries=retries)
    with Spinner("asking the server") as spinner:
        done = pull_log(
            source,
            Log(log),
            on_progress=lambda done: spinner.show(f"patches appended: {done.patches:,}"),
            on_retry=say_retry,
        )
    if is_given("--json"):
        print_json({"log": log, **done._asdict()})
    else:
        print_line(_summary(done))


def _summary(done: Pulled) -> str:
    if done.version is None:
        return "The log on the server is empty."
    if not done.patches:
        return f"The log is at {done.version} already."
    return f"Patches appended: {done.patches:,}. The log is at {done.version}."
