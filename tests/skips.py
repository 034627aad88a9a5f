"""In CI everything that tests need is there, so a test that is skipped there has failed."""

from __future__ import annotations

import os
from typing import TypeVar

import pytest

ALLOWED: dict[str, str] = {}
"""The tests that may be skipped in CI, by the start of their node id, and why they may."""

_Report = TypeVar("_Report", pytest.TestReport, pytest.CollectReport)


def fail_if_skipped(report: _Report) -> _Report:
    """Turn a skip into a failure if `CI` is set, unless `ALLOWED` has the test."""
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and os.environ.get("CI") and not report.nodeid.startswith(tuple(ALLOWED)):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped where CI is set: {reason}"
    return report
