"""Empty environments, with the Python versions that are on the path."""

import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest


@functools.cache
def interpreter(version: str) -> str:
    """Returns the command of a Python version, or skips the test."""
    command = f"python{version}"
    # Tools such as pyenv have a command on the path for versions that are turned off.
    found = shutil.which(command)
    if found is None or subprocess.run([found, "-V"], capture_output=True).returncode != 0:
        pytest.skip(f"Python {version} is not on the path, as {command}")
    return found


def create(folder: Path, version: str, *requirements: str) -> Path:
    """Creates an environment with what pip finds for `requirements`, and returns its Python."""
    subprocess.run([interpreter(version), "-m", "venv", str(folder)], check=True)
    python = folder / "bin/python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # So that an old pip, too, makes a wheel of PySpark, which it caches for the next environment.
    pip += ["--use-pep517"]
    subprocess.run([*pip, *requirements], check=True)
    return python


# A network namespace of its own has only the loopback device, which is down at first.
OFFLINE = [
    "unshare",
    "--map-root-user",
    "--net",
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
]


def run(python: Path, *arguments: str, cwd: Path, offline: bool = False) -> str:
    """Runs Python in `cwd`, without a network if `offline`, and returns its output."""
    command = [*(OFFLINE if offline else []), str(python), *arguments]
    # Without CI, because tests skip what an extra does not bring.
    left_out = {"CI", "PYTHONPATH"}
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {"PYSPARK_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
