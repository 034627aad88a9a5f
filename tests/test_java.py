"""The search for a newer Java."""

from pathlib import Path

import pytest

from tests.java import find_java


def make_jdk(home: Path, version: str) -> Path:
    java = home / "bin/java"
    java.parent.mkdir(parents=True)
    java.touch(mode=0o755)
    (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return java


def test_the_oldest_that_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("17.0.15", "921.0.1", "925"):
        java = make_jdk(tmp_path / version, version)
        monkeypatch.setenv(f"JAVA_HOME_{version.partition('.')[0]}_X64", str(tmp_path / version))
    monkeypatch.setenv("JAVA_HOME_930_X64", str(tmp_path / "missing"))
    assert find_java(921) == tmp_path / "921.0.1/bin/java"
    assert find_java(922) == java
    assert find_java(926) is None


def test_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = make_jdk(tmp_path / "jdk", "921")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").symlink_to(java)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_java(921) == java
