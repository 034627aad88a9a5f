"""Packages that only some functions need: each is in one of the extras of `jelly-spark`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires

from jelly_spark.errors import MissingPackageError


@contextmanager
def needs_extra(extra: str, what: str) -> Iterator[None]:
    """Raise a `MissingPackageError` if an import in the body fails.

    Args:
        extra: the extra that has the package.
        what: the beginning of the message: who needs what, such as `a schema needs PySpark`.
    """
    try:
        yield
    except MissingPackageError:
        raise
    except ImportError as error:
        raise MissingPackageError(f"{what}: {advice(extra)} ({error})") from error


def advice(extra: str) -> str:
    """Return how to install what an extra has: `pip install 'click>=8.5' 'rich>=14'`.

    This package itself is installed, and from where is not known.
    """
    try:
        known = requires("jelly-spark") or []
    except PackageNotFoundError:
        known = []
    marked = re.compile(rf"""([^;]+?) *;.*\bextra *== *["']{extra}["']""")
    found = [match[1] for match in map(marked.match, known) if match]
    if not found:
        return f"install the extra `{extra}` of jelly-spark"
    return " ".join(["pip install", *(f"'{requirement}'" for requirement in found)])
