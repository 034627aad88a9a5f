"""Another version of this project, for comparisons: built once, and kept below `.build`."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile, is_zipfile

from benchmarks.running.participants import ROOT, java

KEPT = ROOT / ".build" / "bench" / "base"
_PACKAGE = ROOT / "python" / "jelly_spark"
_JAR = Path("jars") / "jelly-spark.jar"
_SOURCES = "org/jellyspark/source/JellyPatchSource.class"


def base_version(base: str) -> Path:
    """Return the folder of the package of another version, with its jar.

    Args:
        base: a commit, or the path of a jar, which gets the Python code of the checkout.

    Raises:
        SystemExit: it is neither, or cannot be built.
    """
    if base.endswith(".jar"):
        return _with_jar(Path(base))
    found = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode != 0:
        raise SystemExit(f"BASE is neither a commit nor the path of a jar: {base}")
    return _built(found.stdout.strip())


def _with_jar(jar: Path) -> Path:
    if not jar.is_file():
        raise SystemExit(f"there is no file {jar}")
    # Without it, Spark would use the data sources in plain Python.
    if not is_zipfile(jar) or _SOURCES not in ZipFile(jar).namelist():
        raise SystemExit(f"{jar} is not a jar of this project")
    folder = KEPT / hashlib.sha256(jar.read_bytes()).hexdigest()[:16]
    # Always new, because the code of the checkout changes.
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_PACKAGE, folder / "jelly_spark", ignore=shutil.ignore_patterns("*.jar"))
    (folder / "jelly_spark" / _JAR).parent.mkdir(exist_ok=True)
    shutil.copyfile(jar, folder / "jelly_spark" / _JAR)
    return folder


def _built(commit: str) -> Path:
    folder = KEPT / commit
    site = folder / "site"
    if not site.exists():
        print(f"building {commit[:10]} in {folder}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
        (launcher,) = (ROOT / ".build").glob("sbt-launch-*.jar")
        sbt = [java(), "-Xmx2g", "-Dsbt.supershell=false", "-jar", str(launcher), "--warn"]
        subprocess.run([*sbt, "jvm/built"], cwd=folder, stdin=subprocess.DEVNULL, check=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        made = folder / "site.new"
        subprocess.run([*pip, "--target", str(made), str(folder / "python")], check=True)
        made.rename(site)
    return site
