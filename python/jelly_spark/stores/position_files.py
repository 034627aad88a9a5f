"""A file that says where a store stands, for stores that must hold nothing but the data."""

from __future__ import annotations

import json
import os
from tempfile import NamedTemporaryFile
from typing import Any

from jelly_spark.errors import StoreError
from jelly_spark.stores.http import without_user
from jelly_spark.stores.positions import Position, check_string


class PositionFile:
    """A file with the position of one store.

    It is written after each patch. So after a crash, a patch may be sent a second time. This leaves
    the same data: adding a statement that is there changes nothing, and neither does deleting one
    that is not. The file knows nothing of a store that is restored or emptied.

    Args:
        path: the path of the file, in a folder that exists.

    Attributes:
        path: the path as a string.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)

    def read(self, url: str) -> list[Position]:
        """Return the position of a store; empty if there is no file.

        Raises:
            OSError: the file cannot be read.
            StoreError: the file is malformed, or is about a store with another URL.
        """
        try:
            with open(self.path, encoding="utf-8") as file:
                found = json.load(file)
            position = Position(
                check_string(found["version"]),
                _check_count(found["loaded"]),
                check_string(found["skolem_base"]),
            )
            of_store = check_string(found["store"])
        except FileNotFoundError:
            return []
        except (KeyError, TypeError, ValueError, RecursionError):
            raise StoreError(f"{self.path} is not a position file: give another name") from None
        if of_store != url:
            raise StoreError(
                f"{self.path} has the position of {without_user(of_store)}: give another name"
            )
        return [position]

    def write(self, url: str, position: Position) -> None:
        """Replace the file.

        Raises:
            OSError: the file cannot be written.
        """
        folder = os.path.dirname(os.path.abspath(self.path))
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=folder, prefix=".position", delete=False
        ) as file:
            json.dump({"store": url, **position._asdict()}, file)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, self.path)


def _check_count(value: Any) -> int | None:
    """Return a number of statements, or None.

    Raises:
        ValueError: it is something else.
    """
    if value is not None and (type(value) is not int or value < 0):
        raise ValueError("expected a number of statements")
    return value
