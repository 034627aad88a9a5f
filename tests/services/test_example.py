"""The programs of `examples/kafka`, run as the guide says."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jelly_spark import codec
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from tests.services.broker import Broker
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


@pytest.mark.long
def test_a_log_becomes_another_one(broker: Broker, tmp_path: Path) -> None:
    lines = (f"{name} {value}\n" for name, value in settings().items())
    tmp_path.joinpath("spark-defaults.conf").write_text("".join(lines))
    environment = {**os.environ, "SPARK_CONF_DIR": str(tmp_path)}
    codec.write(tmp_path / "log.jellyp", ROWS)
    broker.create_topic("patches")

    def command(program: str, *args: str) -> list[str]:
        path = ROOT / "examples/kafka" / program
        return [sys.executable, str(path), broker.servers, "patches", *args]

    subprocess.run(command("send_patches.py", "log.jellyp"), cwd=tmp_path, check=True)
    (tmp_path / "logs").mkdir()
    log: Log[PatchRow] = Log(tmp_path / "logs" / "patches")
    applying = command("apply_patches.py", str(tmp_path / "logs"), str(tmp_path / "checkpoint"))
    with subprocess.Popen(applying, env=environment) as process:
        end = time.monotonic() + TIMEOUT
        while not log.head() and time.monotonic() < end:
            assert process.poll() is None
            time.sleep(0.1)
        process.terminate()
    assert log.state_at() == STATE
    assert log.verify() == []
