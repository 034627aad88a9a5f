"""Examples of a strategy in one list, for tests that need one query for all of them."""

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def examples(strategy: SearchStrategy[T], count: int) -> list[T]:
    """Return examples of a strategy, the same in every run."""
    found: list[T] = []

    @settings(
        derandomize=True,
        max_examples=count,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def collect(example: T) -> None:
        found.append(example)

    collect()
    return found
