"""The index: what it spares, that it can be lost, and what it tells of files that changed."""

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow
from jelly_spark.errors import LogError
from jelly_spark.log import Log, index
from jelly_spark.log.chain import LogFinding
from tests.log.patches import garble, id_of, patch

PATCHES = 4


def name(number: int) -> str:
    return f"{number:020d}.jellyp"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log of a few patches."""
    log = Log(tmp_path)
    for number in range(PATCHES):
        log.append(patch(number, number - 1 if number else None, add=[number]))
    return tmp_path


def ids(folder: Path) -> list[str]:
    return [version.id for version in Log(folder).versions()]


ALL = [id_of(number) for number in range(PATCHES)]


def test_only_new_files_are_opened(folder: Path) -> None:
    for number in range(PATCHES):
        garble(folder / name(number))
    codec.write(folder / "new.rdfp", patch("new", PATCHES - 1))
    assert ids(folder) == [*ALL, id_of("new")]
    # The next look need not open that one, either.
    garble(folder / "new.rdfp")
    assert ids(folder) == [*ALL, id_of("new")]


def test_a_log_that_is_kept_opens_new_files_only(folder: Path) -> None:
    log = Log(folder)
    assert log.head() == ALL[-1]
    (folder / index.NAME).unlink()
    garble(folder / name(0))
    codec.write(folder / "new.rdfp", patch("new", PATCHES - 1))
    assert log.head() == id_of("new")


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "lost": lambda data: b"",
    "truncated": lambda data: data[:-100],
    "not JSON": lambda data: b"\x00\xff" * 50,
    "nested": lambda data: b"[" * 100_000,
    "other JSON": lambda data: b'["a"]',
    "another version": lambda data: data.replace(b'"version":2', b'"version":1'),
    "changed": lambda data: data.replace(b"<urn:patch:1>", b"<urn:patch:9>"),
    "extended": lambda data: data.replace(b'"files":{', b'"files":{"x.jellyp":{},'),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_index_is_made_again(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    file = folder / index.NAME
    before = file.read_bytes()
    file.write_bytes(damage(before))
    assert file.read_bytes() != before
    assert ids(folder) == ALL
    assert file.read_bytes() == before
    assert Log(folder).verify() == []


def test_an_index_that_was_removed_is_made_again(folder: Path) -> None:
    before = (folder / index.NAME).read_bytes()
    (folder / index.NAME).unlink()
    (folder / "_log").rmdir()
    assert ids(folder) == ALL
    assert (folder / index.NAME).read_bytes() == before


def test_the_index_of_another_log(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its files have other times, so none of them is believed; `verify` finds what differs."""
    other = tmp_path_factory.mktemp("other")
    Log(other).append(patch("other", add=["x"]))
    (folder / index.NAME).write_bytes((other / index.NAME).read_bytes())
    assert ids(folder) == ALL
    assert [finding.rule for finding in Log(folder).verify()] == ["changed-file"]


def test_an_index_that_says_something_else(folder: Path) -> None:
    """A valid one that fits the files but for the headers that it has of one."""
    entries = index.load((folder / index.NAME).read_bytes())
    entry = entries[name(1)]
    summary = entry.patches[0]
    headers = summary.headers._replace(id=id_of("other"))
    other = entry._replace(patches=(summary._replace(headers=headers),))
    (folder / index.NAME).write_bytes(index.dump({**entries, name(1): other}))
    (finding,) = Log(folder).verify()
    assert finding == LogFinding(
        "wrong-index",
        name(1),
        f"the index does not match {name(1)}: remove _log/index.json",
    )


def test_a_folder_that_cannot_be_written_to(folder: Path) -> None:
    """A file in the place of the folder `_log` stands for that, as root may write anywhere."""
    (folder / index.NAME).unlink()
    (folder / "_log").rmdir()
    (folder / "_log").write_bytes(b"")
    log = Log(folder)
    with pytest.warns(RuntimeWarning, match=r"index\.json cannot be written .*\. The log works wi"):
        assert [version.id for version in log.versions()] == ALL
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert log.head() == ALL[-1]
    assert [row.object for row in log.read() if row.op == "A"] == [
        '"0"',
        '"1"',
        '"2"',
        '"3"',
    ]


def test_what_verify_finds(folder: Path) -> None:
    garble(folder / name(0))
    changed = folder / name(3)
    codec.write(changed, patch(3, 2, add=["another"]))
    (folder / name(1)).unlink()
    (folder / "notes.txt").write_text("x")
    codec.write(folder / "empty.rdfp", [])
    (folder / "_log" / ".0123.part").write_bytes(b"")
    found = Log(folder).verify()
    assert [(finding.rule, finding.file) for finding in found] == [
        ("unreadable-file", name(0)),
        ("missing-file", name(1)),
        ("changed-file", name(3)),
        ("unreferenced-file", "empty.rdfp"),
        ("unreferenced-file", "notes.txt"),
        ("unreferenced-file", "_log/.0123.part"),
    ]
    assert "expected " in found[0].message
    assert "its SHA-256 is " in found[2].message and ", and was " in found[2].message


def test_a_changed_file_is_found_until_the_index_is_removed(folder: Path) -> None:
    codec.write(folder / name(3), patch(3, 2, add=["another"]))
    log = Log(folder)
    for _ in range(2):
        assert ids(folder) == ALL and log.head() == ALL[-1]
        assert [finding.rule for finding in log.verify()] == ["changed-file"]
    log.append(patch(4, 3))
    assert [finding.rule for finding in log.verify()] == ["changed-file"]
    (folder / index.NAME).unlink()
    assert Log(folder).head() == id_of(4)
    assert Log(folder).verify() == []


def test_a_name_that_is_used_again(folder: Path) -> None:
    (folder / name(PATCHES - 1)).unlink()
    assert Log(folder).append(patch("again", PATCHES - 2)).file == name(PATCHES - 1)
    assert Log(folder).verify() == []


def test_the_index_is_small(folder: Path) -> None:
    content = json.loads((folder / index.NAME).read_bytes())
    assert [*content["files"]] == [name(number) for number in range(PATCHES)]
    assert (folder / index.NAME).stat().st_size < 300 * (PATCHES + 1)


@pytest.mark.parametrize("entries", ["files", "segments"])
def test_an_index_of_a_newer_release(folder: Path, entries: str) -> None:
    """It is not replaced, because what it says about changed files would be lost."""
    file = folder / index.NAME
    newer = file.read_bytes().replace(b'"version":2', b'"version":3')
    newer = newer.replace(b'"files"', f'"{entries}"'.encode())
    file.write_bytes(newer)
    codec.write(folder / "new.rdfp", patch("new", PATCHES - 1))
    log = Log(folder)
    for function in (log.head, log.verify, lambda: log.append(patch("next", "new"))):
        with pytest.raises(
            LogError, match=r"index\.json has version 3, and this release of jelly-"
        ):
            function()
    assert file.read_bytes() == newer


def test_an_index_is_not_written_again(folder: Path) -> None:
    before = (folder / index.NAME).stat()
    assert ids(folder) == ALL
    Log(folder).state_at()
    after = (folder / index.NAME).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_that_others_were_still_writing(folder: Path) -> None:
    """It has grown since it was first seen. Files that `append` made do not grow."""
    part, whole = (
        b"".join(b"%s .\n" % line for line in lines)
        for lines in ([b"H id <urn:patch:new>"], [b"H id <urn:patch:new>", b"TX", b"TC"])
    )
    path = folder / "new.rdfp"
    path.write_bytes(part + b"H prev <urn:patch:3> .\n")
    assert ids(folder) == [*ALL, id_of("new")]
    path.write_bytes(path.read_bytes() + whole.removeprefix(part))
    assert Log(folder).verify() == []
    assert ids(folder) == [*ALL, id_of("new")]
    assert json.loads((folder / index.NAME).read_bytes())["files"]["new.rdfp"]["size"] == len(
        path.read_bytes()
    )
    path.write_bytes(path.read_bytes().replace(b"TX .\nTC", b"TX .\nTA"))
    assert [finding.rule for finding in Log(folder).verify()] == ["changed-file"]
    path.unlink()
    ours = folder / name(0)
    ours.write_bytes(ours.read_bytes() * 2)
    assert "changed-file" in [finding.rule for finding in Log(folder).verify()]


def test_a_temporary_file_that_is_being_written(folder: Path) -> None:
    log = Log(folder)

    def patches() -> Iterator[Iterator[PatchRow]]:
        yield rows()

    def rows() -> Iterator[PatchRow]:
        yield from patch("new", PATCHES - 1)
        assert [*folder.glob("_log/*.part")] != []
        assert Log(folder).verify() == []

    log.append_all(patches())
    (folder / "_log" / ".0123.part").write_bytes(b"")
    (finding,) = log.verify()
    assert finding.message == (
        "_log/.0123.part is the temporary file of an append that was killed: remove it"
    )
