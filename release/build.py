"""Builds a commit in a folder of its own, from nothing but the commit and the tools of `make`."""

import filecmp
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from release.bom import ROOT

TARGETS = ["wheel", "compiled-wheels", "maven"]


def build(commit: str, folder: Path, settings: dict[str, str], umask: int) -> Path:
    """Clone `commit` into `folder`, run `make wheel maven` there, and return its `dist`.

    Args:
        commit: the hash of a commit of this checkout.
        folder: where the clone goes; it must not exist.
        settings: environment variables of the build, besides those of this process.
        umask: the rights that new files do not have.

    Raises:
        SystemExit: the build failed.
    """
    git = ["git", "-c", "advice.detachedHead=false"]
    _run([*git, "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)], umask=umask)
    _run([*git, "-C", str(folder), "checkout", "--quiet", commit], umask=umask)
    epoch = _run(["git", "-C", str(folder), "log", "-1", "--format=%ct", commit]).strip()
    # The tools of this checkout, which are not set up again for the clone.
    (launcher,) = (ROOT / ".build").glob("sbt-launch-*.jar")
    venv = Path(sys.prefix)
    make = ["make", f"VENV={venv}", f"LAUNCHER={launcher}"]
    make += [f"--old-file={venv}/tools.stamp", f"--old-file={launcher}"]
    environment = {**os.environ, **settings, "SOURCE_DATE_EPOCH": epoch, "MAKEFLAGS": ""}
    # The package of the clone, not of this checkout, which .venv has.
    environment["PYTHONPATH"] = str(folder / "python")
    _run([*make, *TARGETS], cwd=folder, env=environment, umask=umask)
    return folder / "dist"


def files(dist: Path) -> list[Path]:
    """Return the paths, relative to `dist`, of what was built."""
    found = (path.relative_to(dist) for path in dist.rglob("*") if path.is_file())
    return sorted(path for path in found if path.suffix != ".stamp")


def differences(one: Path, other: Path) -> list[str]:
    """Return what differs between the files of two builds: one line a file."""
    lines = [f"only in one build: {path}" for path in {*files(one)} ^ {*files(other)}]
    for path in sorted({*files(one)} & {*files(other)}):
        if not filecmp.cmp(one / path, other / path, shallow=False):
            lines.append(f"differs: {path}")
    return lines


def write_sums(dist: Path) -> None:
    """Write `SHA256SUMS`, which `sha256sum --check` reads."""
    sums = [
        f"{hashlib.sha256((dist / path).read_bytes()).hexdigest()}  {path}\n"
        for path in files(dist)
    ]
    (dist / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def _run(
    command: list[str],
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    umask: int = -1,
) -> str:
    run = subprocess.run(
        command, cwd=cwd, env=env, umask=umask, stdout=subprocess.PIPE, text=True, check=False
    )
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with status {run.returncode}:\n{run.stdout}")
    return run.stdout
