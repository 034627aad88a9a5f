"""The rows of patches and of RDF data, the codes of a patch's rows, and the ordinals they carry."""

from __future__ import annotations

import json
from typing import Literal, NamedTuple, TypeAlias, get_args

from jelly_spark.core.show import show
from jelly_spark.core.terms import Iri, parse_term
from jelly_spark.errors import UnwritableRowError

RowOp: TypeAlias = Literal["H", "TX", "TC", "TA", "PA", "PD", "A", "D", "END"]
"""The codes of RDF Patch's rows, and `END`, which closes a patch."""

OPS: tuple[RowOp, ...] = get_args(RowOp)
"""All of the codes."""

_SHOWN_CHARACTERS = 200


class PatchRow(NamedTuple):
    """One row of a patch; terms are strings in N-Triples syntax.

        PatchRow("A", "<urn:x:alice>", "<urn:x:name>", '"Alice"@en', graph="<urn:x:people>")
        PatchRow("H", name="id", value="<urn:uuid:1>")
        PatchRow("TX")

    Attributes:
        op: the row's code: `H` a header, `TX`, `TC`, `TA` the begin, commit and abort of a
            transaction, `PA`, `PD` a prefix that is added or deleted, `A`, `D` a statement that is,
            `END` the end of the patch.
        subject: of `A` and `D`.
        predicate: of `A` and `D`.
        object: of `A` and `D`.
        graph: of `A`, `D`, `PA`, `PD`; None is the default graph, in a stream of triples no graph.
        name: the key of `H`; the prefix, without its colon, of `PA` and `PD`.
        value: the term of `H`; the IRI of `PA`, and of `PD` where it has one, as a term `<...>`.
        patch: 0-based ordinal of the patch in its file.
        tx: 0-based ordinal of the transaction in its file, None outside one.
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
        subject: of a statement.
        predicate: of a statement.
        object: of a statement.
        graph: of a statement; None is the default graph, in a stream of triples no graph.
        name: of a namespace: its prefix without colon. A row that has a name is a namespace.
        value: of a namespace: its IRI, as a term `<...>`.
        frame: 0-based ordinal of the frame in its file.
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


# The codes of rows that count for the ordinals of others than `seq`.
_MARKS = frozenset(("TX", "TC", "TA", "END"))


class RowNumbering:
    """Gives the rows of a patch file their ordinals, in the order that they come.

    Args and attributes:
        rows: how many rows there were so far.
        patches: how many of their patches are closed.
        transactions: how many transactions have begun.
        in_transaction: whether the last row numbered left a transaction open.
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
        # Of a row that is no mark.
        self._tx = transactions - 1 if in_transaction else None

    def number(self, op: str) -> tuple[int, int | None, int]:
        """Return (patch, tx, seq) of the next row, whose code is `op`.

        `END` carries the patch that it closes, `TC` and `TA` the transaction that they close.
        A `TX` inside a transaction starts the next one; `END` closes none.
        """
        patch = self.patches
        seq = self.rows
        self.rows = seq + 1
        if op in _MARKS:
            return patch, self._number_mark(op), seq
        return patch, self._tx, seq

    def _number_mark(self, op: str) -> int | None:
        if op == "TX":
            self._tx = self.transactions
            self.transactions += 1
            self.in_transaction = True
        tx = self._tx
        if op == "TC" or op == "TA":
            self._tx = None
            self.in_transaction = False
        elif op == "END":
            self.patches += 1
        return tx


OP_RULE = f"op must be one of: {', '.join(OPS)}"
"""The rule that a row with an unknown op breaks."""

NAMESPACE_RULE = "the value of PA and PD must be an IRI"
"""The rule that a row breaks whose value is another term."""

GRAPH_RULE = "a graph cannot be a quoted triple"
"""The rule that a row breaks whose graph is a quoted triple, in a format that cannot hold it."""


def statement_columns(row: PatchRow) -> tuple[str, str, str, str | None]:
    """Return the subject, predicate, object and graph of an `A` or `D` that is written.

    Raises:
        UnwritableRowError: one that it needs is missing.
    """
    _, subject, predicate, obj, graph, *_ = row
    if subject is None or predicate is None or obj is None:
        raise UnwritableRowError("A and D need a subject, a predicate and an object")
    return subject, predicate, obj, graph


def prefix_columns(row: PatchRow) -> tuple[str, str | None, str | None]:
    """Return the name, value and graph of a `PA` or `PD` that is written; only `PD` has no value.

    Raises:
        UnwritableRowError: one that it needs is missing.
    """
    if row.name is None:
        raise UnwritableRowError("PA and PD need a name")
    check_name(row.name)
    if row.value is None and row.op == "PA":
        raise UnwritableRowError("PA needs a value")
    return row.name, row.value, row.graph


def added_prefix(row: PatchRow) -> tuple[str, str, str | None]:
    """Return the name, IRI, without brackets or escapes, and graph of a `PA` that is written.

    Raises:
        InvalidTermError: the value is no term.
        UnwritableRowError: one that it needs is missing, or the value is no IRI.
    """
    name, value, graph = prefix_columns(row)
    iri = parse_term("" if value is None else value)
    if not isinstance(iri, Iri):
        raise UnwritableRowError(NAMESPACE_RULE)
    return name, iri.value, graph


def deleted_prefix(row: PatchRow) -> tuple[str, str | None]:
    """Return the name and graph of a `PD` that is written in a format where it has no value.

    Raises:
        UnwritableRowError: it has one, or misses its name.
    """
    name, value, graph = prefix_columns(row)
    if value is not None:
        raise UnwritableRowError("the value of PD must be null in this format")
    return name, graph


def header_columns(row: PatchRow) -> tuple[str, str]:
    """Return the name and value of an `H` that is written.

    Raises:
        UnwritableRowError: one of them is missing.
    """
    if row.name is None or row.value is None:
        raise UnwritableRowError("H needs a name and a value")
    check_name(row.name)
    return row.name, row.value


def encode_text(text: str, what: str) -> bytes:
    """Return a text that is written, in UTF-8.

    Raises:
        UnwritableRowError: UTF-8 cannot hold it; the rule begins with `what`, which it is.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UnwritableRowError(
            f"{what} must not hold a lone surrogate, which UTF-8 cannot encode"
        ) from None


_NUMBERS = frozenset(("patch", "tx", "frame", "seq"))


def check_row(row: object, kind: type[AnyRow]) -> None:
    """Check that a row is of its format's class, and each column of its type.

    Writers call it where one of their own checks fails: it takes longer than they do.

    Raises:
        UnwritableRowError: it is not.
    """
    if not isinstance(row, kind):
        raise UnwritableRowError(f"a row must be a {kind.__name__}, not {type(row).__name__}")
    for column, value in zip(kind._fields, row, strict=True):
        if column == "op":
            if not isinstance(value, str) or value not in OPS:
                raise UnwritableRowError(OP_RULE)
        elif value is None:
            continue
        elif column in _NUMBERS:
            if isinstance(value, bool) or not isinstance(value, int):
                raise UnwritableRowError(
                    f"{column} must be a whole number, not {type(value).__name__}"
                )
            check_ordinal(column, value)
        elif not isinstance(value, str):
            raise UnwritableRowError(f"{column} must be a string, not {type(value).__name__}")


def check_ordinal(column: str, value: int) -> None:
    """Check that an ordinal fits its column, which has 64 bits in Spark.

    Raises:
        UnwritableRowError: it does not.
    """
    if not _fits(value):
        raise UnwritableRowError(f"{column} must be a whole number of 64 bits, with its sign")


def is_ordinal(value: object) -> bool:
    """Whether a value is an ordinal or None; `check_row` decides about others, such as negatives.

    Shifting an int by 63 bits gives 0 where it is from 0 to 2^63 - 1.
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


def describe_row(row: object) -> str:
    """Return a row as compact JSON without its Nones, long values cut, for messages.

    For an object that is not a row, return its `repr`.
    """
    if not isinstance(row, (PatchRow, RdfRow)):
        return _shorten(_repr(row))
    columns = {
        column: value if type(value) is int and _fits(value) else _shorten(_text(value))
        for column, value in zip(row._fields, row, strict=False)
        if value is not None
    }
    text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
    return _printable(text)


def _text(value: object) -> str:
    return value if isinstance(value, str) else _repr(value)


def _repr(value: object) -> str:
    return _printable(show(value))


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


def _printable(text: str) -> str:
    # A lone surrogate could be printed nowhere.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
