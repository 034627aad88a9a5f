"""The screens of a report in docs/images, made from the log of examples/report.

After a change of the page:

    make screens
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser

from tests.cli.processes import run
from tests.cli.screens import IMAGES, make_log
from tests.report.browser import start_browser

SCREENS: dict[str, tuple[Literal["light", "dark"], str]] = {
    "report.png": ("light", "overview"),
    "report-dark.png": ("dark", "findings"),
}
"""The name of each screen, with its theme and the section at its top."""


def make_page(folder: Path) -> Path:
    """Make the log of the example in a folder, and return the page about it."""
    make_log(folder)
    found = run("report", "shop", "-o", "report.html", cwd=folder)
    assert (found.returncode, found.stderr) == (0, b"")
    return folder / "report.html"


def take(browser: Browser, page: Path, name: str, target: Path) -> None:
    """Save a screen of a page."""
    theme, section = SCREENS[name]
    size = {"width": 1100, "height": 900}
    shown = browser.new_page(viewport=size, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    shown.goto(page.as_uri())
    if section != "overview":
        shown.evaluate(f"document.getElementById('{section}').scrollIntoView()")
    shown.screenshot(path=target)
    shown.close()


def remake() -> None:
    """Make all screens again."""
    with tempfile.TemporaryDirectory() as folder, start_browser() as browser:
        page = make_page(Path(folder))
        for name in SCREENS:
            take(browser, page, name, IMAGES / name)


if __name__ == "__main__":
    remake()
