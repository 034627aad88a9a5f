"""Folders of other programs become managed logs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.errors import LogError, OptionError
from jelly_spark.log import Log
from jelly_spark.log.chains.delta import DeltaTable
from jelly_spark.log.index.block import file_of
from jelly_spark.log.index.index_files import TAIL
from tests.log.patches import id_of, patch, write_foreign, write_into


def test_a_folder_that_others_wrote(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    read = [*Log(tmp_path).read()]
    log = Log(tmp_path)
    assert log.adopt() == 6
    assert [*log.read()] == [*Log(tmp_path).read()] == read
    assert log.append(patch(7, 6)).file == file_of(6)
    assert Log(tmp_path).verify() == []
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    (tmp_path / TAIL).unlink()
    assert [version.id for version in Log(tmp_path).versions()] == [id_of(n) for n in range(1, 8)]
    with pytest.raises(LogError, match="is a managed log already: append patches to it"):
        log.adopt()


def test_what_is_not_adopted(tmp_path: Path) -> None:
    codec.write(tmp_path / "a.rdfp", patch(1))
    codec.write(tmp_path / "b.rdfp", patch(2, 1))
    codec.write(tmp_path / "c.rdfp", patch(3, 1))
    with pytest.raises(LogError, match="both follow <urn:patch:1>: remove one of them"):
        Log(tmp_path).adopt()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.rdfp", "b.rdfp", "c.rdfp"]


def test_names_that_begin_with_a_later_position(tmp_path: Path) -> None:
    """Such a folder is what is left of a log whose folder `_log` was lost."""
    for number in (3, 4):
        write_into(tmp_path / file_of(number), patch(number, number - 1))
    log = Log(tmp_path)
    assert log.adopt() == 2
    assert [version.log_seq for version in log.versions()] == [3, 4]
    with pytest.raises(LogError, match="the log begins after <urn:patch:2>, which is missing"):
        log.state_at()
    assert log.append(patch(5, 4)).file == file_of(5)
    (tmp_path / TAIL).unlink()
    assert [version.log_seq for version in Log(tmp_path).versions()] == [3, 4, 5]
    with pytest.raises(LogError, match="position 2 has expired: the log begins at position 3"):
        log.state_at(2)


def test_names_with_the_position_of_another_patch(tmp_path: Path) -> None:
    codec.write(tmp_path / "base.rdfp", patch(0))
    codec.write(tmp_path / file_of(0), patch(1, 0))
    with pytest.raises(LogError, match=r"0000\.jellyp has the name of patch 0, but has patch"):
        Log(tmp_path).adopt()
    (tmp_path / file_of(0)).rename(tmp_path / "next.jellyp")
    assert Log(tmp_path).adopt() == 2


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (Log.adopt, "a log in a Delta table has no files of others to adopt: append them"),
        (Log.optimize, "a log in a Delta table has no files of its own: run Delta's OPTIMIZE"),
        (Log.vacuum, "a log in a Delta table has no files of its own: run Delta's VACUUM"),
    ],
)
def test_what_a_table_refuses(work: Callable[[object], object], message: str) -> None:
    log = object.__new__(Log)
    log._chain = object.__new__(DeltaTable)
    with pytest.raises(OptionError, match=message):
        work(log)
