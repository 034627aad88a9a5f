"""Checking that patches are canonical before they are appended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jelly_spark.log.engines.engine import Engine
from jelly_spark.log.entries.entry import Position
from jelly_spark.log.entries.order import conflict
from jelly_spark.log.entries.view import LogView


class CanonicalCheck:
    """Checks patches that are appended one after the other.

    Args:
        engine: prepares the patches.
        look: returns the patches that the log has now.
        state_at: returns the statements of a position.
    """

    def __init__(
        self,
        engine: Engine,
        look: Callable[[], LogView],
        state_at: Callable[[LogView, Position], Any],
    ) -> None:
        self._engine, self._look = engine, look
        self._state_at = state_at
        # In memory, the id of the last patch and the statements after it.
        self._last: tuple[str | None, Any] | None = None

    def check(self, patch: Any) -> Any:
        """Return the rows of a patch, checked to be canonical for the state before it.

        Raises:
            LogConflictError: the log has no patch `prev`.
            PatchError: the patch is not canonical.
        """
        algebra = self._engine.algebra
        rows = self._engine.prepare(patch)
        id, before = self._state_before(rows)
        checked = algebra.check_canonical(rows, before)
        if not hasattr(rows, "sparkSession"):
            after, _ = algebra.apply(() if before is None else before, checked)
            self._last = id, after
        return checked

    def _state_before(self, patch: Any) -> tuple[str | None, Any]:
        """Return the id of a patch and the statements before it; None if it is the first one."""
        headers = self._engine.headers(patch)
        if headers.prev is None:
            return headers.id, None
        if self._last is not None and self._last[0] == headers.prev:
            return headers.id, self._last[1]
        view = self._look()
        position = view.find_state(headers.prev)
        if position is None:
            raise conflict(headers, None, view.head)
        return headers.id, self._state_at(view, position)
