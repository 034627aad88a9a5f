"""The rows of patches and of RDF data, their ordinals, and checks of their columns."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from jelly_spark.core.show import show
from jelly_spark.core.terms import JENA_DEFAULT_GRAPHS, Iri, Term, parse_term
from jelly_spark.errors import InvalidTermError, UnwritableRowError

RowOp: TypeAlias = Literal["H", "TX", "TC", "TA", "PA", "PD", "A", "D", "END"]
"""The row codes of RDF Patch, and `END`, which ends a patch."""

OPS: tuple[RowOp, ...] = get_args(RowOp)
"""All row codes."""

ORDINALS: Final = frozenset(("patch", "tx", "frame", "seq"))
"""The columns that hold numbers; all others hold strings."""

MOST_SKIPPED_FRAMES: Final = 10_000_000
"""The largest step from the `frame` of a row to that of the next, where each frame that is skipped
takes a line or a patch."""

TERMS: Final = frozenset(("subject", "predicate", "object", "graph", "value"))
"""The columns that hold terms."""

NAMESPACE_COLUMNS: Final = frozenset(("name", "value"))
"""The columns that only namespaces have in RDF data."""

_SHOWN_CHARACTERS: Final = 200


class PatchRow(NamedTuple):
    """One row of a patch; terms are strings in N-Triples syntax.

        PatchRow("A", "<urn:x:alice>", "<urn:x:name>", '"Alice"@en', graph="<urn:x:people>")
        PatchRow("H", name="id", value="<urn:uuid:1>")
        PatchRow("TX")

    Attributes:
        op: the row code: `H` for a header; `TX`, `TC` and `TA` for the begin, commit and abort of a
            transaction; `PA` and `PD` for adding and deleting a prefix; `A` and `D` for adding and
            deleting a statement; `END` for the end of a patch.
        subject: the subject of an `A` or `D`.
        predicate: the predicate of an `A` or `D`.
        object: the object of an `A` or `D`.
        graph: the graph of an `A`, `D`, `PA` or `PD`; None for the default graph, and in a stream
            of triples.
        name: the key of an `H`; the prefix of a `PA` or `PD`, without its colon.
        value: the value of an `H`, a term; the IRI of a `PA`, as a term `<...>`; the same of a
            `PD`, if it has one.
        patch: 0-based ordinal of the patch in its file.
        tx: 0-based ordinal of the transaction in its file; None outside of transactions.
        seq: 0-based ordinal of the row in its file.
    """

    op: RowOp
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    graph: str | None = None
    name: str | None = None
    value: str | None = None
    patch: int | None = None
    tx: int | None = None
    seq: int | None = None


class RdfRow(NamedTuple):
    """One row of RDF data: a statement, or a namespace; terms are strings in N-Triples syntax.

        RdfRow("<urn:x:alice>", "<urn:x:name>", '"Alice"@en')
        RdfRow(name="ex", value="<http://example.org/>")

    Attributes:
        subject: the subject of a statement.
        predicate: the predicate of a statement.
        object: the object of a statement.
        graph: the graph of a statement; None for the default graph, and in a stream of triples.
        name: the prefix of a namespace, without its colon. A row that has a name is a namespace.
        value: the IRI of a namespace, as a term `<...>`.
        frame: 0-based ordinal of the frame in its file, or of the message in N-Triples and N-Quads
            with messages; None in other files.
        seq: 0-based ordinal of the row in its file.
    """

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    graph: str | None = None
    name: str | None = None
    value: str | None = None
    frame: int | None = None
    seq: int | None = None


AnyRow: TypeAlias = PatchRow | RdfRow

StatementTuple: TypeAlias = tuple[str, str, str] | tuple[str, str, str, str | None]
"""A statement as a tuple of its terms, such as a `Statement`; without a graph, or with None, it is
in the default graph."""


MARKS: Final = frozenset(("TX", "TC", "TA", "END"))
"""The codes of rows that change `patch` or `tx`."""


class RowNumbering:
    """Numbers the rows of a patch file, in order.

    Args and attributes:
        rows: the number of rows so far.
        patches: the number of patches that have ended.
        transactions: the number of transactions that have begun.
        in_transaction: whether a transaction is open after the last row.
    """

    __slots__ = ("_tx", "in_transaction", "patches", "rows", "transactions")

    def __init__(
        self,
        rows: int = 0,
        patches: int = 0,
        transactions: int = 0,
        in_transaction: bool = False,
    ) -> None:
        self.rows = rows
        self.patches = patches
        self.transactions = transactions
        self.in_transaction = in_transaction
        # `tx` of the next row, unless that begins or ends a transaction.
        self._tx = transactions - 1 if in_transaction else None

    def number(self, op: str) -> tuple[int, int | None, int]:
        """Return `patch`, `tx` and `seq` of the next row, given its code.

        An `END` belongs to the patch that it ends, and a `TC` or `TA` to the transaction that it
        ends. A `TX` inside a transaction begins the next one. A transaction that is still open at
        an `END` ends there, because a transaction is part of one patch (Jelly-Patch,
        "Transactions").
        """
        patch = self.patches
        seq = self.rows
        self.rows = seq + 1
        if op in MARKS:
            return patch, self._number_mark(op), seq
        return patch, self._tx, seq

    def number_statements(self, count: int) -> tuple[int, int | None]:
        """Return `patch` and `tx` of the next rows, all of them statements; their `seq` counts up.

        Args:
            count: the number of the statements.
        """
        self.rows += count
        return self.patches, self._tx

    def _number_mark(self, op: str) -> int | None:
        if op == "TX":
            self._tx = self.transactions
            self.transactions += 1
            self.in_transaction = True
            return self._tx
        tx = self._tx
        self.end_transaction()
        if op == "END":
            self.patches += 1
        return tx

    def end_transaction(self) -> None:
        """End the open transaction, if there is one."""
        self._tx = None
        self.in_transaction = False


OP_RULE: Final = f"op must be one of: {', '.join(OPS)}"
"""The rule against unknown row codes."""

NAMESPACE_RULE: Final = "the value of PA and PD must be an IRI"
"""The rule against another term as the value of a prefix."""

GRAPH_RULE: Final = "a graph cannot be a triple term"
"""The rule against a triple term as a graph, in formats that cannot hold it."""

JENA_GRAPH_RULE: Final = (
    f"a graph cannot be {' or '.join(sorted(JENA_DEFAULT_GRAPHS))}, which this format reads as the "
    "default graph: use null for the default graph"
)
"""The rule against Jena's names of the default graph, in formats whose readers know them."""


def statement_columns(row: PatchRow) -> tuple[str, str, str, str | None]:
    """Return the subject, predicate, object and graph of an `A` or `D`.

    Raises:
        UnwritableRowError: the subject, the predicate or the object is missing.
    """
    _, subject, predicate, obj, graph, *_ = row
    if subject is None or predicate is None or obj is None:
        raise UnwritableRowError("A and D need a subject, a predicate and an object")
    return subject, predicate, obj, graph


def triple_columns(row: RdfRow) -> tuple[str, str, str]:
    """Return the subject, predicate and object of a statement.

    Raises:
        UnwritableRowError: one of them is missing.
    """
    subject, predicate, obj, _, _, _, _, _ = row
    if subject is None or predicate is None or obj is None:
        raise UnwritableRowError("a statement needs a subject, a predicate and an object")
    return subject, predicate, obj


def prefix_columns(row: PatchRow) -> tuple[str, str | None, str | None]:
    """Return the name, value and graph of a `PA` or `PD`; the value of a `PD` may be None.

    Raises:
        UnwritableRowError: the name or the value of a `PA`, or the name of a `PD`, is missing.
    """
    if row.name is None:
        raise UnwritableRowError("PA and PD need a name")
    check_name(row.name)
    if row.value is None and row.op == "PA":
        raise UnwritableRowError("PA needs a value")
    return row.name, row.value, row.graph


def added_prefix(row: PatchRow) -> tuple[str, str, str | None]:
    """Return the name, the IRI (without brackets and escapes) and the graph of a `PA`.

    Raises:
        InvalidTermError: the value is not a term.
        UnwritableRowError: the name or the value is missing, or the value is not an IRI.
    """
    name, value, graph = prefix_columns(row)
    iri = parse_term("" if value is None else value)
    if not isinstance(iri, Iri):
        raise UnwritableRowError(NAMESPACE_RULE)
    return name, iri.value, graph


def deleted_prefix(row: PatchRow) -> tuple[str, str | None]:
    """Return the name and graph of a `PD`, for formats in which it has no value.

    Raises:
        UnwritableRowError: the name is missing, or there is a value.
    """
    name, value, graph = prefix_columns(row)
    if value is not None:
        raise UnwritableRowError("the value of PD must be null in this format")
    return name, graph


def without_deleted_iri(row: PatchRow) -> PatchRow:
    """Return a row as RDF Patch can hold it: a `PD` without the IRI of the prefix."""
    return row._replace(value=None) if row.op == "PD" else row


def header_columns(row: PatchRow) -> tuple[str, str]:
    """Return the name and value of an `H`.

    Raises:
        UnwritableRowError: one of them is missing.
    """
    if row.name is None or row.value is None:
        raise UnwritableRowError("H needs a name and a value")
    check_name(row.name)
    return row.name, row.value


def check_jena_graph(graph: Term) -> None:
    """Check that a graph is not one of Jena's names of the default graph.

    Raises:
        UnwritableRowError: it is.
    """
    # Neither of the IRIs has a character to escape.
    if isinstance(graph, Iri) and f"<{graph.value}>" in JENA_DEFAULT_GRAPHS:
        raise UnwritableRowError(JENA_GRAPH_RULE)


def encode_text(text: str, what: str) -> bytes:
    """Encode a text in UTF-8.

    Args:
        text: the text.
        what: what the text is, for the error message, such as "a name".

    Raises:
        UnwritableRowError: the text holds a lone surrogate.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UnwritableRowError(
            f"{what} must not hold a lone surrogate, which UTF-8 cannot encode"
        ) from None


def check_row(row: object, kind: type[AnyRow]) -> None:
    """Check that a row has the class of its format, and that each column has its type.

    This is slow. Writers call it only after one of their own, faster checks has failed.

    Args:
        row: the row.
        kind: the class of the format's rows.

    Raises:
        UnwritableRowError: the row has another class, or a column has another type or value.
    """
    if not isinstance(row, kind):
        raise UnwritableRowError(f"a row must be a {kind.__name__}, not {type(row).__name__}")
    for column, value in zip(kind._fields, row, strict=True):
        if column == "op":
            if not isinstance(value, str) or value not in OPS:
                raise UnwritableRowError(OP_RULE)
        elif value is None:
            continue
        elif column in ORDINALS:
            if isinstance(value, bool) or not isinstance(value, int):
                raise UnwritableRowError(
                    f"{column} must be a whole number, not {type(value).__name__}"
                )
            check_ordinal(column, value)
        elif not isinstance(value, str):
            raise UnwritableRowError(f"{column} must be a string, not {type(value).__name__}")


def as_row(row: object, kind: type[AnyRow]) -> Any:
    """Return a row of a format's class: the given one, or one for a tuple that is a statement.

    The fields of a named tuple, or of a row of Spark, must be the columns of a statement.

    Raises:
        UnwritableRowError: it is something else; or it is a row of this class, and a column has a
            wrong type.
    """
    if kind is RdfRow and isinstance(row, tuple) and len(row) in (3, 4):
        names = getattr(row, "_fields", None) or getattr(row, "__fields__", None)
        if names is None or tuple(names) == RdfRow._fields[: len(row)]:
            if not are_terms(*row):
                raise UnwritableRowError(not_terms(row))
            return RdfRow(*row)
    check_row(row, kind)
    return row


def are_terms(subject: object, predicate: object, obj: object, graph: object = None) -> bool:
    """Return whether the terms of a statement are of type str, not of a class that extends it.

    Such a class is one of rdflib, whose literal `<urn:x>` would be taken for an IRI.
    """
    return type(subject) is type(predicate) is type(obj) is str and (
        graph is None or type(graph) is str
    )


def not_terms(statement: Iterable[object]) -> str:
    """Return the message about a statement for which `are_terms` is false."""
    types = ", ".join(type(term).__name__ for term in statement)
    return (
        "the terms of a statement must be of type str, such as '<urn:x:a>' or '\"a\"', not "
        f"{types}: for statements of rdflib and pyoxigraph, jelly_spark.integrations has the "
        "function rows"
    )


def check_ordinal(column: str, value: int) -> None:
    """Check that an ordinal fits a signed 64-bit integer, the type of its column in Spark.

    Raises:
        UnwritableRowError: it does not.
    """
    if not _fits(value):
        raise UnwritableRowError(f"{column} must be a whole number of 64 bits, with its sign")


def is_ordinal(value: object) -> bool:
    """Return whether a value is None or an int from 0 to 2^63 - 1.

    `check_row` decides about other values, such as negative numbers. The test is that shifting an
    int right by 63 bits gives 0, which is so exactly in this range.
    """
    return value is None or (type(value) is int and not value >> 63)


def _fits(value: int) -> bool:
    return -1 << 63 <= value < 1 << 63


def check_name(name: object) -> None:
    """Check that the name of a header, a prefix or a namespace is a string.

    Raises:
        UnwritableRowError: it is not.
    """
    if not isinstance(name, str):
        raise UnwritableRowError(f"name must be a string, not {type(name).__name__}")


def unwritable(error: InvalidTermError | UnwritableRowError, row: object) -> UnwritableRowError:
    """Return the error for a row, given the one for what is wrong in it."""
    return UnwritableRowError(str(error), describe_row(row))


def describe_row(row: object) -> str:
    """Return a row as compact JSON for error messages, with long values cut and without Nones.

    For an object that is not a row, return its `repr`.
    """
    if not isinstance(row, (PatchRow, RdfRow)):
        return _shorten(_printable(show(row)))
    columns = {
        column: value if type(value) is int and _fits(value) else _shorten(_text(value))
        for column, value in zip(row._fields, row, strict=False)
        if value is not None
    }
    text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
    return _printable(text)


def _text(value: object) -> str:
    return value if isinstance(value, str) else _printable(show(value))


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


def _printable(text: str) -> str:
    # A lone surrogate cannot be printed, because no output stream can encode it.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
