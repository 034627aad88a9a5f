"""Packages that only some functions need: each is in one of the extras of `jelly-spark`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
        raise MissingPackageError(
            f"{what}: pip install 'jelly-spark[{extra}]' ({error})"
        ) from error
