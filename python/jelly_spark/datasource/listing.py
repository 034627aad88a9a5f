"""The files of a read: paths, globs, hidden files and folders of partitions, as Spark has them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from jelly_spark.core.files.storage import find_storage
from jelly_spark.core.options import parse_bool
from jelly_spark.datasource.hadoop_globs import compile_glob, is_glob
from jelly_spark.datasource.options import refuse
from jelly_spark.datasource.paths import FoundFile, absolute, expand, files_at
from jelly_spark.datasource.sink_log import logged_files
from jelly_spark.errors import OptionError

_COPYING = "._COPYING_"
# The name that Hive, and Spark, give the folder of rows without a value.
_NULL = "__HIVE_DEFAULT_PARTITION__"
# Their times are in the time zone of the session, which a data source in Python cannot see.
_NO_SUPPORT = ("modifiedBefore", "modifiedAfter")

Columns = tuple[tuple[str, str | None], ...]
"""The names and values of folders, such as `day=2026-11-01`; None for no value."""


class DataFile(NamedTuple):
    """A file to read.

    Attributes:
        path: its path or URL.
        size: its length in bytes.
        modified: when it was last modified, in milliseconds since 1970; 0 if that is not known.
        values: the names and values of its folders.
    """

    path: str
    size: int
    modified: int
    values: Columns


def data_files(
    options: Mapping[str, str], *, empty_globs: bool = False, beside_partitions: bool = True
) -> list[DataFile]:
    """Return the files of a read, in order of their paths.

    The paths are those of the options `path` and `paths`, which `load` sets. The options
    `pathGlobFilter`, `recursiveFileLookup` and `basePath` are those of Spark's own file sources.

    As there, files that are beside folders of partitions are not read.

    Args:
        options: the options of the read.
        empty_globs: whether a glob may match nothing.
        beside_partitions: whether there may be files that are not read because they are beside
            folders of partitions.

    Raises:
        OptionError: there is no path, a path does not exist, an option needs the jar, or the
            folders of files have different columns or are at different places.
    """
    values = {name.lower(): text for name, text in options.items()}
    refuse(options, _NO_SUPPORT)
    roots = _roots(values, empty_globs=empty_globs)
    found = {file.path: file for root in roots for file in _files_below(root)}
    if parse_bool("recursive_file_lookup", values.get("recursivefilelookup", "false")):
        columns: dict[str, Columns] = dict.fromkeys(found, ())
    else:
        columns = _columns_by_path(found, roots, values.get("basepath"))
    fits = compile_glob(values.get("pathglobfilter", "*")).fullmatch
    paths = [path for path in sorted(found) if fits(path.rpartition("/")[2])]
    if not beside_partitions and any(columns.values()):
        for path in paths:
            if path not in columns:
                raise OptionError(
                    "a stream cannot read folders of partitions and a file beside these folders: "
                    f"{next(iter(columns))} and {path}"
                )
    return [DataFile(*found[path], columns[path]) for path in paths if path in columns]


def _roots(values: Mapping[str, str], *, empty_globs: bool) -> list[str]:
    """Return the folders and files that the paths of a read stand for."""
    given: list[str] = json.loads(values.get("paths", "[]"))
    if "path" in values:
        given.append(values["path"])
    if not given:
        raise OptionError("there is no path: give one to load()")
    roots = []
    for path in map(absolute, given):
        storage, at = find_storage(path)
        if is_glob(path):
            found = expand(path)
            if not found and not empty_globs:
                raise OptionError(f"the path does not exist: {path}")
            roots += found
        elif storage.exists(at):
            roots.append(path)
        else:
            raise OptionError(f"the path does not exist: {path}")
    return roots


def _files_below(root: str) -> Iterator[FoundFile]:
    storage, path = find_storage(root)
    logged = logged_files(storage, path)
    for file in files_at(storage, path) if logged is None else logged:
        below = file.path[len(root) :] or root.rpartition("/")[2]
        if not any(map(_is_hidden, below.split("/"))):
            yield file


def _is_hidden(name: str) -> bool:
    starts = (name.startswith("_") and "=" not in name) or name.startswith(".")
    return starts or name.endswith(_COPYING)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _columns_by_path(
    found: Collection[str], roots: Iterable[str], base: str | None
) -> dict[str, Columns]:
    """Return the paths of the files that are read, with their columns, as Spark finds them.

    Args:
        found: the paths of all files.
        roots: the folders and files that are read.
        base: the option `basePath`.
    """
    tops = {_folder(root) if root in found else root.rstrip("/") for root in roots}
    bases = tops if base is None else {absolute(base).rstrip("/")}
    for top in tops:
        if base is not None and not any(f"{top}/".startswith(f"{one}/") for one in bases):
            raise OptionError(f"basePath is not a folder that holds the path {top}: {base}")
    folders = {folder: _columns_of(folder, bases) for folder in sorted(set(map(_folder, found)))}
    partitioned = {folder: columns for folder, (columns, _) in folders.items() if columns}
    if not partitioned:
        given = {root.rstrip("/") for root in roots}
        return {path: () for path in found if path in given or _folder(path) in given}
    _check_columns(partitioned)
    holders = {holder.lower(): folder for folder, (_, holder) in folders.items()}
    if len(holders) > 1:
        raise OptionError(
            f"conflicting directory structures: {' and '.join(sorted(holders.values())[:2])} are "
            "below different folders; set basePath to the folder of the table, or read the folders "
            "one by one"
        )
    return {path: partitioned[_folder(path)] for path in found if _folder(path) in partitioned}


def _columns_of(folder: str, bases: Collection[str]) -> tuple[Columns, str]:
    """Return the columns of a folder, and the folder that holds those of the partitions.

    Like Spark, look from the folder up to one of the bases, for the first folders that follow each
    other and have names such as `day=2026-11-01`. If there are none, return the folder.
    """
    columns: list[tuple[str, str | None]] = []
    names: set[str] = set()
    at = folder
    while at and at not in bases:
        name, equals, value = at.rpartition("/")[2].partition("=")
        if equals:
            if not (name and value):
                raise OptionError(f"expected a folder named like column=value: {at}")
            name = unquote(name)
            if name.lower() in names:
                raise OptionError(f"two folders have the column {name!r}: {folder}")
            names.add(name.lower())
            columns.append((name, None if value == _NULL else unquote(value)))
        elif columns:
            break
        at = _folder(at)
    return tuple(reversed(columns)), at if columns else folder


def _check_columns(partitioned: Mapping[str, Columns]) -> None:
    first, *others = partitioned
    names = [name.lower() for name, _ in partitioned[first]]
    for folder in others:
        if [name.lower() for name, _ in partitioned[folder]] != names:
            raise OptionError(
                f"the folders of partitions have different columns: {first} and {folder}"
            )
