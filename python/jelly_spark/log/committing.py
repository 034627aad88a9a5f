"""The times of versions that are committed."""

from __future__ import annotations

from datetime import datetime, timezone

from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.entries.view import LogView


def check_time(time: datetime, view: LogView) -> None:
    """Check the time that a new version is to have: times must not go back in a log.

    Args:
        time: the time, in UTC.
        view: the patches of the log.

    Raises:
        LogError: it is before the time of the last version.
        OptionError: it is in the future.
    """
    if time > datetime.now(timezone.utc):
        raise OptionError(f"{time.isoformat()} is in the future: only earlier versions have a time")
    last = view.entry(view.last) if view else None
    if last is not None and last.time is not None and time < last.time:
        raise LogError(
            f"{time.isoformat()} is before the time of the last patch, {last.id}, which is "
            f"{last.time.isoformat()}: commit the states in the order of their times"
        )
