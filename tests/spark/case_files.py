"""The parity cases, those of this checkout and the shared ones, as parameters of tests."""

from typing import Any

import pytest

from tests.shared import ROOT, SHARED

FOLDERS = (ROOT / "tests/cases", SHARED / "parity")


def case_files(pattern: str) -> list[Any]:
    """The files that match `pattern`; a skipped one stands for shared ones that are absent."""
    found = [
        pytest.param(path, id=f"{folder.name}/{path.relative_to(folder).with_suffix('')}")
        for folder in FOLDERS
        for path in sorted(folder.glob(pattern))
    ]
    if not SHARED.is_dir():
        skip = pytest.mark.skip(reason=f"no shared data in {SHARED}: set JELLY_SPARK_SHARED")
        found.append(pytest.param(None, id="shared", marks=skip))
    return found
