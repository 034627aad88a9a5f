"""`jelly-spark push`: send a triple store the patches of a log that it does not have yet."""

from __future__ import annotations

import click
from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from jelly_spark.cli.command import Command, is_given
from jelly_spark.cli.commands.algebra import to_term
from jelly_spark.cli.commands.logs import existing_log
from jelly_spark.cli.terminal.output import print_json, print_line
from jelly_spark.cli.terminal.progress import shows_progress
from jelly_spark.core.text.visible import visible
from jelly_spark.errors import OptionError, StoreRequestError
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
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.IntRange(1, 86_400),
    default=120,
    show_default=True,
    help="How long a request and its answer may take.",
)
@click.option(
    "--retries",
    metavar="N",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="How often to repeat a request after an error that may pass.",
)
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
    with _Bar() as bar:
        done = push_log(
            existing_log(log),
            store,
            position_file=None if position is None else PositionFile(position),
            holds=None if holds is None else to_term(holds),
            on_progress=bar.show,
            on_retry=_say_retry,
        )
    if is_given("--json"):
        print_json({"log": log, **done._asdict()})
    else:
        print_line(_summary(done))


def _summary(done: Pushed) -> str:
    if done.version is None:
        return "The log is empty."
    if done.loaded is None and not done.patches:
        return f"The store is at {done.version} already."
    counts = [] if done.loaded is None else [f"Statements loaded: {done.loaded:,}."]
    if done.patches:
        counts.append(f"Patches sent: {done.patches:,}.")
    return f"{' '.join(counts)} The store is at {done.version}."


def _say_retry(error: StoreRequestError, pause: float) -> None:
    if not is_given("--json"):
        click.echo(visible(f"{error}: trying again in {pause:.0f} s"), err=True)


class _Bar:
    """Shows how far a push is on standard error, if that is a terminal; a context manager."""

    def __init__(self) -> None:
        self._bars = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not shows_progress(),
        )
        self._task = self._bars.add_task("asking the store")

    def __enter__(self) -> _Bar:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def show(self, progress: Progress) -> None:
        text = f"patches sent: {progress.patches:,}"
        if progress.to_load:
            text = f"statements loaded: {progress.loaded:,} of {progress.to_load:,}, {text}"
        self._bars.update(self._task, description=text)
