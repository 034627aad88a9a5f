"""What the command does when files, pipes and terminals do not do what they should."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from jelly_spark.patches import PrefixKey
from tests.cli.processes import COMMAND, run, run_on_terminal, start
from tests.cli.transcripts import environment

ROWS = 6_000


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is longer than the buffer of a pipe."""
    path = tmp_path_factory.mktemp("long") / "long.jellyp"
    codec.write(path, (PatchRow("A", "<urn:x:s>", "<urn:x:p>", f'"{n}"') for n in range(ROWS)))
    return path


def test_broken_pipe(long: Path) -> None:
    commands: list[list[str | Path]] = [["cat", long], ["convert", long, "-", "--to", "rdf_patch"]]
    for arguments in commands:
        process = start(*arguments)
        assert process.stdout and process.stderr
        assert process.stdout.readline() == b'A <urn:x:s> <urn:x:p> "0" .\n'
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 141


def test_output_into_a_closed_pipe(long: Path) -> None:
    results: list[list[str | Path]] = [["stats", long], ["stats", long, "--json"]]
    helps: list[list[str | Path]] = [["--help"], ["convert", "--help"]]
    for arguments in helps + results:
        reading, writing = os.pipe()
        os.close(reading)
        found = run(*arguments, stdout=writing)
        os.close(writing)
        assert (found.returncode, found.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [["cat", "{}"], ["convert", "{}", "-", "--to", "rdf_patch"], ["head", "-n1", "{}"], ["--help"]],
)
def test_full_disk(long: Path, arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        found = run(*(argument.format(long) for argument in arguments), stdout=full)
    assert (found.returncode, found.stderr) == (3, b"Error: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_full_target(long: Path) -> None:
    found = run("convert", long, "/dev/full", "--to", "rdf_patch")
    assert (found.returncode, found.stderr) == (3, b"Error: /dev/full: No space left on device\n")


def test_unreadable_file(long: Path, tmp_path: Path) -> None:
    path, reason = tmp_path / "secret.jellyp", "Permission denied"
    path.write_bytes(long.read_bytes())
    path.chmod(0)
    if os.access(path, os.R_OK):
        # The superuser may read any file, but nobody may read this one from its beginning.
        path.unlink()
        path, reason = Path("/proc/self/mem"), "Input/output error"
    before = [*tmp_path.iterdir()]
    found = run("convert", path, tmp_path / "out.rdfp", "--from", "jelly_patch")
    assert (found.returncode, found.stderr) == (3, f"Error: {path}: {reason}\n".encode())
    assert [*tmp_path.iterdir()] == before


def test_a_process_without_standard_streams(long: Path) -> None:
    for redirect, expected in ((">&-", 3), ("<&-", 3)):
        arguments = f"cat {long}" if redirect == ">&-" else "cat - --from rdf_patch"
        command = f"{' '.join(COMMAND)} {arguments} {redirect}"
        found = subprocess.run(["bash", "-c", command], env=environment(), capture_output=True)
        assert found.returncode == expected
        assert found.stderr.count(b"\n") == 1


def test_unwritable_folder(long: Path) -> None:
    found = run("convert", long, "/proc/out.rdfp")
    assert (found.returncode, found.stderr) == (
        3,
        b"Error: /proc/out.rdfp: No such file or directory\n",
    )


def test_names_that_are_not_utf_8(long: Path, tmp_path: Path) -> None:
    """Their bytes are printed as they are; JSON has an escape for them."""
    name = os.fsencode(tmp_path) + b"/\xff\xc3\xa9.jellyp"
    Path(os.fsdecode(name)).write_bytes(long.read_bytes())
    for locale in ("C.UTF-8", "C"):
        settings = {
            **environment(),
            "LC_ALL": locale,
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
        }
        for arguments, expected in (
            (["inspect"], b"\xff\xc3\xa9.jellyp"),
            (["stats"], b"\xff\xc3\xa9.jellyp"),
            (["inspect", "--json"], b"\\udcff"),
        ):
            command = [*map(os.fsencode, [*COMMAND, *arguments]), name]
            found = subprocess.run(command, env=settings, capture_output=True)
            assert (found.returncode, found.stderr) == (0, b"")
            assert expected in found.stdout


def test_interrupted(long: Path, tmp_path: Path) -> None:
    """Ctrl-C, while the command waits for more of its input, leaves the old file as it was."""
    target = tmp_path / "out.rdfp"
    target.write_text("TX .\nTC .\n")
    # A shell that started the tests in the background has made them ignore Ctrl-C.
    listens = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = start("convert", "-", target, "--from", "jelly_patch", preexec_fn=listens)
    assert process.stdin and process.stderr
    process.stdin.write(long.read_bytes()[: 1 << 15])
    process.stdin.flush()
    wait_for(lambda: len([*tmp_path.iterdir()]) == 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert process.stderr.read() == b""
    assert [*tmp_path.iterdir()] == [target]
    assert target.read_text() == "TX .\nTC .\n"


def test_interrupted_while_modules_are_imported() -> None:
    program = (
        "import signal, sys\n"
        "from jelly_spark.cli import main\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "main()"
    )
    listens = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    found = run("--version", program=program, preexec_fn=listens)
    assert (found.returncode, found.stdout, found.stderr) == (130, b"", b"")


def test_rows_are_read_when_they_arrive(long: Path) -> None:
    process = start("head", "-n", "1", "-", "--from", "jelly_patch")
    assert process.stdin and process.stdout
    process.stdin.write(long.read_bytes()[:1000])
    process.stdin.flush()
    ready, _, _ = select.select([process.stdout], [], [], 20)
    assert ready
    assert process.stdout.readline() == b'A <urn:x:s> <urn:x:p> "0" .\n'
    assert process.wait(timeout=60) == 0
    process.stdin.close()


def test_malformed_input_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "out.rdfp"
    target.write_text("TX .\nTC .\n")
    found = run("convert", "-", target, "--from", "rdf_patch", input=b"TX .\noops .\n")
    assert found.returncode == 1
    assert found.stderr.startswith(b"Error: <stdin>: line 2 (row 1, byte 5): expected ")
    assert target.read_text() == "TX .\nTC .\n"
    assert [*tmp_path.iterdir()] == [target]


@pytest.mark.parametrize("place", ["before", "after"])
def test_debug_shows_the_stack_trace(place: str) -> None:
    arguments = ["cat", "missing.jellyp"]
    arguments.insert(0 if place == "before" else 2, "--debug")
    found = run(*arguments)
    assert found.returncode == 3
    assert found.stderr.startswith(b"Traceback ")
    assert found.stderr.endswith(b"Error: missing.jellyp: No such file or directory\n")


def test_progress_on_a_terminal(long: Path, tmp_path: Path) -> None:
    arguments = ("convert", long, tmp_path / "out.rdfp")
    status, shown, _ = run_on_terminal(
        *arguments, stream="stderr", variables={"TERM": "xterm"}, cwd=tmp_path
    )
    assert status == 0
    assert b"long.jellyp" in shown
    assert b" rows" in shown


def test_progress_without_a_total(tmp_path: Path) -> None:
    Log(tmp_path / "log").commit([("<urn:x:s>", "<urn:x:p>", '"o"')])
    status, shown, _ = run_on_terminal(
        "stats", "log", stream="stderr", variables={"TERM": "xterm"}, cwd=tmp_path
    )
    assert status == 0
    assert b" rows" in shown and b"?" not in shown.replace(b"\x1b[?25", b"")


def test_iris_stay_whole_on_a_narrow_terminal(tmp_path: Path) -> None:
    iris = [f"<http://example.org/{'part/' * 12}{name}>" for name in ("cup", "price", "graph")]
    Log(tmp_path / "log").commit([(iris[0], iris[1], '"8.50"', iris[2])])
    terminal: dict[str, Any] = {"stream": "stdout", "cwd": tmp_path}
    for command in (("log", "history", "log"), ("stats", "log", "--plot")):
        _, shown, _ = run_on_terminal(*command, variables={"COLUMNS": "80"}, **terminal)
        assert all(iri in shown.decode() for iri in iris[1:])
        assert "…" not in shown.decode()
    # A table that fits, also if words are on several lines, is a table.
    wide = {"COLUMNS": "120", "TERM": "xterm"}
    _, shown, _ = run_on_terminal("stats", "log", variables=wide, **terminal)
    assert "─────" in shown.decode()


def test_lines_in_pipes_have_no_padding(tmp_path: Path) -> None:
    Log(tmp_path / "log").commit([("<urn:x:s>", "<urn:x:p>", f'"{n}"') for n in range(1000)])
    title, headings, *lines = run("stats", "log", cwd=tmp_path).stdout.decode().split("\n")[1:6]
    assert (title, headings) == ("Largest patches", "file\tpatch\tid\tadds\tdeletes")
    assert lines[0].startswith("log\t0\t<urn:uuid:") and lines[0].endswith(">\t1000\t0")
    assert lines[1:] == ["Predicates", "predicate\tadds\tdeletes"]


def test_iris_are_shortened_on_a_terminal(tmp_path: Path) -> None:
    prefixes: dict[PrefixKey, str]
    prefixes = {(None, "ex"): "<http://example.org/>", (None, "old"): "<http://example.org/old/>"}
    cup, price = "<http://example.org/old/cup>", "<http://example.org/price>"
    Log(tmp_path / "log").commit([(cup, price, '"8.50"')], prefixes=prefixes)
    terminal: dict[str, Any] = {
        "stream": "stdout",
        "variables": {"COLUMNS": "200", "TERM": "xterm"},
    }
    for command in (("log", "history", "log"), ("log", "changes", "log"), ("stats", "log")):
        status, shown, _ = run_on_terminal(*command, cwd=tmp_path, **terminal)
        assert status == 0
        assert b" ex:price " in shown and b"example.org" not in shown
        assert price.encode() in run(*command, cwd=tmp_path).stdout
    assert b" old:cup " in run_on_terminal("log", "history", "log", cwd=tmp_path, **terminal)[1]


def test_statements_of_expired_patches_on_a_terminal(tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    log.commit([("<urn:x:s>", "<urn:x:p>", '"a"')])
    log.commit([("<urn:x:s>", "<urn:x:p>", f'"{name}"') for name in "ab"])
    log.expire(1)
    terminal: dict[str, Any] = {
        "stream": "stdout",
        "variables": {"COLUMNS": "200", "TERM": "xterm"},
        "cwd": tmp_path,
    }
    _, shown, _ = run_on_terminal("log", "history", "log", **terminal)
    assert shown.count(b"(before 1)") == 1
    assert b'"a"\t\t\t\n' in run("log", "history", "log", cwd=tmp_path).stdout


def test_without_the_extra(tmp_path: Path) -> None:
    program = "import sys; sys.modules['click'] = None; from jelly_spark.cli import main; main()"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=tmp_path)
    assert found.returncode == 2
    assert found.stderr.count(b"\n") == 1
    assert b"pip install 'click>=" in found.stderr


def test_numbers_and_times_that_are_too_large(long: Path, tmp_path: Path) -> None:
    found = run("head", long, "-n", "9" * 21)
    assert found.returncode == 0
    assert found.stdout.count(b"\n") == ROWS
    log = tmp_path / "log"
    Log(log).append([PatchRow("H", name="id", value="<urn:x:1>"), PatchRow("TX"), PatchRow("TC")])
    for at in ("0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00"):
        assert run("log", "state", log, "--at", at).returncode == 0
    zone = {**environment(), "TZ": "Asia/Tokyo"}
    command = [*COMMAND, "log", "state", str(log), "--at", "0001-01-01"]
    refused = subprocess.run(command, env=zone, capture_output=True)
    assert refused.returncode == 2
    assert b"0001-01-01T00:00:00 cannot be converted from the local time zone" in refused.stderr


@pytest.mark.parametrize("arguments", [["cat", "{}.nt"], ["convert", "long", "{}.jellyp"]])
def test_errors_of_the_packages_for_urls(long: Path, arguments: list[str]) -> None:
    """A file system for the URL that raises an error of its own, as s3fs without credentials."""
    pytest.importorskip("fsspec")
    program = """
import fsspec
from jelly_spark.cli import main

class NoCredentialsError(Exception):
    pass

class Store(fsspec.AbstractFileSystem):
    protocol = "store"

    def ls(self, path, **_):
        raise NoCredentialsError("no\\ncredentials")

    def _open(self, path, mode, **_):
        raise NoCredentialsError("no\\ncredentials")

fsspec.register_implementation("store", Store)
main()
"""
    named = (argument.format("store://b/file") for argument in arguments)
    found = run(*(str(long) if name == "long" else name for name in named), program=program)
    assert found.returncode == 3
    assert found.stderr == (
        b"Error: a file at a URL cannot be read or written: NoCredentialsError: no credentials\n"
    )


def test_completion() -> None:
    settings = {"_JELLY_SPARK_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    found = subprocess.run(
        COMMAND,
        env={**environment(), **settings, "COMP_WORDS": "jelly-spark conv"},
        capture_output=True,
        text=True,
    )
    assert found.stdout == "plain,convert\n"


def wait_for(condition: object, seconds: float = 20) -> None:
    """Wait until a condition is true, for at most this time."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
