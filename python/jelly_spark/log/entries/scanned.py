"""Reading the patch files of a folder to learn what they hold: without an index, or to make one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from jelly_spark.core.files.local import FileInfo
from jelly_spark.errors import JellySparkError
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.files import Files
from jelly_spark.log.entries.order import LogFinding, broken_rules, files_in_order, order
from jelly_spark.log.entries.patch_files import format_of, scan


class FolderScan:
    """The patches in the files of a folder.

    Args:
        files: the files of the folder.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        # The patches of each file that was read, with what was listed.
        self._read: dict[str, tuple[FileInfo, list[Entry]]] = {}

    def entries(
        self, is_wanted: Callable[[str], bool] | None = None, packed: Iterable[Entry] = ()
    ) -> list[Entry]:
        """Return the patches in the order of their chain; only new and changed files are read.

        Args:
            is_wanted: selects files by their names; by default, all patch files.
            packed: known patches whose files may be gone, because they are in packs.

        Raises:
            LogError: the patches do not form one chain.
            MalformedInputError: a file is malformed.
            OSError: the folder cannot be read.
        """
        found = {(entry.file, entry.patch): entry for entry in packed}
        for name, info in self._listed().items():
            if is_wanted is None or is_wanted(name):
                found.update({(name, entry.patch): entry for entry in self._entries(name, info)})
        return order(found.values())

    def names(self) -> list[str]:
        """Return the names of the files, in the order of the chain as far as there is one.

        Files that cannot be read come last.
        """
        contents = [*self._contents()]
        patches = [entry for _, found, _ in contents for entry in found]
        return [*files_in_order(patches), *(name for name, found, _ in contents if not found)]

    def findings(self) -> Iterator[LogFinding]:
        """Yield what is wrong with the files; see `Log.verify`."""
        patches: list[Entry] = []
        for name, found, error in self._contents():
            if error is not None:
                yield LogFinding("unreadable-file", name, str(error))
            elif not found:
                yield LogFinding("unreferenced-file", name, f"{name} holds no patch")
            patches += found
        yield from broken_rules(patches)

    def _contents(self) -> Iterator[tuple[str, list[Entry], Exception | None]]:
        """Yield each file by name, with its patches, and the error if it cannot be read."""
        for name, info in sorted(self._listed().items()):
            problem: Exception | None = None
            try:
                found = self._entries(name, info)
            except (JellySparkError, OSError) as error:
                found, problem = [], error
            yield name, found, problem

    def _listed(self) -> dict[str, FileInfo]:
        return {name: info for name, info in self._files.list().items() if format_of(name)}

    def _entries(self, name: str, info: FileInfo) -> list[Entry]:
        before, found = self._read.get(name, (None, []))
        if before != info:
            found = read_file(self._files, name, info)
            self._read[name] = info, found
        return found


def read_file(files: Files, name: str, info: FileInfo) -> list[Entry]:
    """Read a patch file, and return what is known about its patches.

    Raises:
        MalformedInputError: the file is malformed.
    """
    found = scan(files, name)
    files.counters.add(bytes_read=info.size)
    return [entry._replace(size=info.size, time=info.time) for entry in found]
