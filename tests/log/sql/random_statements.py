"""Random statements of SQL and of DataFrames that write a log, beside their model in plain Python.

The model of a version is a set of statements. It says which patch each statement must append, and
what the versions of the log, and the changes between them, must be.

Clients of Spark Connect without a JVM import this module.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jelly_spark import patches
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log

Statement = tuple[str, str, str, str | None]
State = frozenset[Statement]

COLUMNS = ("subject", "predicate", "object", "graph")
TERMS = f"AS rows ({', '.join(COLUMNS)})"

SUBJECTS = ("<urn:s>", "_:b")
OBJECTS = (
    *('"1"', '"1"@en', '"1"@en--rtl', '"2"^^<http://www.w3.org/2001/XMLSchema#integer>'),
    *('"it\'s\\n\\"3\\""', "_:c", "<urn:o>", '<<( <urn:s> <urn:p> "4" )>>'),
    "<<( _:b <urn:p> <<( <urn:s> <urn:p> _:c )>> )>>",
)
GRAPHS = (None, "<urn:g>", "_:g")
UNIVERSE = [*product(SUBJECTS, ["<urn:p>"], OBJECTS, GRAPHS)]

UNION = 20
"""How many versions or changes one query reads, which is faster than a query for each."""


class Operation(NamedTuple):
    """What is done to the log.

    Attributes:
        text: the query, or what says which DataFrame is written.
        run: does it.
        after: the state after it.
    """

    text: str
    run: Callable[[], object]
    after: State


class Condition(NamedTuple):
    """A condition on a row of the table, whose alias is `old`, and its model."""

    sql: str
    holds: Callable[[Statement], bool]


class Change(NamedTuple):
    """What `UPDATE` sets, and its model."""

    columns: Mapping[str, str]
    change: Callable[[Statement], Statement]

    @property
    def sql(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.columns.items())


class Sourced(NamedTuple):
    """A row of the source of a `MERGE`."""

    statement: Statement
    flag: int


class Clause(NamedTuple):
    """A clause of a `MERGE`.

    Attributes:
        when: `MATCHED`, `NOT MATCHED` or `NOT MATCHED BY SOURCE`.
        condition: of rows of the table; None for any.
        flag: the flag that rows of the source have; None for any.
        change: None to delete a row, or to insert one where it is `NOT MATCHED`.
    """

    when: str
    condition: Condition | None = None
    flag: int | None = None
    change: Change | None = None

    @property
    def sql_condition(self) -> str | None:
        parts = [] if self.condition is None else [f"({self.condition.sql})"]
        if self.flag is not None:
            parts.append(f"new.flag = {self.flag}")
        return " AND ".join(parts) or None

    @property
    def sql(self) -> str:
        condition = self.sql_condition
        if self.when == "NOT MATCHED":
            action = f"INSERT ({', '.join(COLUMNS)}) VALUES ({', '.join(INSERTED.values())})"
        else:
            action = "DELETE" if self.change is None else f"UPDATE SET {self.change.sql}"
        return f"WHEN {self.when}{f' AND {condition}' if condition else ''} THEN {action}"

    def takes(self, old: Statement | None, new: Sourced | None) -> bool:
        """Whether it is the clause for a row of the table, of the source, or a pair of both."""
        when = "MATCHED" if new is not None else "NOT MATCHED BY SOURCE"
        when = "NOT MATCHED" if old is None else when
        return (
            self.when == when
            and (self.flag is None or (new is not None and new.flag == self.flag))
            and (self.condition is None or (old is not None and self.condition.holds(old)))
        )


INSERTED = {name: f"new.{name}" for name in COLUMNS}


def quoted(term: str | None) -> str:
    """A term as a literal of SQL."""
    if term is None:
        return "CAST(NULL AS STRING)"
    return "'" + term.replace("\\", "\\\\").replace("'", "\\'") + "'"


def state_of(rows: Iterable[Sequence[Any]]) -> State:
    return State((row[0], row[1], row[2], row[3]) for row in rows)


def values(statements: Iterable[Statement]) -> str:
    return ", ".join(f"({', '.join(map(quoted, statement))})" for statement in statements)


def sourced(source: Iterable[Sourced]) -> str:
    """The query of the source of a `MERGE`."""
    rows = ", ".join(f"({', '.join(map(quoted, row))}, {flag})" for row, flag in source)
    return f"SELECT * FROM VALUES {rows} AS rows ({', '.join(COLUMNS)}, flag)"


class Generator:
    """Draws operations on a table.

    Args:
        spark: the session, which can be one of Spark Connect.
        table: the name of the table, with its catalog.
        other: the name of another table, whose statements are `others`.
        others: these statements.
        draw: what is random.
    """

    def __init__(
        self,
        spark: SparkSession,
        table: str,
        other: str,
        others: State,
        draw: random.Random,
    ) -> None:
        self._spark, self._table, self._other, self._others = spark, table, other, others
        self._draw = draw

    def operation(self, states: Sequence[State]) -> Operation:
        """Draw an operation on the last of the versions with these states."""
        kinds = [
            *(self.insert, self.insert_select, self.append, self.delete, self.update),
            *(self.merge, self.merge, self.overwrite, self.restore, self.nothing),
        ]
        return self._draw.choice(kinds)(states)

    def insert(self, states: Sequence[State]) -> Operation:
        rows = self.statements()
        return self.sql(f"INSERT INTO {self._table} VALUES {values(rows)}", states[-1].union(rows))

    def insert_select(self, states: Sequence[State]) -> Operation:
        condition, graph = self.condition(), self._draw.choice(GRAPHS)
        source, rows = self._draw.choice(
            [(self._other, self._others), (self._table, states[-1])],
        )
        return self.sql(
            f"INSERT INTO {self._table} SELECT subject, predicate, object, {quoted(graph)} "
            f"FROM {source} old WHERE {condition.sql}",
            states[-1].union((*row[:3], graph) for row in rows if condition.holds(row)),
        )

    def append(self, states: Sequence[State]) -> Operation:
        rows = self.statements()
        kinds: list[tuple[str, Callable[[DataFrame], object]]] = [
            ("writeTo.append", lambda frame: frame.writeTo(self._table).append()),
            ("saveAsTable", lambda frame: frame.write.mode("append").saveAsTable(self._table)),
        ]
        kind, write = self._draw.choice(kinds)
        return Operation(f"{kind} {rows}", lambda: write(self.frame(rows)), states[-1].union(rows))

    def overwrite(self, states: Sequence[State]) -> Operation:
        rows = self.statements(20)
        if self._draw.random() < 0.5:
            return self.sql(f"INSERT OVERWRITE {self._table} VALUES {values(rows)}", State(rows))
        return Operation(
            f"overwrite {rows}",
            lambda: self.frame(rows).writeTo(self._table).overwrite(F.lit(True)),
            State(rows),
        )

    def restore(self, states: Sequence[State]) -> Operation:
        """Go back to a version, in part, and to what another table has."""
        condition, at = self.condition(), self._draw.randrange(len(states))
        kept = filter(condition.holds, self._others | states[at])
        return self.sql(
            f"INSERT OVERWRITE {self._table} SELECT * FROM (SELECT * FROM {self._other} UNION ALL "
            f"SELECT * FROM {self._table} VERSION AS OF {at}) old WHERE {condition.sql}",
            State(kept),
        )

    def delete(self, states: Sequence[State]) -> Operation:
        where = self.where(states[-1])
        return self.sql(
            f"DELETE FROM {self._table} old WHERE {where.sql}",
            State(row for row in states[-1] if not where.holds(row)),
        )

    def update(self, states: Sequence[State]) -> Operation:
        where, change = self.where(states[-1]), self.change()
        return self.sql(
            f"UPDATE {self._table} old SET {change.sql} WHERE {where.sql}",
            State(change.change(row) if where.holds(row) else row for row in states[-1]),
        )

    def merge(self, states: Sequence[State]) -> Operation:
        rows = self.statements(12)
        on = [(name, f"old.{name} <=> new.{name}") for name in ("subject", "object", "graph")]
        if self._draw.random() < 0.5:
            # A row of the source for several of the table.
            on = on[1:2]
            rows = [*{row[2]: row for row in rows}.values()]
        source = [Sourced(row, self._draw.randrange(3)) for row in rows]
        clauses = self.clauses()
        after = merged(states[-1], source, [COLUMNS.index(name) for name, _ in on], clauses)
        condition = " AND ".join(sql for _, sql in on)
        if self._draw.random() < 0.3:
            return Operation(
                f"mergeInto {source} ON {condition} {clauses}",
                lambda: self.merge_into(source, condition, clauses),
                after,
            )
        return self.sql(
            f"MERGE INTO {self._table} old USING ({sourced(source)}) new ON {condition} "
            + " ".join(clause.sql for clause in clauses),
            after,
        )

    def merge_into(
        self, source: Sequence[Sourced], condition: str, clauses: Iterable[Clause]
    ) -> None:
        alias = self._table.rpartition(".")[2]

        def column(sql: str) -> Any:
            return F.expr(sql.replace("old.", f"{alias}."))

        frame = self._spark.sql(sourced(source)).alias("new")
        writer = frame.mergeInto(self._table, column(condition))
        names = {
            "MATCHED": writer.whenMatched,
            "NOT MATCHED": writer.whenNotMatched,
            "NOT MATCHED BY SOURCE": writer.whenNotMatchedBySource,
        }
        for clause in clauses:
            text = clause.sql_condition
            when: Any = names[clause.when](*([] if text is None else [column(text)]))
            if clause.when == "NOT MATCHED":
                writer = when.insert({name: F.expr(sql) for name, sql in INSERTED.items()})
            elif clause.change is None:
                writer = when.delete()
            else:
                columns = clause.change.columns.items()
                writer = when.update({name: column(sql) for name, sql in columns})
        writer.merge()

    def nothing(self, states: Sequence[State]) -> Operation:
        """A statement that changes nothing."""
        some = sorted(states[-1], key=str)[:3]
        absent = "object = 'absent'"
        queries = [
            f"INSERT INTO {self._table} SELECT * FROM {self._table}",
            f"INSERT INTO {self._table} SELECT * FROM {self._other} WHERE {absent}",
            f"INSERT OVERWRITE {self._table} SELECT * FROM {self._table}",
            f"DELETE FROM {self._table} WHERE {absent}",
            f"UPDATE {self._table} SET graph = graph",
            f"MERGE INTO {self._table} old USING {self._table} new "
            "ON old.subject = new.subject AND old.object = new.object AND old.graph <=> new.graph "
            f"WHEN MATCHED AND new.{absent} THEN DELETE WHEN NOT MATCHED THEN INSERT *",
            *([f"INSERT INTO {self._table} VALUES {values(some)}"] if some else []),
        ]
        return self.sql(self._draw.choice(queries), states[-1])

    def statements(self, most: int = 8) -> list[Statement]:
        return self._draw.sample(UNIVERSE, self._draw.randint(1, most))

    def condition(self) -> Condition:
        subject, object = self._draw.choice(SUBJECTS), self._draw.choice(OBJECTS)
        graph = self._draw.choice(GRAPHS)
        some = self._draw.sample(OBJECTS, 3)
        return self._draw.choice(
            [
                Condition(
                    f"old.object IN ({', '.join(map(quoted, some))})", lambda row: row[2] in some
                ),
                Condition(f"old.graph <=> {quoted(graph)}", lambda row: row[3] == graph),
                Condition(
                    f"old.subject = {quoted(subject)} AND old.graph IS NOT NULL",
                    lambda row: row[0] == subject and row[3] is not None,
                ),
                Condition(f"old.object > {quoted(object)}", lambda row: row[2] > object),
                Condition("old.object LIKE '<<%'", lambda row: row[2].startswith("<<")),
                # Which is null for the default graph and another object.
                Condition(
                    f"old.graph = '_:g' OR old.object = {quoted(object)}",
                    lambda row: row[3] == "_:g" or row[2] == object,
                ),
            ]
        )

    def where(self, state: State) -> Condition:
        """Draw a condition that may have a subquery, as those of `MERGE` may not."""
        if self._draw.random() < 0.5:
            return self.condition()
        other, others = self._other, self._others
        pairs = {(row[0], row[2]) for row in others if row[3] is None}
        objects = {row[2] for row in others if row[0] == "_:b"}
        greatest = max((row[2] for row in state), default="")
        return self._draw.choice(
            [
                Condition(
                    f"(old.subject, old.object) IN (SELECT subject, object FROM {other} "
                    "WHERE graph IS NULL)",
                    lambda row: (row[0], row[2]) in pairs,
                ),
                Condition(
                    f"old.object NOT IN (SELECT object FROM {other} WHERE subject = '_:b')",
                    lambda row: row[2] not in objects,
                ),
                Condition(
                    f"EXISTS (SELECT 1 FROM {other} o WHERE o.subject = old.subject AND "
                    "o.object = old.object AND o.graph <=> old.graph)",
                    lambda row: row in others,
                ),
                Condition(
                    f"old.object = (SELECT max(object) FROM {self._table})",
                    lambda row: row[2] == greatest,
                ),
            ]
        )

    def change(self) -> Change:
        object, graph = self._draw.choice(OBJECTS), self._draw.choice(GRAPHS)
        return self._draw.choice(
            [
                Change({"object": quoted(object)}, lambda row: (*row[:2], object, row[3])),
                Change({"graph": quoted(graph)}, lambda row: (*row[:3], graph)),
                Change(
                    {"object": quoted(object), "graph": "'<urn:g>'"},
                    lambda row: (*row[:2], object, "<urn:g>"),
                ),
                Change(
                    {"subject": "IF(old.subject = '_:b', '<urn:s>', '_:b')"},
                    lambda row: ("<urn:s>" if row[0] == "_:b" else "_:b", *row[1:]),
                ),
                Change({"object": NESTED}, nested),
            ]
        )

    def clauses(self) -> list[Clause]:
        """Draw clauses of a `MERGE`, at least one; the last of a kind may be without condition."""
        possible = [
            Clause("MATCHED", flag=0),
            Clause("MATCHED", self._draw.choice([None, self.condition()]), change=self.change()),
            Clause("NOT MATCHED", flag=self._draw.choice([None, 1])),
            Clause("NOT MATCHED BY SOURCE", self.condition()),
            Clause("NOT MATCHED BY SOURCE", self.condition(), change=self.change()),
        ]
        chosen = self._draw.sample(range(5), self._draw.randint(1, 5))
        return [clause for at, clause in enumerate(possible) if at in chosen]

    def sql(self, query: str, after: State) -> Operation:
        return Operation(query, lambda: self._spark.sql(query), after)

    def frame(self, statements: Iterable[Statement]) -> DataFrame:
        return self._spark.sql(f"SELECT * FROM VALUES {values(statements)} {TERMS}")


NESTED = (
    "IF(length(old.object) > 40, old.object, concat('<<( ', old.subject, ' <urn:p> ', old.object, "
    "' )>>'))"
)
"""A triple term about the object, unless that is a long one."""


def nested(row: Statement) -> Statement:
    subject, predicate, object, graph = row
    return (
        row
        if len(object) > 40
        else (subject, predicate, f"<<( {subject} <urn:p> {object} )>>", graph)
    )


def merged(
    state: State, source: Sequence[Sourced], on: Sequence[int], clauses: Sequence[Clause]
) -> State:
    """The state after a `MERGE` whose source has at most one row for each row of the table.

    Args:
        state: the state before it.
        source: the rows of its source.
        on: the columns that are equal where a row of the table matches one of the source.
        clauses: its clauses.
    """

    def key(row: Statement) -> list[str | None]:
        return [row[column] for column in on]

    found = set()
    for old in state:
        new = next((new for new in source if key(new.statement) == key(old)), None)
        clause = next((each for each in clauses if each.takes(old, new)), None)
        if clause is None:
            found.add(old)
        elif clause.change is not None:
            found.add(clause.change.change(old))
    keys = [key(old) for old in state]
    for new in source:
        if key(new.statement) not in keys and any(each.takes(None, new) for each in clauses):
            found.add(new.statement)
    return State(found)


def check_random_statements(
    spark: SparkSession, catalog: str, folder: Path, *, count: int, seed: int, ranges: int
) -> list[State]:
    """Write a new log by random statements, and compare it with the model. Return its states.

    After each statement, plain Python finds the state of the model, and that nothing is wrong with
    the log. In the end, the patches are those that plain Python makes, and Spark and plain Python
    find the state of each version, and the changes between versions.

    Args:
        spark: the session, which can be one of Spark Connect.
        catalog: the name of a catalog of logs.
        folder: the folder of the catalog.
        count: how many statements.
        seed: what they are drawn with.
        ranges: between how many pairs of versions the changes are compared.
    """
    draw = random.Random(seed)
    name = f"random{seed}"
    table, other = f"{catalog}.{name}", f"{catalog}.{name}_other"
    others = State(draw.sample(UNIVERSE, 15))
    spark.sql(f"CREATE TABLE {table}")
    spark.sql(f"CREATE TABLE {other}")
    spark.sql(f"INSERT INTO {other} VALUES {values(others)}")
    generator = Generator(spark, table, other, others, draw)
    log = Log(folder / name)
    first = generator.insert([State()])
    first.run()
    states = [first.after]
    for number in range(count):
        operation = generator.operation(states)
        try:
            operation.run()
        except Exception as error:
            raise AssertionError(f"seed {seed}, {number}: {operation.text}") from error
        if operation.after != states[-1]:
            states.append(operation.after)
        found = state_of(log.state_at())
        assert found == states[-1], (seed, number, operation.text, states[-2:])
        assert (len(log.versions()), log.verify()) == (len(states), []), operation.text
        if draw.random() < 0.03:
            log.compact()
        if draw.random() < 0.03:
            log.optimize()
    check_patches(log, states)
    check_versions(spark, table, log, states)
    pairs = [(0, len(states) - 1)]
    for _ in range(ranges):
        before, after = sorted(draw.choices(range(len(states)), k=2))
        pairs.append((before, after))
    check_changes(spark, table, log, states, [*dict.fromkeys(pairs)])
    return states


def check_patches(log: Log[PatchRow], states: Sequence[State]) -> None:
    """Check that the patches are those that plain Python makes of the states."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in log.read():
        if row.op != "H":
            found.setdefault(row.patch or 0, []).append(row[:5])
    for number, (before, after) in enumerate(pairwise([State(), *states])):
        assert found[number] == [row[:5] for row in patches.diff(before, after)], number
    assert len(found) == len(states)


def check_versions(
    spark: SparkSession, table: str, log: Log[PatchRow], states: Sequence[State]
) -> None:
    """Check the states of all versions, in Spark and in plain Python."""
    each = f"SELECT {{0}} AS version, * FROM {table} VERSION AS OF {{0}}"
    for begin in range(0, len(states), UNION):
        numbers = range(begin, min(begin + UNION, len(states)))
        rows = spark.sql(" UNION ALL ".join(map(each.format, numbers))).collect()
        for number in numbers:
            found = [tuple(row)[1:] for row in rows if row.version == number]
            assert (len(found), State(found)) == (len(states[number]), states[number]), number
            assert state_of(log.state_at(number)) == states[number]


def check_changes(
    spark: SparkSession,
    table: str,
    log: Log[PatchRow],
    states: Sequence[State],
    pairs: Sequence[tuple[int, int]],
) -> None:
    """Check the changes between versions, in plain Python, and in Spark if it can find them."""

    def between(before: int, after: int) -> set[tuple[Any, ...]]:
        gone, new = states[before] - states[after], states[after] - states[before]
        return {(*row, "delete") for row in gone} | {(*row, "insert") for row in new}

    each = [{(*row, n + 1) for row in between(n, n + 1)} for n in range(len(states) - 1)]
    kinds = {"A": "insert", "D": "delete"}
    for before, after in pairs:
        rows = [(*row[:4], kinds[row.change], row.log_seq) for row in log.changes(before, after)]
        assert sorted(rows, key=str) == sorted(set[Any]().union(*each[before:after]), key=str)
    if not hasattr(spark.read, "changes"):
        return

    def changes(mode: str, pair: tuple[int, int]) -> DataFrame:
        reader = spark.read.option("startingVersion", pair[0]).option("endingVersion", pair[1])
        reader = reader.option("startingBoundInclusive", False)
        frame: DataFrame = reader.option("deduplicationMode", mode).changes(table)
        version = "_commit_version" if mode == "none" else "NULL"
        columns = [*COLUMNS, "_change_type", f"CAST({version} AS BIGINT)"]
        return frame.selectExpr(f"'{pair}' AS pair", *columns)

    models: list[tuple[str, Callable[[int, int], set[Any]]]] = [
        ("none", lambda before, after: set[Any]().union(*each[before:after])),
        ("netChanges", lambda before, after: {(*row, None) for row in between(before, after)}),
    ]
    for mode, model in models:
        for begin in range(0, len(pairs), UNION):
            some = pairs[begin : begin + UNION]
            found = reduce(DataFrame.union, [changes(mode, pair) for pair in some]).collect()
            for pair in some:
                of_pair = [tuple(row)[1:] for row in found if row.pair == str(pair)]
                expected = model(*pair)
                assert sorted(of_pair, key=str) == sorted(expected, key=str), (mode, pair)
