"""A browser for tests of pages: Debian's package `chromium`, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright


def find_browser() -> str | None:
    """Return the path of the browser; None if there is none."""
    return shutil.which("chromium")


@contextmanager
def start_browser() -> Iterator[Browser]:
    """Start the browser, which must be there."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser())
        try:
            yield browser
        finally:
            browser.close()
