"""The screens of the command in docs/images, made from the log of examples/report.

After a change of what the commands print:

    make screens
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from tests.cli.processes import run_on_terminal
from tests.shared import ROOT

IMAGES = ROOT / "docs/images"

SCREENS = {
    "command-inspect.svg": "inspect shop/0009.jellyp",
    "command-stats.svg": "stats shop/0000.jellyp shop/0006.jellyp shop/0009.jellyp --plot",
    "command-validate.svg": "validate shop",
}
"""The name of each screen, with the arguments of the command."""

_COLUMNS = 100
# Readers have no font of ours, and a picture that fetches one would need the network.
_FORMAT = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


def make_log(folder: Path) -> None:
    """Make the log of the example in a folder."""
    example = ROOT / "examples/report/shop_log.py"
    subprocess.run([sys.executable, example], cwd=folder, check=True)


def take(folder: Path, name: str) -> str:
    """Run the command of a screen in a folder with the log, on a terminal; return the picture."""
    arguments = SCREENS[name]
    variables = {"TERM": "xterm-256color", "COLUMNS": str(_COLUMNS)}
    _, shown, errors = run_on_terminal(
        *arguments.split(), stream="stdout", variables=variables, cwd=folder
    )
    assert not errors, errors
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), legacy_windows=False)
    console.print(Text.from_ansi(shown.decode().replace("\r\n", "\n")))
    return console.export_svg(
        title=f"jelly-spark {arguments}", code_format=_FORMAT, unique_id=Path(name).stem
    )


def remake() -> None:
    """Make all screens again."""
    with tempfile.TemporaryDirectory() as folder:
        make_log(Path(folder))
        for name in SCREENS:
            (IMAGES / name).write_text(take(Path(folder), name), encoding="utf-8")


if __name__ == "__main__":
    remake()
