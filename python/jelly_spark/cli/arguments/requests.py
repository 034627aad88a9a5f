"""Options of the commands that send requests to servers, and what they say about retries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from jelly_spark.cli.command import is_given
from jelly_spark.core.text.visible import visible
from jelly_spark.errors import StoreRequestError

F = TypeVar("F", bound=Callable[..., Any])

_TIMEOUT = click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.IntRange(1, 86_400),
    default=120,
    show_default=True,
    help="How long a request and its answer may take.",
)
_RETRIES = click.option(
    "--retries",
    metavar="N",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="How often to repeat a request after an error that may pass.",
)


def request_options(command: F) -> F:
    """Give a command the options `--timeout` and `--retries`, and arguments of these names."""
    return _TIMEOUT(_RETRIES(command))


def say_retry(error: StoreRequestError, pause: float) -> None:
    """Print on standard error why a request is repeated, and after how many seconds.

    Nothing is printed if the output is JSON, for programs.
    """
    if not is_given("--json"):
        click.echo(visible(f"{error}: trying again in {pause:.0f} s"), err=True)
