"""Build a release twice, compare the bytes, check it, and say what to upload: `make release`.

Nothing is signed or uploaded.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from release.bom import ROOT, VERSION
from release.build import build, differences, files, write_sums

RELEASE = ROOT / "dist/release"
WORK = ROOT / ".build/release"


def main() -> None:
    """Do all steps; the first that fails ends the program with status 1."""
    commit = _git("rev-parse", "HEAD")
    if _git("status", "--porcelain"):
        raise SystemExit("the checkout has changes: a release is built from a commit")
    print(f"building {VERSION} from commit {commit}")
    shutil.rmtree(WORK, ignore_errors=True)
    # Two folders, zones, languages and umasks, none of which may show.
    one = build(commit, WORK / "one", {"TZ": "UTC", "LC_ALL": "C.UTF-8"}, 0o022)
    print("building it again in another folder")
    other = build(commit, WORK / "the-second", {"TZ": "Asia/Tokyo", "LC_ALL": "C"}, 0o077)
    found = differences(one, other)
    if found:
        raise SystemExit("two builds of the commit differ:\n" + "\n".join(found))
    print(f"both have the same {len(files(one))} files, byte for byte")
    shutil.rmtree(RELEASE, ignore_errors=True)
    for path in files(one):
        (RELEASE / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(one / path, RELEASE / path)
    shutil.rmtree(WORK)
    write_sums(RELEASE)
    environment = {**os.environ, "JELLY_SPARK_DIST": str(RELEASE), "CI": "true"}
    tests = ["tests/packaging", "tests/release"]
    checks = subprocess.run(
        [sys.executable, "-m", "pytest", "--quiet", *tests], cwd=ROOT, env=environment, check=False
    )
    if checks.returncode != 0:
        raise SystemExit("the checks of the release failed")
    print(_uploads())


def _uploads() -> str:
    """Return what the releaser does next."""
    # PyPI takes wheels of one platform only under the names that `auditwheel repair` gives them.
    found = [path for path in files(RELEASE) if path.suffix in (".whl", ".gz")]
    python = [str(path) for path in found if path.parent == Path()]
    compiled = [str(path) for path in found if path.parent != Path()]
    return f"""
The release is in {RELEASE.relative_to(ROOT)}, and SHA256SUMS names each file. Nothing was uploaded.
To PyPI, with `twine upload`:
  {" ".join(python)}
Beside the release, for machines like this one:
  {" ".join(compiled)}
To Maven Central, after signing each file of it with `gpg --armor --detach-sign`:
  the folder maven/, zipped, as a bundle of the Central Portal
Then tag the commit: git tag --sign v{VERSION}"""


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
