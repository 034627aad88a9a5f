"""`convert` writes the bytes of the codec, and so those of the reference implementation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from tests.cli.processes import run
from tests.parity.cases import read_input
from tests.shared import ROOT

OWN_CASES = ["library-punctuated", "lookups-of-eight", "quoted-statements"]
SHARED_CASES = ["all-eviction", "datatypes", "default-graph", "escapes", "exact-frames"]


def check_case(case: Path, folder: Path) -> None:
    """Convert a case's bytes to text and back, with the options of the case."""
    _, options = read_input(case.with_suffix(".json"))
    text, again = folder / "case.rdfp", folder / "case.jellyp"
    settings = [f"--option={name}={value}" for name, value in options.to_strings().items()]
    for arguments in ([case.with_suffix(".jellyp"), text], [text, again, *settings]):
        found = run("convert", *arguments)
        assert (found.returncode, found.stderr) == (0, b"")
    assert again.read_bytes() == case.with_suffix(".jellyp").read_bytes()


@pytest.mark.parametrize("name", OWN_CASES)
def test_reference_bytes(name: str, tmp_path: Path) -> None:
    check_case(ROOT / "tests/cases" / name, tmp_path)


@pytest.mark.parametrize("name", SHARED_CASES)
def test_reference_bytes_of_the_shared_cases(name: str, shared: Path, tmp_path: Path) -> None:
    check_case(shared / "parity" / name, tmp_path)


def test_namespaces_are_kept_on_request(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jelly", tmp_path / "b.jelly"
    rows = [RdfRow(name="ex", value="<urn:x:>"), RdfRow("<urn:x:s>", "<urn:x:p>", "<urn:x:o>")]
    codec.write(source, rows, options=codec.JellyRdfOptions(namespaces=True))
    assert run("convert", source, target, "--json").returncode == 0
    assert [row.name for row in codec.read(target, namespaces=True)] == [None]
    assert run("convert", source, target, "--option", "namespaces=true").returncode == 0
    assert target.read_bytes() == source.read_bytes()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_memory_is_bounded(tmp_path: Path) -> None:
    """A file of many rows takes no more memory than a short one."""
    short, long = tmp_path / "short.rdfp", tmp_path / "long.rdfp"
    for path, count in ((short, 10), (long, 200_000)):
        codec.write(path, (PatchRow("A", "<urn:x:s>", "<urn:x:p>", f'"{n}"') for n in range(count)))
    program = (
        "import sys; from jelly_spark.cli.app import app; "
        "app.main(sys.argv[1:], standalone_mode=False); "
        "print(open('/proc/self/status').read())"
    )
    sizes = []
    for path in (short, long):
        found = run("convert", path, tmp_path / "out.jellyp", program=program)
        peak = re.search(rb"VmHWM:\s*(\d+) kB", found.stdout)
        assert peak is not None, found.stderr
        sizes.append(int(peak[1]))
    assert sizes[1] < sizes[0] + 8_000


def test_json_names_what_was_done(tmp_path: Path) -> None:
    source = tmp_path / "naïve.rdfp"
    source.write_text("TX .\nTC .\n")
    found = run("convert", source, tmp_path / "out.jellyp", "--json")
    assert json.loads(found.stdout) == {
        "input": str(source),
        "from": "rdf_patch",
        "output": str(tmp_path / "out.jellyp"),
        "to": "jelly_patch",
        "rows": 2,
    }
