"""The patches of a log in order, and which of them names of versions select."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime, timezone
from functools import cached_property
from typing import TypeAlias

from jelly_spark.errors import LogError, OptionError
from jelly_spark.log.entries.entry import Entry, Position

VersionName: TypeAlias = str | int | datetime
"""What names a version: the id of its patch, its position, or a time."""


class LogView(ABC):
    """The patches of a log as they were when they were looked up.

    Attributes:
        is_managed: whether the log is a managed one, so that a name of a file which is a position,
            see `block.file_of`, is that of the only patch in the file.
        begin: the position of the first patch: 0 unless older ones have expired.
        last: the position of the last patch; `start` if the log is empty.
        head: the id of the last patch; None if the log is empty.
    """

    is_managed = False

    def __init__(self, begin: int, count: int, head: str | None) -> None:
        self.begin = Position(begin)
        self.last = Position(begin + count - 1)
        self.head = head

    def __len__(self) -> int:
        return self.last + 1 - self.begin

    @property
    def start(self) -> Position:
        """The position of the state before the first patch."""
        return Position(self.begin - 1)

    @cached_property
    def before(self) -> str | None:
        """The `prev` of the first patch; None if the log is empty or has all its patches."""
        return self.entry(self.begin).prev if self else None

    @abstractmethod
    def entry(self, position: Position) -> Entry:
        """Return the patch at a position."""

    @abstractmethod
    def entries(self, after: Position, to: Position) -> list[Entry]:
        """Return the patches that lead from one position to another."""

    @abstractmethod
    def find(self, id: str) -> Position | None:
        """Return the position of the last patch with an id; None if there is none."""

    @abstractmethod
    def at_time(self, time: datetime) -> Position:
        """Return the position of the last patch appended up to a time; `start` if there is none.

        Raises:
            LogError: this is not known.
        """

    def located_now(self, patches: Sequence[Entry]) -> Sequence[Entry]:
        """Return patches with the files that have them now, which other programs may have changed.

        Raises:
            LogError: they have expired.
        """
        return patches

    def all(self) -> list[Entry]:
        """Return all patches."""
        return self.entries(self.start, self.last)

    def id_at(self, position: Position) -> str | None:
        """Return the id of a patch; for `start`, the `prev` of the first patch."""
        return self.entry(position).id if position >= self.begin else self.before

    def canonical_first(self, to: Position) -> Entry | None:
        """Return the first patch, if it is not after a position and its `A` rows are the state.

        They are if the patch is canonical and nothing is before it.
        """
        if to < self.begin or self.before is not None:
            return None
        first = self.entry(self.begin)
        return first if first.canonical else None

    def find_state(self, id: str | None) -> Position | None:
        """Return the position of the state after the patch with an id; None if there is none.

        The patch may be the one before the first: without an id if the log has all its patches.
        """
        found = None if id is None else self.find(id)
        return self.start if found is None and self.before == id else found

    def position(self, version: VersionName | None) -> Position:
        """Return the position of a version; None names the last one.

        Raises:
            LogError: the log has no such version.
            OptionError: a time without a time zone has no time in UTC.
        """
        if version is None:
            return self.last
        if isinstance(version, datetime):
            return self._position_at(version)
        if isinstance(version, int):
            return self._position_of(version)
        found = self.find_state(version)
        if found is not None:
            return found
        gone = f" (those before position {self.begin} have expired)" if self.begin else ""
        raise LogError(
            f"the log has no patch with the id {version}{gone}: a version is an id, such as "
            "<urn:uuid:1>, a position, such as 0 or -1, or a datetime"
        )

    def _position_at(self, time: datetime) -> Position:
        found = self.at_time(_with_zone(time))
        if found < self.begin and self.before is not None:
            raise LogError(
                f"the log begins after {time.isoformat()}: older versions are not known any more"
            )
        return found

    def _position_of(self, number: int) -> Position:
        begin, last = self.begin, self.last
        found = Position(last + 1 + number if number < 0 else number)
        if begin <= found <= last:
            return found
        if 0 <= number < begin:
            raise LogError(f"position {number} has expired: the log begins at position {begin}")
        there = f"positions {begin} to {last}" if self else "no patches"
        raise LogError(f"the log has no patch at position {number}: it has {there}")


class ListedView(LogView):
    """Patches that are all in memory, at the positions from 0."""

    def __init__(self, found: Sequence[Entry]) -> None:
        super().__init__(0, len(found), found[-1].id if found else None)
        self._found = found

    def entry(self, position: Position) -> Entry:
        """Return the patch at a position."""
        return self._found[position]

    def entries(self, after: Position, to: Position) -> list[Entry]:
        """Return the patches that lead from one position to another."""
        return [*self._found[after + 1 : to + 1]]

    def find(self, id: str) -> Position | None:
        """Return the position of the last patch with an id; None if there is none."""
        return next((entry.position for entry in reversed(self._found) if entry.id == id), None)

    def at_time(self, time: datetime) -> Position:
        """Return the position of the last patch appended up to a time; `start` if there is none.

        Raises:
            LogError: this is not known.
        """
        after: Entry | None = None
        for entry in reversed(self._found):
            if entry.time is not None and entry.time <= time:
                break
            after = entry
        if after is None:
            return self.last
        if after.time is None:
            raise LogError(
                f"the time of {after.id} is not known, so neither is the version at "
                f"{time.isoformat()}: name the version by the id of its patch"
            )
        return Position(after.position - 1)


def in_utc(time: datetime) -> datetime:
    """Return a time in UTC; its time zone is by default the local one.

    Raises:
        OptionError: UTC has no such time.
    """
    try:
        return _with_zone(time).astimezone(timezone.utc)
    except OverflowError:
        raise OptionError(
            f"{time.isoformat()} is not a time of the years 1 to 9999 in UTC"
        ) from None


def _with_zone(time: datetime) -> datetime:
    """Return a time with a time zone, by default the local one."""
    if time.utcoffset() is not None:
        return time
    try:
        return time.astimezone()
    except (OverflowError, ValueError):
        # The first and the last days of the calendar may be outside of it in UTC.
        raise OptionError(
            f"{time.isoformat()} cannot be converted from the local time zone: give the time with "
            "a zone, or a year between 2 and 9998"
        ) from None
