"""`jelly-spark push`: send a triple store the patches of a log that it does not have yet."""

from __future__ import annotations

import click

from jelly_spark.cli.arguments.requests import request_options, say_retry
from jelly_spark.cli.command import Command, is_given
from jelly_spark.cli.commands.algebra import to_term
from jelly_spark.cli.commands.logs import existing_log
from jelly_spark.cli.terminal.output import print_json, print_line
from jelly_spark.cli.terminal.progress import Spinner
from jelly_spark.errors import OptionError
from jelly_spark.stores import FusekiStore, PositionFile, Progress, Pushed, SparqlStore, TripleStore
from jelly_spark.stores import push as push_log


@click.command("push", cls=Command)
@click.argument("log", metavar="LOG")
@click.argument("url", metavar="URL")
@click.option(
    "--service",
    type=click.Choice(["sparql", "fuseki"]),
    default="sparql",
    show_default=True,
    help="What is at URL: SPARQL Update, or the patch service of Jena Fuseki.",
)
@click.option(
    "--query", metavar="URL", help="The query service; by default, the same URL as for updates."
)
@click.option(
    "--graph-store",
    metavar="URL",
    help="The service with the Graph Store Protocol, for a faster first load. Requests of it that "
    "the store carries out late are not noticed.",
)
@click.option(
    "--skolem-base",
    metavar="IRI",
    default="",
    help="Replace blank nodes with IRIs that begin with this one. SPARQL Update needs it.",
)
@click.option(
    "--position",
    metavar="FILE",
    help="Keep the position of the store in a file, and not in the store. The file does not show "
    "that the store was restored or emptied.",
)
@click.option(
    "--holds", metavar="ID", help="The version that the store has, if it was loaded otherwise."
)
@request_options
def push(
    log: str,
    url: str,
    service: str,
    query: str | None,
    graph_store: str | None,
    skolem_base: str,
    position: str | None,
    holds: str | None,
    timeout: int,
    retries: int,
) -> None:
    """Send a triple store the patches of a log that it does not have yet, in order, each once.

    An empty store first gets the state of the last patch. After an interruption, the same command
    continues.

    Credentials are in the environment, JELLY_SPARK_STORE_TOKEN, or JELLY_SPARK_STORE_USER and
    JELLY_SPARK_STORE_PASSWORD, or in the netrc file.
    """
    store: TripleStore
    if service == "sparql":
        store = SparqlStore(
            url,
            query=query,
            graph_store=graph_store,
            skolem_base=skolem_base,
            timeout=timeout,
            retries=retries,
        )
    elif graph_store is not None or skolem_base:
        raise OptionError("--graph-store and --skolem-base are for --service sparql")
    else:
        store = FusekiStore(url, query=query, timeout=timeout, retries=retries)
    with Spinner("asking the store") as spinner:
        done = push_log(
            existing_log(log),
            store,
            position_file=None if position is None else PositionFile(position),
            holds=None if holds is None else to_term(holds),
            on_progress=lambda progress: spinner.show(_progress(progress)),
            on_retry=say_retry,
        )
    if is_given("--json"):
        print_json({"log": log, **done._asdict()})
    else:
        print_line(_summary(done))


def _progress(progress: Progress) -> str:
    text = f"patches sent: {progress.patches:,}"
    if progress.to_load:
        text = f"statements loaded: {progress.loaded:,} of {progress.to_load:,}, {text}"
    return text


def _summary(done: Pushed) -> str:
    if done.version is None:
        return "The log is empty."
    if done.loaded is None and not done.patches:
        return f"The store is at {done.version} already."
    counts = [] if done.loaded is None else [f"Statements loaded: {done.loaded:,}."]
    if done.patches:
        counts.append(f"Patches sent: {done.patches:,}.")
    return f"{' '.join(counts)} The store is at {done.version}."
