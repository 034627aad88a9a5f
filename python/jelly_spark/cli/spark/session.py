"""A Spark session for the commands that can use one, and the errors of its jobs."""

from __future__ import annotations

import errno
import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from jelly_spark._bridge import error_of
from jelly_spark.cli.arguments.reading import parse_settings
from jelly_spark.cli.command import is_given
from jelly_spark.core.packages import needs_extra
from jelly_spark.errors import JellySparkError, SessionError
from jelly_spark.session import configure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_C = TypeVar("_C", bound=Callable[..., Any])

# What a command has no use for.
_SETTINGS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
# The seconds to wait for Spark's JVM to end, before it is killed.
_PATIENCE = 20


def conf_option(command: _C) -> _C:
    """Add the option `--conf`, the argument `conf`."""
    return click.option(
        "--conf",
        multiple=True,
        metavar="KEY=VALUE",
        help="A setting of Spark, such as spark.driver.memory=4g. May be repeated.",
    )(command)


@contextmanager
def session(conf: Sequence[str]) -> Iterator[SparkSession]:
    """Start Spark with the jar, and stop it at the end.

    Spark's own settings apply, such as those of `spark-defaults.conf`. Without a master there, it
    uses all cores of this machine. What its JVM logs is only shown if `--debug` is given.

    Raises:
        MissingPackageError: PySpark is not installed.
        SessionError: Spark does not start, or has no jar.
        UsageError: a setting is not `KEY=VALUE`.
    """
    settings = {**_SETTINGS, **parse_settings("--conf", conf)}
    with needs_extra("spark", "Spark needs a package"):
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    builder = configure(builder)
    if not is_given("--debug"):
        # Py4J logs that Ctrl-C interrupted it.
        logging.disable()
    before, spark = signal.getsignal(signal.SIGINT), None
    try:
        with _interrupted_later(), tempfile.TemporaryFile() as log:
            try:
                with _stderr_to(log):
                    spark = builder.getOrCreate()
            except (PySparkException, RuntimeError) as error:
                log.seek(0)
                said = log.read().decode(errors="replace").strip()
                reason = said.splitlines()[-1] if said else str(error)
                raise SessionError(f"Spark does not start: {reason}") from error
        if not is_given("--debug"):
            spark.sparkContext.setLogLevel("OFF")
        yield spark
    finally:
        # PySpark's handler needs the JVM.
        signal.signal(signal.SIGINT, before)
        _stop(spark)


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Raise `KeyboardInterrupt` at the end if Ctrl-C comes while PySpark starts the JVM.

    If it were raised at once, PySpark would lose the JVM's process, which would go on.
    """
    from pyspark import SparkContext

    before, interrupted = signal.getsignal(signal.SIGINT), False

    def remember(*_: Any) -> None:
        nonlocal interrupted
        interrupted = True
        if SparkContext._gateway is not None:
            raise KeyboardInterrupt

    if before is signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        # PySpark replaces it by its own.
        if signal.getsignal(signal.SIGINT) is remember:
            signal.signal(signal.SIGINT, before)
    if interrupted:
        raise KeyboardInterrupt


def _stop(spark: SparkSession | None) -> None:
    """Stop Spark if it has started, and wait for the end of its JVM."""
    from pyspark import SparkContext

    process = getattr(SparkContext._gateway, "proc", None)
    try:
        # After Ctrl-C, the connection to the JVM may be lost. The JVM ends with its input.
        with suppress(Exception):
            if spark is not None:
                spark.stop()
        if process is not None:
            with suppress(OSError):
                process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
    finally:
        # After one more Ctrl-C, too. This does nothing if the process has ended.
        if process is not None:
            process.kill()
            process.wait()


@contextmanager
def job_errors(file: str) -> Iterator[None]:
    """Raise what makes a job of Spark fail as the errors that the codec raises for a file."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        thrown = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
        found = error_of(thrown)
        if found is not None:
            if hasattr(found, "file"):
                # Spark's name for it is a URL.
                found.file = file
            raise found from error
        message, is_input_output = str(error).splitlines()[0], False
        while thrown is not None:
            message = str(thrown.getMessage() or thrown.toString())
            is_input_output = "java.io." in thrown.getClass().getName()
            thrown = thrown.getCause()
        message = message.splitlines()[0]
        if is_input_output:
            raise OSError(errno.EIO, message) from error
        raise JellySparkError(f"Spark: {message}") from error


@contextmanager
def _stderr_to(file: IO[bytes]) -> Iterator[None]:
    """Send standard error to a file; a process that is started here keeps it."""
    try:
        saved = None if is_given("--debug") else os.dup(2)
    except OSError:  # It is closed.
        saved = None
    if saved is None:
        yield
        return
    sys.stderr.flush()
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(saved, 2)
        os.close(saved)
