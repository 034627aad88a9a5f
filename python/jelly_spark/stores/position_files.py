"""A file that says where a store stands, for stores that must hold nothing but the data."""

from __future__ import annotations

import json
import os
from tempfile import NamedTemporaryFile

from jelly_spark.errors import StoreError
from jelly_spark.stores.positions import Position


class PositionFile:
    """A file with the position of one store.

    It is written after each patch. So after a crash, a patch may be sent a second time. This leaves
    the same data: adding a statement that is there changes nothing, and neither does deleting one
    that is not.

    Args:
        path: the path of the file, in a folder that exists.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)

    def read(self, url: str) -> list[Position]:
        """Return the position of a store; empty if there is no file.

        Raises:
            OSError: the file cannot be read.
            StoreError: the file is malformed, or is about a store with another URL.
        """
        try:
            with open(self._path, encoding="utf-8") as file:
                found = json.load(file)
            position = Position(found["version"], found["loaded"], found["skolem_base"])
            of_store = found["store"]
        except FileNotFoundError:
            return []
        except (KeyError, TypeError, ValueError):
            raise StoreError(f"{self._path} is not a position file: give another name") from None
        if of_store != url:
            raise StoreError(f"{self._path} has the position of {of_store}: give another name")
        return [position]

    def write(self, url: str, position: Position) -> None:
        """Replace the file.

        Raises:
            OSError: the file cannot be written.
        """
        folder = os.path.dirname(os.path.abspath(self._path))
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=folder, prefix=".position", delete=False
        ) as file:
            json.dump({"store": url, **position._asdict()}, file)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, self._path)
