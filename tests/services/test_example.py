"""The programs of `examples/kafka`, run as the guide says."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote

import pytest
from pyarrow import parquet

from jelly_spark import codec
from jelly_spark.codec import PatchRow
from tests.services.broker import Broker
from tests.services.messages import Statement
from tests.services.session import settings
from tests.shared import ROOT

TIMEOUT = 300

CUP, PRICE = "<http://example.org/cup>", "<http://example.org/price>"

ROWS = [
    PatchRow("TX"),
    PatchRow("A", CUP, PRICE, '"8.50"'),
    PatchRow("A", CUP, PRICE, '"8.50"', "<urn:x:shop>"),
    PatchRow("TC"),
    PatchRow("END"),
    PatchRow("TX"),
    PatchRow("D", CUP, PRICE, '"8.50"'),
    PatchRow("A", CUP, PRICE, '"9.20"'),
    PatchRow("TC"),
    PatchRow("END"),
    PatchRow("TX"),
    PatchRow("D", CUP, PRICE, '"9.20"'),
    PatchRow("TA"),
    PatchRow("END"),
]

STATE = {(CUP, PRICE, '"9.20"', None), (CUP, PRICE, '"8.50"', "<urn:x:shop>")}


def statements(table: Path) -> list[Statement]:
    """The rows of a Delta table, read without Delta."""
    files: set[str] = set()
    for version in sorted(table.glob("_delta_log/*.json")):
        for action in map(json.loads, version.read_text().splitlines()):
            files -= {action["remove"]["path"]} if "remove" in action else set()
            files |= {action["add"]["path"]} if "add" in action else set()
    tables = (parquet.read_table(table / unquote(file)) for file in files)
    return [tuple(row.values()) for found in tables for row in found.to_pylist()]


@pytest.mark.long
def test_a_log_becomes_a_table(broker: Broker, tmp_path: Path) -> None:
    lines = (f"{name} {value}\n" for name, value in settings().items())
    tmp_path.joinpath("spark-defaults.conf").write_text("".join(lines))
    environment = {**os.environ, "SPARK_CONF_DIR": str(tmp_path)}
    codec.write(tmp_path / "log.jellyp", ROWS)
    broker.create_topic("patches")

    def command(program: str, *args: str) -> list[str]:
        path = ROOT / "examples/kafka" / program
        return [sys.executable, str(path), broker.servers, "patches", *args]

    subprocess.run(command("send_patches.py", "log.jellyp"), cwd=tmp_path, check=True)
    table = tmp_path / "statements"
    applying = command("apply_patches.py", str(table), str(tmp_path / "checkpoint"))
    with subprocess.Popen(applying, env=environment) as process:
        end = time.monotonic() + TIMEOUT
        while set(statements(table)) != STATE and time.monotonic() < end:
            assert process.poll() is None
            time.sleep(0.1)
        process.terminate()
    assert sorted(statements(table), key=str) == sorted(STATE, key=str)
