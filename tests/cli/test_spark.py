"""Commands that start Spark: `convert --spark`, and `verify` with the codecs of the JVM."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.codec import JellyPatchOptions, PatchRow
from tests.cli.processes import run, start
from tests.cli.test_processes import wait_for
from tests.shared import JENA_JAR

pytestmark = pytest.mark.spark

SMALL = "--conf=spark.sql.shuffle.partitions=2"


def patches(count: int, size: int) -> Iterator[PatchRow]:
    """Yield some patches, each with a transaction of some statements."""
    for patch in range(count):
        yield PatchRow("H", name="id", value=f"<urn:x:{patch}>")
        yield PatchRow("TX")
        for n in range(size):
            yield PatchRow("A", f"<urn:x:s{n % 7}>", "<urn:x:p>", f'"{patch} {n} é"')
        yield PatchRow("TC")
        yield PatchRow("END")


def test_a_file_has_the_bytes_of_the_plain_command(tmp_path: Path) -> None:
    """Also if the source is split, and in a folder whose name is a glob."""
    folder = tmp_path / "a [b] *{c}"
    folder.mkdir()
    source, spark, plain = (folder / name for name in ("in.rdfp", "out é.jellyp", "plain.jellyp"))
    codec.write(source, patches(20, 500))
    spark.write_text("old")
    spark.chmod(0o640)
    options = ["--option=frameSize=64", "--option=restartInterval=20000", "--json"]
    found = run("convert", source, spark, "--spark", *options)
    assert (found.returncode, found.stderr) == (0, b"")
    assert json.loads(found.stdout)["rows"] == 20 * 504
    assert run("convert", source, plain, *options).returncode == 0
    assert spark.read_bytes() == plain.read_bytes()
    assert spark.stat().st_mode & 0o777 == 0o640
    assert sorted(folder.iterdir()) == sorted([source, spark, plain])


def test_a_folder_has_whole_patches_in_order(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jellyp", tmp_path / "out.rdfp.gz"
    rows = [*patches(20, 300)]
    codec.write(source, rows, options=JellyPatchOptions(restart_interval=10_000))
    # So many bytes that the rows do not fit into one partition.
    small = ["spark.sql.adaptive.enabled=false", "spark.sql.files.maxPartitionBytes=20000"]
    settings = [SMALL, *(f"--conf={setting}" for setting in small)]
    found = run("convert", source, f"{target}/", "--spark", *settings)
    assert (found.returncode, found.stdout, found.stderr) == (0, b"", b"")
    parts = sorted(target.glob("part-*.rdfp.gz"))
    assert len(parts) == 2
    written = [[*codec.read_rdf_patch(part)] for part in parts]
    assert all(part[0].op == "H" and part[-1].op == "END" for part in written)
    assert [PatchRow(*row[:-3]) for part in written for row in part] == rows


def test_malformed_input(tmp_path: Path) -> None:
    source, target = tmp_path / "in.nt", tmp_path / "out.jelly"
    source.write_text("<urn:x:s> <urn:x:p> <urn:x:o> .\noops\n")
    target.write_text("old")
    found = run("convert", source, target, "--spark")
    assert found.returncode == 1
    error = "line 2 (row 1, byte 32): expected an IRI or a blank node, found 'oops'"
    assert found.stderr.decode() == f"Error: {source}: {error}\n"
    assert target.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_interrupted(tmp_path: Path) -> None:
    """Wherever it is interrupted, nothing is left: also not Spark's JVM."""
    source, target = tmp_path / "in.nq", tmp_path / "out.nq"
    with source.open("w") as lines:
        lines.writelines(f'<urn:x:s> <urn:x:p> "{n}" .\n' for n in range(2_000_000))

    def is_writing() -> bool:
        return any(part.stat().st_size for part in tmp_path.glob(".*.part/**/part-*"))

    # The seconds after the beginning of Spark's start; None is when the job writes.
    for seconds in (1, 2.5, None):
        listens = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        process = start(
            "convert", source, target, "--spark", preexec_fn=listens, start_new_session=True
        )
        assert process.stdout and process.stderr
        try:
            wait_for(lambda: any(tmp_path.glob(".*.part")), seconds=60)
            if seconds is None:
                wait_for(is_writing, seconds=60)
            else:
                time.sleep(seconds)
            # To the process group, as a terminal does.
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(timeout=60) == 130
            # The JVM has the same standard output: there is no end of file while it runs.
            os.set_blocking(process.stdout.fileno(), False)
            assert os.read(process.stdout.fileno(), 1) == b""
            assert process.stderr.read() == b""
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        assert [*tmp_path.iterdir()] == [source]


def test_a_commit(tmp_path: Path) -> None:
    """What the plain command appends, and says of it; each reads what the other has appended."""
    dumps = []
    for night in range(3):
        prefix, rows = codec.RdfRow(name="x", value="<urn:x:>"), []
        for n in range(night, 100 + night):
            rows.append(codec.RdfRow("<urn:x:s>", "<urn:x:p>", f'"{n} é"', "<urn:x:g>"))
        dumps.append(tmp_path / f"{night}.jelly")
        options = codec.JellyRdfOptions(namespaces=True)
        codec.write(dumps[-1], [prefix, *rows], options=options)
    for log, turns in (("spark", [True, True, False]), ("plain", [False] * 3)):
        said = []
        for dump, on_spark in zip(dumps, turns, strict=True):
            arguments = ("--spark", SMALL) if on_spark else ()
            found = run("log", "commit", log, dump, *arguments, "--json", cwd=tmp_path)
            assert (found.returncode, found.stderr) == (0, b"")
            said.append(json.loads(found.stdout))
            assert said[-1].pop("version")["log_seq"] == len(said) - 1
        assert said == [
            {"adds": 100, "deletes": 0, "prefixes": 1},
            {"adds": 1, "deletes": 1, "prefixes": 0},
            {"adds": 1, "deletes": 1, "prefixes": 0},
        ]
    found = run("log", "commit", "spark", dumps[2], "--spark", SMALL, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (4, b"")
    found = run("log", "commit", "spark", dumps[2], "--spark", "--skolem-base=urn:x:", cwd=tmp_path)
    assert found.returncode == 2 and b"--skolem-base is not for --spark" in found.stderr
    (tmp_path / "empty.nt").touch()
    found = run("log", "commit", "spark", "empty.nt", "--spark", SMALL, cwd=tmp_path)
    assert found.returncode == 1 and b"empty.nt has no statements" in found.stderr
    assert run("log", "verify", "spark", cwd=tmp_path).stdout == b"No findings.\n"


def test_what_spark_cannot_do(tmp_path: Path) -> None:
    """Found before Spark starts."""
    hidden, visible = tmp_path / "_hidden.nt", tmp_path / "visible.nt"
    for path in (hidden, visible):
        path.write_text("<urn:x:s> <urn:x:p> <urn:x:o> .\n")
    (tmp_path / "full").mkdir()
    cases: list[tuple[Any, Any, int, str]] = [
        (hidden, "out.nt", 2, "ignores files whose names begin"),
        (visible, "-", 2, "not standard input or output"),
        (visible, "full/", 2, "write to a new folder"),
        (visible, "s3://bucket/out.nt", 2, "only as a folder"),
        (visible, os.devnull, 2, "is not a regular file"),
        (visible, "missing/out.nt", 3, "the folder does not exist"),
        ("missing.nt", "out.nt", 3, "missing.nt: No such file or directory"),
    ]
    for source, target, status, message in cases:
        found = run("convert", source, target, "--to=ntriples", "--spark", cwd=tmp_path)
        assert found.returncode == status, found.stderr
        assert message in found.stderr.decode()
    program = "import sys; sys.modules['pyspark'] = None; from jelly_spark.cli import main; main()"
    found = run("convert", visible, tmp_path / "out.nq", "--spark", program=program)
    assert found.returncode == 2
    assert b"pip install 'pyspark>=" in found.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"_hidden.nt", "visible.nt", "full"}


def test_verify_with_the_jvm(tmp_path: Path) -> None:
    if not JENA_JAR.is_file():
        pytest.skip(f"no {JENA_JAR}: run `make jena-jar`")
    statements, log, cut = (tmp_path / name for name in ("a.jelly.gz", "b.rdfp", "c.jelly"))
    rows = [codec.RdfRow("<urn:x:s>", "<urn:x:p>", f'"{n}"') for n in range(1000)]
    codec.write(
        statements,
        [codec.RdfRow(name="x", value="<urn:x:>"), *rows],
        options=codec.JellyRdfOptions(namespaces=True),
    )
    codec.write(log, patches(2, 3))
    codec.write(cut, rows)
    cut.write_bytes(cut.read_bytes()[:-100])
    conf = f"--conf=spark.jars={JENA_JAR}"
    found = run("verify", statements, log, cut, conf, "--json")
    assert (found.returncode, found.stderr) == (1, b"")
    whole, patch, damaged = map(json.loads, found.stdout.splitlines())
    assert whole["rows"] == 1001
    assert whole["codecs"] == ["python", "native", "jelly-jvm"]
    assert "cannot read namespaces" in whole["not_used"]["pyjelly"]
    assert (whole["difference"], whole["rejected"]) == (None, {})
    assert (patch["rows"], patch["codecs"]) == (14, ["python", "native"])
    assert {"python", "native"} <= {*damaged["rejected"]}
    # Both say the same, and where.
    assert damaged["rejected"]["python"] == damaged["rejected"]["native"]
