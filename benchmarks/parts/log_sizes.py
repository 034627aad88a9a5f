"""The size of a log or table on disk, and of patches if they were compressed or packed."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

from zstandard import ZstdCompressor

from jelly_spark import Log, codec

_OWN = "_log"
_SNAPSHOTS = f"{_OWN}/snapshots"

_LEVELS = {"zstd": 3, "zstd -19": 19}
"""Levels of zstd: its default, and the highest one that needs no option to be decompressed."""

_PIECE = 1 << 20


def size_on_disk(folder: Path) -> dict[str, int]:
    """Return the sizes of the parts of a log in bytes: `patches`, `index` and `snapshots`."""
    found = {"patches": 0, "index": 0, "snapshots": 0}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            part = "snapshots" if name.startswith(_SNAPSHOTS) else "index"
            found[part if name.startswith(_OWN) else "patches"] += path.stat().st_size
    return found


def size_of(folder: Path) -> int:
    """Return the size of the files in a folder in bytes, without Hadoop's checksum files."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".crc")
    return sum(path.stat().st_size for path in files)


def compressed_sizes(folder: Path) -> dict[str, int]:
    """Return the sizes of the patches of a log in bytes, compressed in several ways, by the way.

    The folder must be that of a log that `Log` made. Beside it, a file is written and removed.
    """
    files = [folder / version.file for version in Log(folder).versions()]
    stream = folder.with_suffix(".jellyp")
    codec.write(stream, Log(folder).read())
    found = {"each file, gzip": sum(len(gzip.compress(file.read_bytes())) for file in files)}
    for name, level in _LEVELS.items():
        found[f"each file, {name}"] = sum(_size_in_zstd([file], level) for file in files)
    for name, level in _LEVELS.items():
        found[f"concatenated, {name}"] = _size_in_zstd(files, level)
    found["one stream"] = stream.stat().st_size
    for name, level in _LEVELS.items():
        found[f"one stream, {name}"] = _size_in_zstd([stream], level)
    stream.unlink()
    return found


def _size_in_zstd(files: Iterable[Path], level: int) -> int:
    """Return the size of files that are concatenated and then compressed."""
    compressor = ZstdCompressor(level).compressobj()
    size = 0
    for path in files:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                size += len(compressor.compress(piece))
    return size + len(compressor.flush())
