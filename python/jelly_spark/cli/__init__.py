"""The command `jelly-spark`: convert, show, check and compare files, and keep logs.

It needs the extra `jelly-spark[cli]`, and neither Spark nor a JVM. `python -m jelly_spark.cli` is
the same command.
"""

from __future__ import annotations

import gc
import sys

__all__ = ["main"]


def main() -> None:
    """Run the command with the arguments of the process, and exit with its status."""
    # Rows form no cycles: to look for some among them takes a quarter of the time of `diff`.
    gc.set_threshold(100_000, 50, 50)
    try:
        from jelly_spark.cli.app import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("click", "rich"):
            raise
        from jelly_spark.core.packages import advice

        # The status for wrong use, which `cli.command` has, but that module needs click.
        print(
            f"Error: the command jelly-spark needs packages: {advice('cli')} ({error})",
            file=sys.stderr,
        )
        sys.exit(2)
    except KeyboardInterrupt:
        # As `cli.command` does once it is imported.
        sys.exit(130)
    run()
