"""A browser for tests of pages: Debian's package `chromium`, driven by Playwright."""

from __future__ import annotations

import os
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
    # The sandbox does not work for the superuser.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        try:
            yield browser
        finally:
            browser.close()
