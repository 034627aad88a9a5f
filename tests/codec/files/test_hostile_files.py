"""Small files that stand for far more: memory, and the limit of a row's size, in all formats."""

import subprocess
import sys
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.terms import parse_term
from jelly_spark.errors import MalformedInputError, OptionError
from tests.codec.files.hostile_files import FILES, MOST, field, patch_file
from tests.codec.streams import peak_memory
from tests.shared import ROOT

_MEMORY = 300 << 20

# Reads a file in a process of its own, which says how many bytes of memory it ever had.
_READ = """
import sys
from contextlib import suppress
from jelly_spark import codec
from jelly_spark.errors import MalformedInputError

with suppress(MalformedInputError):
    for row in codec.read(sys.argv[1]):
        pass
with open("/proc/self/status") as status:
    print(next(line for line in status if line.startswith("VmHWM")).split()[1])
"""

_STATEMENT = ("<urn:x:" + "s" * 32 + ">", "<urn:x:p>", '"' + "o" * 49 + '"')
_SIZE = sum(map(len, _STATEMENT))


def _run(*command: str) -> str:
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, made by another process, whose memory is freed when it ends."""
    path = tmp_path_factory.mktemp("hostile")
    _run("-m", "tests.codec.files.hostile_files", str(path))
    return path


@pytest.mark.parametrize("name", FILES)
def test_any_small_file_is_read_or_refused_in_300_mb(folder: Path, name: str) -> None:
    file = folder / name
    assert file.stat().st_size <= MOST
    memory = int(_run("-c", _READ, str(file))) << 10
    assert memory < _MEMORY, f"{memory >> 20} MB"


def _file_of(tmp_path: Path, name: str, *rows: PatchRow | RdfRow) -> Path:
    path = tmp_path / name
    codec.write(path, rows)
    return path


@pytest.mark.parametrize("name", ["a.jellyp", "a.rdfp", "a.trp", "a.jelly", "a.nt", "a.nq"])
def test_the_limit_is_what_the_terms_of_a_row_take(tmp_path: Path, name: str) -> None:
    is_rdf = name in ("a.jelly", "a.nt", "a.nq")
    row = RdfRow(*_STATEMENT) if is_rdf else PatchRow("A", *_STATEMENT)
    path = _file_of(tmp_path, name, row, row)
    limit = _SIZE
    # In these formats a row takes more bytes in the file than its terms do.
    if name == "a.rdfp":
        limit = len(" ".join(("A", *_STATEMENT, ".")))
    elif name in ("a.nt", "a.nq"):
        limit = len(" ".join((*_STATEMENT, ".")))
    elif name == "a.trp":
        limit = path.stat().st_size // 2
    assert len(list(codec.read(path, max_row_size=limit))) == 2
    with pytest.raises(MalformedInputError) as error:
        list(codec.read(path, max_row_size=limit - 1))
    assert error.value.expected == f"a row of at most {limit - 1} bytes (option maxRowSize)"
    assert error.value.found == "a longer one"


@pytest.mark.parametrize("name", ["a.jellyp", "a.rdfp", "a.trp"])
def test_names_values_and_triple_terms_count(tmp_path: Path, name: str) -> None:
    # Shorter terms in a triple term count as 64 bytes.
    term = f"<urn:x:{'t' * 57}>"
    triple = f"<<( {term} {term} {term} )>>"
    header = PatchRow("H", name="n" * 20, value='"' + "v" * 28 + '"')
    nested = PatchRow("A", triple, "<urn:x:p>", f"<<( {triple} <urn:x:p> {triple} )>>")
    for row in (header, nested):
        path = _file_of(tmp_path, name, row)
        size = sum(len(text) for text in row[1:7] if text)
        assert len(list(codec.read(path, max_row_size=2 * size))) == 1
        with pytest.raises(MalformedInputError, match="option maxRowSize"):
            list(codec.read(path, max_row_size=size - 1))


def test_a_wide_character_makes_all_of_a_row_wide(tmp_path: Path) -> None:
    row = PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"' + "o" * 500 + '\U0001f600"')
    for name in ("a.jellyp", "a.rdfp", "a.trp"):
        path = _file_of(tmp_path, name, row)
        assert len(list(codec.read(path, max_row_size=2100))) == 1
        with pytest.raises(MalformedInputError, match="option maxRowSize"):
            list(codec.read(path, max_row_size=1900))


def test_the_check_of_a_message_ends_at_any_nesting() -> None:
    row = field(2, bytes(1 << 17))
    for _ in range(2000):
        row = field(4, row)
    file = patch_file([field(2, row)])
    with pytest.raises(MalformedInputError, match="expected a well-formed row"):
        list(codec.read(file, format="jelly_patch", max_row_size=1 << 18))


@pytest.mark.parametrize("name", ["a.jellyp", "a.rdfp", "a.trp", "a.jelly", "a.nt", "a.nq"])
def test_the_limit_is_a_whole_number(tmp_path: Path, name: str) -> None:
    for value in (0, 2**31, "1", True, 1.0):
        with pytest.raises(OptionError, match="max_row_size must be a whole number from 1 to"):
            codec.open_reader(tmp_path / name, max_row_size=value)


def test_a_term_with_many_escapes_is_parsed_in_little_memory() -> None:
    for text in ('"' + "\\n" * 300_000 + '"', "<" + "\\u0020" * 100_000 + ">"):
        assert peak_memory(lambda text=text: parse_term(text)) < 10 * len(text)  # type: ignore[misc]
