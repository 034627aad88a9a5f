"""The README's Python runs as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.shared import ROOT


def test_python_of_the_readme(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    spark, rewrite, codec = blocks
    # The last makes the file that the others read.
    run = subprocess.run(
        [sys.executable, "-c", codec + spark + rewrite],
        cwd=tmp_path,
        env={**os.environ, "MASTER": "local[1]"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    rows, table = run.stdout.split("+", 1)
    assert rows.splitlines() == ["0 H None", "1 A <http://example.org/s>", "2 END None"]
    assert re.search(r"\|\s*0\|\s*1\|", table)
    (text,) = (tmp_path / "log-as-text").glob("*.rdfp")
    assert text.read_text("utf-8").splitlines()[1:] == [
        'A <http://example.org/s> <http://example.org/p> "o"@en .',
        "Z .",
    ]
