"""Files that the fuzzer found something wrong with, and that the fuzzer finds what is wrong."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.cases import Case, make_cases
from tests.fuzz.corpus import make_corpus
from tests.fuzz.findings import compare, find, load, reduced, save
from tests.fuzz.jvm_reader import CLASSPATH, JvmReader
from tests.fuzz.python_reader import read_case

FOUND = Path(__file__).parent / "found"


@pytest.fixture(scope="module")
def jvm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JvmReader]:
    """The JVM's codec, in a process of its own."""
    if not CLASSPATH.exists():
        pytest.skip(f"no {CLASSPATH}: run make {CLASSPATH.relative_to(Path.cwd())}")
    with JvmReader(tmp_path_factory.mktemp("fuzz")) as reader:
        yield reader


@pytest.mark.parametrize("path", sorted(FOUND.iterdir()), ids=lambda path: path.stem)
def test_found_before(jvm: JvmReader, tmp_path: Path, path: Path) -> None:
    assert find([load(path)], jvm, tmp_path) == [None]


@pytest.mark.long
def test_the_same_files_in_every_run() -> None:
    corpus = make_corpus(8)
    assert corpus == make_corpus(8)
    assert make_cases(corpus, 50, Random(7)) == make_cases(corpus, 50, Random(7))


def test_differences_are_found(jvm: JvmReader, tmp_path: Path) -> None:
    """As if the codecs read different files."""
    one = Case("rdf_patch", b"TX .\nA <urn:s> <urn:p> 1 .\n", False, "", (3,), 0)
    other = one._replace(data=one.data + b"TC .\n")
    python = read_case(one, tmp_path)
    (result,) = jvm.receive(jvm.send([other]))
    assert compare(one, read_case(other, tmp_path), result) is None
    found = compare(one, python, result)
    assert found is not None and found.kind == "codecs"
    slow = compare(other, read_case(other, tmp_path), result._replace(allocated=1 << 40))
    assert slow is not None and slow.kind == "memory"


def test_files_are_reduced_and_saved(
    jvm: JvmReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if Python's codec crashed at a letter."""

    def crash(case: Case, folder: Path) -> object:
        result = read_case(case, folder)
        return result._replace(whole="crash") if b"z" in case.data else result

    monkeypatch.setattr("tests.fuzz.findings.read_case", crash)
    case = Case("rdf_patch", b"TX .\nA <urn:s> <urn:z> 1 .\n", True, "", (), 0)
    short = reduced(case, "crash", jvm, tmp_path)
    assert short.data == b"z"
    save(short, tmp_path / "saved.json")
    assert load(tmp_path / "saved.json") == short
