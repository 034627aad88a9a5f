"""The classes of all commands: the options that they share, their exit statuses and errors."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import Any, Literal, TypeAlias

import click
from click.exceptions import Exit

from jelly_spark.cli.python_names import in_words_of
from jelly_spark.core.text.visible import visible
from jelly_spark.errors import (
    InvalidTermError,
    JellySparkError,
    MissingPackageError,
    OptionError,
    SessionError,
    StoreRequestError,
)


class Status(IntEnum):
    """The exit statuses."""

    DONE = 0
    """Everything was done, and nothing was found."""
    FINDINGS = 1
    """There are findings, or the input is malformed or not what the command can process."""
    USAGE = 2
    """Wrong use: an argument or option is not valid, or a package is missing."""
    INPUT_OUTPUT = 3
    """A file cannot be read or written, or a server cannot be reached or refuses a request."""
    UNCHANGED = 4
    """`log commit` has nothing to append, because nothing has changed."""
    INTERNAL = 70
    """An error in this program."""
    INTERRUPTED = 130
    """Interrupted with Ctrl-C."""
    BROKEN_PIPE = 141
    """The reader of the output, such as `head`, has closed it. Nothing is printed."""


Flag: TypeAlias = Literal["--json", "--debug"]

_RUNNING = f"{__name__}.running"
"""The key of the context of the command that runs, in what contexts share."""


def is_given(flag: Flag) -> bool:
    """Return whether a flag is given to the command that runs."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(flag))


def _flag(flag: Flag, help: str) -> click.Option:
    """Return an option that commands do not get as an argument: see `is_given`."""

    def remember(context: click.Context, _: click.Parameter, value: bool) -> None:
        # Not only if true: it may be given before and after the command's name.
        context.meta[flag] = context.meta.get(flag, False) or value

    return click.Option([flag], is_flag=True, expose_value=False, callback=remember, help=help)


def _debug_option() -> click.Option:
    return _flag("--debug", "Show the stack trace of an error.")


class Command(click.Command):
    """A command with the options `--json` and `--debug`."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        json_option = _flag("--json", "Print the result as JSON, for programs.")
        self.params += [json_option, _debug_option()]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; its context tells `Group` how to word an error."""
        ctx.meta[_RUNNING] = ctx
        return super().invoke(ctx)


class Group(click.Group):
    """A group of commands, whose errors become one line and an exit status."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params.append(_debug_option())

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """Parse the arguments; printing the help can fail, too."""
        with _exit_with_status():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _exit_with_status():
            return super().invoke(ctx)


@contextmanager
def _exit_with_status() -> Iterator[None]:
    """Turn exceptions, but for click's own, into an error line and click's `Exit`."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except (click.ClickException, Exit, click.Abort):
        raise
    except KeyboardInterrupt:
        status = Status.INTERRUPTED
    except BrokenPipeError:
        status = Status.BROKEN_PIPE
    except Exception as error:
        status = _status_of(error)
        if is_given("--debug"):
            traceback.print_exc()
        _print_error(error, status)
    else:
        return
    _give_up_stdout()
    raise Exit(status)


def _status_of(error: Exception) -> Status:
    if isinstance(error, (OptionError, InvalidTermError, MissingPackageError, SessionError)):
        return Status.USAGE
    if isinstance(error, StoreRequestError):
        return Status.INPUT_OUTPUT
    if isinstance(error, JellySparkError):
        return Status.FINDINGS
    if isinstance(error, OSError) or _is_remote(error):
        return Status.INPUT_OUTPUT
    return Status.INTERNAL


def _is_remote(error: Exception) -> bool:
    """Return whether fsspec, or a package that it uses, raised an error.

    These packages have errors of their own, such as that there are no credentials for S3.
    """
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    modules = (frame.f_globals.get("__name__", "") for frame in frames)
    return any(module.partition(".")[0] == "fsspec" for module in modules)


def _print_error(error: Exception, status: Status) -> None:
    text = str(error)
    context = click.get_current_context(silent=True)
    running = None if context is None else context.meta.get(_RUNNING)
    if isinstance(error, JellySparkError) and running is not None:
        text = in_words_of(running, text)
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    elif status is Status.INPUT_OUTPUT and not isinstance(error, (OSError, StoreRequestError)):
        text = f"a file at a URL cannot be read or written: {type(error).__name__}: {text}"
    elif status is Status.INTERNAL:
        text = f"{type(error).__name__}: {text} (an error in jelly-spark: --debug shows the place)"
    line = visible(" ".join(text.split("\n")))
    # If standard error is closed, there is nowhere left to report to.
    with suppress(OSError, AttributeError):
        print(f"Error: {line}", file=sys.stderr)


def _give_up_stdout() -> None:
    """Ensure that Python does not fail when it flushes standard output at its exit."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
