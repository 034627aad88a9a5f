"""Logs in place of files: their patches, or the statements of their last version."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

import click

from jelly_spark import codec
from jelly_spark.cli.arguments.reading import Reading
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.files.paths import is_url
from jelly_spark.errors import JellySparkError, OptionError
from jelly_spark.log import Log, Version
from jelly_spark.log.chains.folder import ScannedFolder
from jelly_spark.log.engines.in_python import PythonEngine
from jelly_spark.log.entries.entry import Entry
from jelly_spark.log.entries.files import OWN, Files
from jelly_spark.log.entries.patch_files import format_of
from jelly_spark.log.log import materialize
from jelly_spark.patches import Prefixes


class LogReader:
    """Iterates once over the rows of a log, like the reader of a file; a context manager.

    Args:
        log: the log.
        has_patches: whether to read its patches; else the statements of its last version.
        namespaces: whether the prefixes of the default graph come before these, as namespaces.
    """

    position = None
    """How many bytes have been read is not known."""

    def __init__(self, log: Log[PatchRow], *, has_patches: bool, namespaces: bool = False) -> None:
        if has_patches:
            self._rows: Iterator[Any] = log.read()
        else:
            state, prefixes = materialize(log) if namespaces else (log.state_at(), {})
            rows = (RdfRow(*statement) for statement in state)
            self._rows = chain(_namespaces_of(prefixes), rows)

    def __iter__(self) -> Iterator[Any]:
        return self._rows

    def __next__(self) -> Any:
        return next(self._rows)

    def items(self) -> Iterator[Any]:
        """Return the rows, none of which come as columns."""
        return self._rows

    def __enter__(self) -> LogReader:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def find_log(name: str, reading: Reading) -> Log[PatchRow] | None:
    """Return the log that an argument names; None if it names a file.

    Raises:
        UsageError: it is a folder without patches.
    """
    if is_url(name):
        return None if _is_file(name, reading) or not _has_patches(name) else Log(name)
    if not os.path.isdir(name):
        return None
    if not _has_patches(name):
        raise click.UsageError(f"{name} is a folder without patches: name the files in it")
    return Log(name)


def files_of(log: str) -> dict[str, dict[int, Version] | None]:
    """Return the names of the files of a log, in the order of its chain as far as there is one.

    Files in a local folder begin with its name as it is given.

    Returns:
        For each file, the patches of the log in it, by their ordinals in the file: others have
        expired. None if the patches do not form one chain, so that they have no positions.
    """
    files = Files(log)
    folder = ScannedFolder(files, PythonEngine(files)).now()
    found: dict[str, dict[int, Version] | None] = {name: None for name in folder.names()}
    entries: list[Entry] = []
    with suppress(JellySparkError, OSError):
        entries = folder.view().all()
    for version in map(Entry.version, entries):
        patches = found[version.file]
        if patches is None:
            patches = found[version.file] = {}
        patches[version.patch] = version
    return {
        files.path(name) if is_url(log) else os.path.join(log, name): patches
        for name, patches in found.items()
    }


def _is_file(url: str, reading: Reading) -> bool:
    """Return whether a format is known for a URL, so that it is not that of a folder."""
    try:
        codec.source_format_of(url, reading.format)
    except OptionError:
        return False
    return True


def _has_patches(folder: str) -> bool:
    files = Files(folder)
    return any(map(format_of, files.list())) or bool(files.names(OWN))


def _namespaces_of(prefixes: Prefixes) -> Iterator[RdfRow]:
    for (graph, name), iri in prefixes.items():
        if graph is None:
            yield RdfRow(name=name, value=iri)
