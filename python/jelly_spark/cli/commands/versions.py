"""The names of versions of a log, and times, in arguments of commands."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import click

from jelly_spark.cli.commands.algebra import to_term
from jelly_spark.log import VersionName

_TIMES = "2026-11-23, 2026-11-23T07:00 or 2026-11-23T07:00+01:00"

_TIME = re.compile(r"\d{4}-\d\d-\d\d([Tt ]\d.*)?", re.ASCII)

# The beginning of an absolute IRI, or of a term in the syntax of N-Triples.
_ID = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:|[<"]|_:')


class TimeType(click.ParamType[datetime]):
    """The type of an option whose value is a time."""

    name = "TIME"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Return the time."""
        time = value if isinstance(value, datetime) else _time_of(value)
        if time is None:
            self.fail(f"{value!r} is not a time, such as {_TIMES}", param, ctx)
        return time


def version_of(text: str) -> VersionName:
    """Return the position, the time or the id that an argument names.

    Raises:
        UsageError: it is none of these.
    """
    if text.removeprefix("-").isdecimal():
        return int(text)
    time = _time_of(text)
    if time is not None:
        return time
    try:
        if _ID.match(text):
            return to_term(text)
    except click.UsageError:
        pass
    raise click.UsageError(
        f"{text!r} is not a version, which is the id of a patch, such as urn:uuid:1; a position, "
        f"such as 0 or -1; or a time, such as {_TIMES}"
    )


def _time_of(text: str) -> datetime | None:
    """Return a time in the format of ISO 8601, or a date; None if it is neither."""
    # `fromisoformat` takes any character for the T, as the sign of a zone after a date.
    if not _TIME.fullmatch(text):
        return None
    try:
        # Before Python 3.11, it does not know the Z of UTC.
        return datetime.fromisoformat(re.sub("[Zz]$", "+00:00", text))
    except ValueError:
        return None
