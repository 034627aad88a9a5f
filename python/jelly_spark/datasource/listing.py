"""The files of a read: paths, globs, hidden files and folders of partitions, as Spark has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple
from urllib.parse import unquote

from jelly_spark.core.options import parse_bool
from jelly_spark.datasource.sink_log import logged_files
from jelly_spark.datasource.storage import FoundFile, absolute, expand, is_glob, storage_of
from jelly_spark.errors import OptionError

_COPYING = "._COPYING_"
# The name that Hive, and Spark, give the folder of rows without a value.
_NULL = "__HIVE_DEFAULT_PARTITION__"


class DataFile(NamedTuple):
    """A file to read.

    Attributes:
        path: its path or URL.
        size: its length in bytes.
        modified: when it was last modified, in milliseconds since 1970; 0 if that is not known.
        values: the names and values of its folders, such as `day=2026-11-01`; None for no value.
    """

    path: str
    size: int
    modified: int
    values: tuple[tuple[str, str | None], ...]


def data_files(options: Mapping[str, str]) -> list[DataFile]:
    """Return the files of a read, in order of their paths.

    The paths are those of the options `path` and `paths`, which `load` sets. The options
    `pathGlobFilter`, `recursiveFileLookup` and `basePath` are those of Spark's own file sources.

    Raises:
        OptionError: there is no path, a path does not exist, or the folders of files have different
            columns.
    """
    values = {name.lower(): text for name, text in options.items()}
    recursive = parse_bool("recursive_file_lookup", values.get("recursivefilelookup", "false"))
    base = values.get("basepath")
    found: dict[str, DataFile] = {}
    for root in _roots(values):
        for file in _files_below(root, absolute(base) if base else root, recursive):
            found[file.path] = file
    files = [found[path] for path in sorted(found)]
    pattern = values.get("pathglobfilter")
    if pattern is not None:
        files = [file for file in files if fnmatchcase(file.path.rpartition("/")[2], pattern)]
    if any(file.values for file in files):
        # As in Spark: where some files are in folders of partitions, the others are not read.
        files = [file for file in files if file.values]
        _check_columns(files)
    return files


def _roots(values: Mapping[str, str]) -> list[str]:
    given: list[str] = json.loads(values.get("paths", "[]"))
    if "path" in values:
        given.append(values["path"])
    if not given:
        raise OptionError("there is no path: give one to load()")
    roots = []
    for path in map(absolute, given):
        found = expand(path) if is_glob(path) else [path]
        if not found or not storage_of(path).exists(found[0]):
            raise OptionError(f"the path does not exist: {path}")
        roots += found
    return roots


def _files_below(root: str, base: str, recursive: bool) -> list[DataFile]:
    storage = storage_of(root)
    found = logged_files(storage, root)
    if found is None:
        found = list(storage.files(root))
    files = []
    for file in found:
        folders, name = _split(file, root)
        if any(map(_is_hidden, (*folders, name))):
            continue
        within, _ = _split(file, base) if file.path.startswith(base + "/") else (folders, "")
        columns = () if recursive else _values_of(within)
        # As in Spark, the files of folders that are no partitions are not read.
        if recursive or columns or not folders:
            files.append(DataFile(*file, columns))
    return files


def _split(file: FoundFile, root: str) -> tuple[list[str], str]:
    """Return the names of the folders between a root and a file, and the name of the file."""
    if file.path == root:
        return [], root.rpartition("/")[2]
    *folders, name = file.path[len(root) :].strip("/").split("/")
    return folders, name


def _is_hidden(name: str) -> bool:
    starts = (name.startswith("_") and "=" not in name) or name.startswith(".")
    return starts or name.endswith(_COPYING)


def _values_of(folders: list[str]) -> tuple[tuple[str, str | None], ...]:
    """Return the names and values of folders; none unless all folders are partitions."""
    columns = []
    for folder in folders:
        name, equals, value = folder.partition("=")
        if not (name and equals and value):
            return ()
        columns.append((unquote(name), None if value == _NULL else unquote(value)))
    return tuple(columns)


def _check_columns(files: list[DataFile]) -> None:
    first = files[0]
    names = [name for name, _ in first.values]
    for file in files:
        if [name for name, _ in file.values] != names:
            raise OptionError(
                "the folders of partitions have different columns: those of "
                f"{first.path} and of {file.path}"
            )
