"""The column functions without the jar, in the session that has it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from jelly_spark import functions


@contextmanager
def without_jar() -> Iterator[None]:
    """Make the columns that are created in the block those of sessions without the jar."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(functions, "session_has_jar", lambda: False)
        yield
