"""The files that ARCHITECTURE.md names exist."""

import re

from tests.shared import ROOT

FOLDERS = (ROOT, ROOT / "jvm/src/main/scala/org/jellyspark", ROOT / "python/jelly_spark")


def test_the_files_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    names = {
        name
        for name in re.findall(r"`([\w./-]+)`", text)
        if "/" in name and "NAME" not in name and not name.startswith("META-INF")
    }
    missing = {name for name in names if not any((f / name).exists() for f in FOLDERS)}
    assert names
    assert not missing
