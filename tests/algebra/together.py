"""Many cases in one log and one state, so that a query of Spark serves all of them.

The cases do not meet: a number in the predicates of their statements and in the names of their
prefixes tells them apart. The number is in front of the predicate, so the order of the terms of a
case stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import pytest

from jelly_spark.codec import PatchRow
from jelly_spark.patches.log_rows import CHANGES
from tests.algebra.engines import Log, Prefixes, StatementTuple
from tests.numbering import numbered

END = PatchRow("END")


def rows_of_case(number: int, rows: Iterable[PatchRow]) -> list[PatchRow]:
    """The rows with the number of their case."""
    return [
        row._replace(
            predicate=row.predicate and _predicate(number, row.predicate),
            name=row.name if row.op == "H" or row.name is None else f"{number}.{row.name}",
        )
        for row in rows
    ]


def state_of_cases(states: Iterable[Iterable[StatementTuple]]) -> list[StatementTuple]:
    """The state that has the statements of all cases."""
    return [
        (s, _predicate(number, p), o, g)
        for number, state in enumerate(states)
        for s, p, o, g in state
    ]


def prefixes_of_cases(prefixes: Iterable[Prefixes]) -> Prefixes:
    """The prefixes of all cases."""
    return {
        (graph, f"{number}.{name}"): iri
        for number, names in enumerate(prefixes)
        for (graph, name), iri in names.items()
    }


def one_log(logs: Iterable[Log]) -> Log:
    """The patches of the logs, one log after the other."""
    rows: list[PatchRow] = []
    for log in logs:
        if rows and rows[-1].op != "END":
            rows.append(END)
        rows += log
    return numbered(rows)


def log_after_log(logs: Iterable[Log]) -> Log:
    """The log that has the patches of all cases, case by case."""
    return one_log(rows_of_case(number, log) for number, log in enumerate(logs))


def log_beside_log(logs: Sequence[Log]) -> Log:
    """The log whose first patch has what the first patches of all cases change, and so on.

    The headers of a patch are those of one case.
    """
    patches: list[list[PatchRow]] = []
    count = 1 + max((row.patch or 0 for row in chain.from_iterable(logs)), default=-1)
    for place in range(count):
        parts = [[row for row in log if row.patch == place and row.op != "END"] for log in logs]
        headed = [part for part in parts if part]
        headers = [row for row in headed[place % len(headed)] if row.op == "H"] if headed else []
        bodies = [[row for row in part if row.op != "H"] for part in parts]
        patches.append(
            [*headers, *chain.from_iterable(rows_of_case(n, body) for n, body in enumerate(bodies))]
        )
    return numbered(row for patch in patches for row in (*patch, END))[:-1]


def place_in_patch(row: PatchRow) -> tuple[object, ...]:
    """What orders the changes of a canonical patch."""
    key = row[1:4] if row.name is None else (row.graph or "", row.name)
    return ("PD", "PA", "D", "A").index(row.op), *key, row.graph or ""


def canonical(rows: Iterable[PatchRow]) -> Log:
    """The changes among the rows, as one canonical patch has them."""
    changes = sorted((row for row in rows if row.op in CHANGES), key=place_in_patch)
    return numbered([PatchRow("TX"), *changes, PatchRow("TC")] if changes else [])


def together(cases: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """One case for many: states, prefixes and logs of all of them; of other things, the last."""
    return tuple(_together(values) for values in zip(*cases, strict=True))


def each_case(
    names: str, cases: dict[str, tuple[Any, ...]], all_together: tuple[Any, ...], *alone: str
) -> pytest.MarkDecorator:
    """Parametrize a test: plain Python gets each case, and all together, as Spark does.

    Args:
        names: the test's arguments after `engine`.
        cases: the values of the arguments, by the name of a case.
        all_together: the values that stand for all cases.
        alone: the names of the cases that Spark gets alone too.
    """
    runs = {**cases, "all together": all_together}
    python = [pytest.param("python", *runs[name], id=f"python-{name}") for name in runs]
    spark = [
        pytest.param("spark", *runs[name], id=f"spark-{name}") for name in ("all together", *alone)
    ]
    return pytest.mark.parametrize(
        ("engine", *names.split()), [*python, *spark], indirect=["engine"]
    )


def _together(values: tuple[Any, ...]) -> Any:
    kinds = {type(item) for value in values if isinstance(value, list) for item in value}
    if PatchRow in kinds:
        return log_beside_log(values)
    if tuple in kinds:
        return state_of_cases(values)
    if isinstance(values[0], dict):
        return prefixes_of_cases(values)
    return values[-1]


def _predicate(number: int, predicate: str) -> str:
    return f"<urn:{number}:{predicate[1:]}"
