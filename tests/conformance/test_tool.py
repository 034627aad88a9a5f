"""The cases that the tool finds in a folder, its output and its exit status."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from jelly_spark.core.options import WriteOptions
from jelly_spark.core.rows import AnyRow
from tests.case_runner import main, run
from tests.codecs import Codec, PythonCodec
from tests.conformance.cases import find_cases
from tests.conformance.suites import OWN

READ = "from_jelly/graphs/pos_001"
REJECTED = "from_jelly/graphs/neg_001"
WRITTEN = "to_jelly/triples/pos_001"
REFUSED = "to_jelly/quads/neg_001"


class Careless(Codec):
    """Reads nothing, and writes what another asked for."""

    name = "careless"

    def write(self, rows: Iterable[AnyRow], options: WriteOptions, path: Path) -> None:
        path.write_bytes(self.encode(rows, options))

    def encode(self, rows: Iterable[AnyRow], options: WriteOptions) -> bytes:
        return (OWN / REFUSED / "stream_options.jelly").read_bytes()

    def decode(
        self, source: Path | bytes, format: str = "jelly_patch", **options: Any
    ) -> list[Any]:
        return []


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return Path(shutil.copytree(OWN, tmp_path / "suite"))


def failures(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines about failures; the last line and the status must fit them."""
    cases = list(find_cases(folder))
    status = run(folder, cases, [PythonCodec()])
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == f"{len(cases) - len(lines)} passed, {len(lines)} failed"
    assert status == (1 if lines else 0)
    return [line.removeprefix("FAILED ") for line in lines]


@pytest.mark.parametrize("part", [".", "from_jelly", "to_jelly"])
def test_a_suite_or_a_part_of_it(
    suite: Path, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failures(suite / part, capsys) == []


def test_no_cases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([], [str(tmp_path)], [str(tmp_path / "none")]):
        monkeypatch.setattr("sys.argv", ["tool", *arguments])
        assert main("tests.conformance", find_cases) == 2
    assert capsys.readouterr().out == ""


def test_an_exception_must_fail(capsys: pytest.CaptureFixture[str]) -> None:
    exceptions = {("python", "read"): {READ: "a reason"}, ("careless", "read"): {READ: "another"}}
    cases = [case for case in find_cases(OWN) if case.path.as_posix().endswith(READ)]
    assert run(OWN, cases, [PythonCodec(), Careless()], exceptions) == 1
    failed, exception, *counts = capsys.readouterr().out.splitlines()
    assert failed == f"FAILED {READ} (read, python): passed, but is an exception: a reason"
    assert exception.startswith(f"EXCEPTION {READ} (read, careless): another: frame 0: ")
    assert counts == ["careless: 1 exceptions", "0 passed, 1 failed"]


def test_a_careless_codec_fails_every_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(OWN, find_cases(OWN), [Careless()]) == 1
    assert capsys.readouterr().out.endswith("\n0 passed, 6 failed\n")


@pytest.mark.parametrize(
    ("file", "case"),
    [
        (f"{READ}/in.jelly", f"{READ} (read, python)"),
        (f"{READ}/out_001.nq", f"{READ} (read, python)"),
        (f"{REJECTED}/in.jelly", f"{REJECTED} (reject, python)"),
        (f"{WRITTEN}/in_001.nt", f"{WRITTEN} (write, python)"),
        (f"{WRITTEN}/out.jelly", f"{WRITTEN} (write, python)"),
        (f"{REFUSED}/stream_options.jelly", f"{REFUSED} (refuse, python)"),
    ],
)
def test_a_missing_file(
    suite: Path, file: str, case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = suite / file
    path.unlink()
    assert failures(suite, capsys) == [f"{case}: there is no {path.name}"]


@pytest.mark.parametrize("name", ["in.jelly", f"{READ}/out_003.nq", "to_jelly/odd/x/in_000.nt"])
def test_a_file_that_no_entry_names(
    suite: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (suite / name).parent.mkdir(parents=True, exist_ok=True)
    (suite / name).touch()
    (suite / "README.md").touch()
    assert failures(suite, capsys) == [f"{name} (find, python): no entry of a manifest names it"]


def test_a_folder_whose_entry_names_files_of_another(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(suite / "from_jelly/manifest.ttl", "<graphs/neg_001/in", "<triples/neg_001/in")
    assert failures(suite, capsys) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("jellyt:TestPositive, ", "", [f"{READ} (find, python): classes that are no kind of case"]),
        ("mf:action <graphs/pos", "mf:input <graphs/pos", ["from_jelly/manifest.ttl (find"]),
        ("<graphs/pos_001/out_001.nq>", "", [READ, f"{READ}/out_001.nq (find, python)"]),
        ("BASE", "BASIS", ["from_jelly/manifest.ttl (find, python): no Turtle"]),
    ],
)
def test_a_manifest_that_is_wrong(
    suite: Path,
    old: str,
    new: str,
    expected: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    edit(suite / "from_jelly/manifest.ttl", old, new)
    found = failures(suite, capsys)
    assert [start for start in expected if not any(line.startswith(start) for line in found)] == []


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (f"{READ}/out_000.nq", "_:x", "_:y", "statement 0: "),
        (f"{READ}/out_000.nq", '"a"', '"b"', "frame 0, statement 0: "),
        (f"{READ}/out_000.nq", " .", " .\n_:a _:b _:c .", "frame 0: 1 statements, expected 2"),
        (f"{READ}/out_001.nq", "", "_:a _:b _:c .", "frame 1: 0 statements, expected 1"),
        (f"{READ}/out_000.nq", " .", "", "NotAStatement: "),
        (f"{WRITTEN}/in_000.nt", '"1"', '"2"', "frame 0, statement 1: "),
        (f"{WRITTEN}/in_001.nt", "_:b", "_:c", "frame 1, statement 0: "),
    ],
)
def test_a_different_result(
    suite: Path,
    file: str,
    old: str,
    new: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    edit(suite / file, old, new)
    (line,) = failures(suite, capsys)
    assert line.startswith(str(Path(file).parent))
    assert message in line


def test_writable_input_of_a_negative_case(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(
        suite / REFUSED / "in_000.nq",
        "<<( <http://example.org/s> <http://example.org/p> _:o )>>",
        "<http://example.org/s>",
    )
    assert failures(suite, capsys) == [f"{REFUSED} (refuse, python): written without an error"]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
