"""Many cases in one log and one state, so that a query of Spark serves all of them.

The cases do not meet: a number in the predicates of their statements and in the names of their
prefixes tells them apart. The number is in front of the predicate, so the order of the terms of a
case stays.
"""

from __future__ import annotations

from collections.abc import Iterable
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


def place_in_patch(row: PatchRow) -> tuple[object, ...]:
    """What orders the changes of a canonical patch."""
    key = row[1:4] if row.name is None else (row.graph or "", row.name)
    return ("PD", "PA", "D", "A").index(row.op), *key, row.graph or ""


def canonical(rows: Iterable[PatchRow]) -> Log:
    """The changes among the rows, as one canonical patch has them."""
    changes = sorted((row for row in rows if row.op in CHANGES), key=place_in_patch)
    return numbered([PatchRow("TX"), *changes, PatchRow("TC")] if changes else [])


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


def _predicate(number: int, predicate: str) -> str:
    return f"<urn:{number}:{predicate[1:]}"
