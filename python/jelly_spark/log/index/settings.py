"""The settings of a managed log, which say where it begins, and which packs it has.

Each change makes a new generation, a file that is created and never overwritten. So concurrent
changes follow each other, and a program that knows one generation finds the next one by its name.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import NamedTuple

from jelly_spark.errors import LogError
from jelly_spark.log.entries.entry import Position
from jelly_spark.log.entries.files import OWN, Files
from jelly_spark.log.entries.packs import Pack, checked
from jelly_spark.log.index.block import VERSION, Block, check_version

FOLDER = f"{OWN}/format"
"""The folder of the settings. Its first file makes a folder a managed log."""


class Settings(NamedTuple):
    """One generation of the settings.

    Attributes:
        generation: its number.
        begin: the position of the first patch; those before it have expired.
        prev: the id of the patch before it; None if there is none.
        chain: the digest of all patches before it, see `block.chain_digest`.
        adopted: the number of patches in files that were adopted, the first ones of the log.
        time: when the generation was made.
        packs: the packs, in order.
    """

    generation: int
    begin: Position
    prev: str | None
    chain: str
    adopted: int
    time: datetime
    packs: tuple[Pack, ...] = ()

    def empty(self) -> Block:
        """Return the block of a log that begins here, without entries."""
        return Block(self.generation, self.begin, self.begin, self.prev, self.chain, [])


def settings_file(generation: int) -> str:
    """Return the name of the file of a generation."""
    return f"{FOLDER}/{generation:010d}.json"


def create_settings(files: Files, settings: Settings) -> bool:
    """Write a generation; return False if it exists."""
    content = {"version": VERSION, **settings._asdict(), "time": settings.time.isoformat()}
    name = settings_file(settings.generation)
    with files.temporary(name) as path:
        path.write_text(json.dumps(content), encoding="ascii")
        return files.create(name, path)


def settings_after(files: Files, generation: int) -> list[Settings]:
    """Return the generations after one, in order.

    Raises:
        LogError: the log has a newer version than this release, or a file is malformed.
    """
    found = []
    while files.has(settings_file(generation + 1)):
        generation += 1
        found.append(read_settings(files, generation))
    return found


def all_settings(files: Files) -> list[Settings]:
    """Return all generations of a managed log, in order.

    Raises:
        LogError: there are none, or as `settings_after`.
    """
    found = settings_after(files, -1)
    if not found:
        raise _missing(files, settings_file(0))
    return found


def read_settings(files: Files, generation: int) -> Settings:
    """Return a generation.

    Raises:
        LogError: it is missing, malformed, or of a newer version than this release.
    """
    name = settings_file(generation)
    try:
        content = json.loads(files.read(name))
        check_version(content.pop("version"), files.path(name))
        time, packs = datetime.fromisoformat(content["time"]), checked(content.get("packs", ()))
        return _checked(Settings(**{**content, "time": time, "packs": packs}), generation)
    except FileNotFoundError:
        raise _missing(files, name) from None
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise LogError(
            f"{files.path(name)} is malformed ({error!r}): restore it from a backup"
        ) from error


def _checked(found: Settings, generation: int) -> Settings:
    """Return settings from JSON with the types and values that they must have.

    Raises:
        TypeError or ValueError: they do not have them.
    """
    numbers = (found.generation, found.begin, found.adopted)
    texts = (found.chain, "" if found.prev is None else found.prev)
    if not all(type(number) is int for number in numbers) or not all(
        isinstance(text, str) for text in texts
    ):
        raise TypeError(found)
    if found.generation != generation or min(numbers) < 0 or found.time.tzinfo is None:
        raise ValueError(found)
    return found


def _missing(files: Files, name: str) -> LogError:
    return LogError(f"{files.path(name)} is missing: restore the folder {FOLDER} from a backup")
