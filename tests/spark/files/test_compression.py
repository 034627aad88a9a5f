"""Compressed files, by their extension, whole and cut off."""

import bz2
import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark.patches import (
    SAMPLE,
    adds,
    encoded,
    fails,
    frame_of,
    only_file,
    read,
    rows_of,
    save,
)
from tests.spark.stages import stages

EXTENSIONS = {
    "none": "",
    "gzip": ".gz",
    "zstd": ".zst",
    "bzip2": ".bz2",
    "deflate": ".deflate",
    "lz4": ".lz4",
    "snappy": ".snappy",
}

COMPRESSED = [name for name in EXTENSIONS if name != "none"]


@pytest.fixture(scope="module")
def compressed(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Files of 1000 rows, by compression."""
    root = tmp_path_factory.mktemp("compressed")

    def path(compression: str) -> Path:
        folder = root / compression
        if not folder.exists():
            save(frame_of(spark, adds(1000)), folder, compression=compression)
        return only_file(folder)

    return path


@pytest.mark.parametrize("compression", EXTENSIONS)
def test_compressed_files_come_back(spark: SparkSession, tmp_path: Path, compression: str) -> None:
    save(frame_of(spark, SAMPLE), tmp_path / "out", compression=compression.upper())
    assert only_file(tmp_path / "out").name.endswith(".jellyp" + EXTENSIONS[compression])
    assert rows_of(read(spark, tmp_path / "out")) == SAMPLE


@pytest.mark.parametrize(
    ("name", "decompress"),
    [("gzip", gzip.decompress), ("bzip2", bz2.decompress), ("deflate", zlib.decompress)],
)
def test_other_tools_can_decompress_the_files(
    compressed: Callable[[str], Path], name: str, decompress: Callable[[bytes], bytes]
) -> None:
    assert decompress(compressed(name).read_bytes()) == encoded(adds(1000))


def test_parts_joined(spark: SparkSession, tmp_path: Path) -> None:
    """As `cat a.gz b.gz` makes it, and log collectors."""
    data = encoded(SAMPLE)
    path = tmp_path / "joined.jellyp.gz"
    path.write_bytes(gzip.compress(data[:50]) + gzip.compress(data[50:]))
    assert rows_of(read(spark, path)) == SAMPLE


@pytest.mark.parametrize("left", ["0.5", "-1"])
@pytest.mark.parametrize("compression", COMPRESSED)
def test_truncated(
    spark: SparkSession,
    tmp_path: Path,
    compressed: Callable[[str], Path],
    compression: str,
    left: str,
) -> None:
    whole = compressed(compression).read_bytes()
    cut = tmp_path / f"cut.jellyp{EXTENSIONS[compression]}"
    cut.write_bytes(whole[: -1 if left == "-1" else len(whole) // 2])
    with fails(cut.name, "frame at byte"):
        read(spark, cut).collect()
    # What came before is kept where that is asked for.
    kept = rows_of(read(spark, cut, mode="DROPMALFORMED"))
    assert kept == adds(1000)[: len(kept)]


@pytest.mark.parametrize("compression", ["gzip", "bzip2", "deflate"])
def test_damaged(
    spark: SparkSession, tmp_path: Path, compressed: Callable[[str], Path], compression: str
) -> None:
    """Of those with a checksum; in others damage may look like other data."""
    data = bytearray(compressed(compression).read_bytes())
    data[len(data) // 2] ^= 0xFF
    damaged = tmp_path / f"damaged.jellyp{EXTENSIONS[compression]}"
    damaged.write_bytes(data)
    with fails(damaged.name, "frame at byte"):
        read(spark, damaged).collect()
    if compression == "bzip2":
        # Damage changes a block as a whole, and so the beginning of the file.
        with fails(damaged.name, "frame at byte 0"):
            read(spark, damaged, mode="DROPMALFORMED").collect()
    else:
        with stages(spark) as found:
            assert read(spark, damaged, mode="DROPMALFORMED").collect() == []
        assert found.counters["jelly_patch: malformed files"] == 1


@pytest.mark.parametrize(
    ("compression", "compress"),
    [("gzip", gzip.compress), ("bzip2", bz2.compress), ("deflate", zlib.compress)],
)
def test_rows_before_damage_are_kept(
    spark: SparkSession, tmp_path: Path, compression: str, compress: Callable[[bytes], bytes]
) -> None:
    """As far as they were read before it was found; after it, other data may seem to come."""
    rows = adds(20_000)
    content = encoded(rows)
    data = bytearray(compress(content[: len(content) // 2]))
    sound = len(data)
    data += compress(content[len(content) // 2 :])
    data[(sound + len(data)) // 2] ^= 0xFF
    damaged = tmp_path / f"damaged.jellyp{EXTENSIONS[compression]}"
    damaged.write_bytes(data)
    with fails(damaged.name, "frame at byte"):
        read(spark, damaged).collect()
    with stages(spark) as found:
        kept = rows_of(read(spark, damaged, mode="DROPMALFORMED"))
    assert found.counters["jelly_patch: malformed files"] == 1
    assert 9_000 < len(kept) < 20_000
    assert kept[:9_000] == rows[:9_000]


def test_wrong_compression(spark: SparkSession, tmp_path: Path) -> None:
    with fails("compression", "'rar'", *EXTENSIONS):
        save(frame_of(spark, SAMPLE), tmp_path / "out", compression="rar")
    assert not (tmp_path / "out").exists()
