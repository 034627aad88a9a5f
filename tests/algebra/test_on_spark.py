"""Spark gives what plain Python gives, for hundreds of random cases in one state and one log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import strategies as st

from tests.algebra.engines import Engine, Log, Prefixes, PythonEngine, State
from tests.algebra.strategies import logs, prefixes, states
from tests.algebra.together import log_after_log, prefixes_of_cases, state_of_cases
from tests.examples import examples

CASES = 200
PYTHON = PythonEngine()
IGNORED: dict[str, Any] = {"language_tags": "ignore-case"}
HEADERS: dict[str, Any] = {"id": "<urn:uuid:2>", "prev": "<urn:uuid:1>"}


@dataclass(frozen=True)
class Inputs:
    """What the cases have together."""

    before: State
    after: State
    names: Prefixes
    others: Prefixes
    log: Log
    more: Log

    @property
    def patch(self) -> Log:
        """The difference of the states."""
        return PYTHON.diff(self.before, self.after, **HEADERS, prefixes=(self.names, self.others))


CALLS: dict[str, Callable[[Engine, Inputs], Any]] = {
    "diff": lambda engine, x: engine.diff(
        x.before, x.after, **HEADERS, prefixes=(x.names, x.others)
    ),
    "diff of equal states": lambda engine, x: engine.diff(
        x.before, [*x.before, *x.before], prefixes=(x.names, x.names)
    ),
    "apply": lambda engine, x: engine.apply(x.before, x.log, prefixes=x.names),
    "apply to distinct statements": lambda engine, x: engine.apply({*x.before}, x.log),
    "apply a difference": lambda engine, x: engine.apply(x.before, x.patch, prefixes=x.names),
    "apply files": lambda engine, x: engine.apply_files(x.before, [x.log, x.patch, x.more]),
    "apply strictly": lambda engine, x: engine.apply_strict(x.before, x.log),
    "state": lambda engine, x: engine.state(x.log),
    "changes": lambda engine, x: engine.changes(x.log),
    "changes of a state": lambda engine, x: engine.changes(x.log, x.before),
    "changes of a canonical patch": lambda engine, x: engine.changes(
        x.patch, assume_canonical=True
    ),
    "check a difference": lambda engine, x: engine.check_canonical(x.patch, x.before),
    "history": lambda engine, x: engine.history(x.log),
    "history of a state": lambda engine, x: engine.history(x.log, None, x.before),
    "squash": lambda engine, x: engine.squash(x.log),
    "squash for a state": lambda engine, x: engine.squash(x.log, x.before),
    "squash what is squashed": lambda engine, x: engine.squash(PYTHON.squash(x.log)),
    "diff without the case of tags": lambda engine, x: engine.diff(x.before, x.after, **IGNORED),
    "apply without the case of tags": lambda engine, x: engine.apply(x.before, x.log, **IGNORED),
    "apply strictly without the case of tags": lambda engine, x: engine.apply_strict(
        x.before, x.log, **IGNORED
    ),
    "changes without the case of tags": lambda engine, x: sorted(
        engine.changes(x.log, x.before, **IGNORED), key=str
    ),
    "history without the case of tags": lambda engine, x: engine.history(
        x.log, None, x.before, **IGNORED
    ),
    "squash without the case of tags": lambda engine, x: engine.squash(x.log, x.before, **IGNORED),
    "squash alone without the case of tags": lambda engine, x: engine.squash(x.log, **IGNORED),
    "invert": lambda engine, x: engine.invert(x.patch),
    "invert without checks": lambda engine, x: engine.invert(x.patch, assume_canonical=True),
    "concat": lambda engine, x: engine.concat(x.log, x.more),
    "split by transaction": lambda engine, x: engine.split(x.log, "transaction"),
    "split by patch": lambda engine, x: engine.split(x.log, "patch"),
    "split by row": lambda engine, x: engine.split(x.log, 1),
    "split by rows": lambda engine, x: engine.split(x.log, 2),
    "validate": lambda engine, x: engine.validate(x.log),
    "validate with a state": lambda engine, x: engine.validate(x.log, x.before),
}


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    drawn = examples(st.tuples(states, states, prefixes, prefixes, logs(), logs()), CASES)
    before, after, names, others, log, more = zip(*drawn, strict=True)
    return Inputs(
        state_of_cases(before),
        state_of_cases(after),
        prefixes_of_cases(names),
        prefixes_of_cases(others),
        log_after_log(log),
        log_after_log(more),
    )


@pytest.mark.parametrize("call", CALLS)
def test_the_same_as_plain_python(call: str, inputs: Inputs, spark_engine: Engine) -> None:
    expected = CALLS[call](PYTHON, inputs)
    assert CALLS[call](spark_engine, inputs) == expected


@pytest.mark.parametrize("call", ["diff", "apply", "changes of a state", "history", "validate"])
def test_nothing(call: str, spark_engine: Engine) -> None:
    """States and logs without rows have no partition, as empty folders have."""
    nothing = Inputs([], [], {}, {}, [], [])
    assert CALLS[call](spark_engine, nothing) == CALLS[call](PYTHON, nothing)
