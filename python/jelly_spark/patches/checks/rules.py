"""The rules that `validate` checks, and the findings that it returns.

`jelly_spark.patches` and `jelly_spark.algebra` share them. The regular expressions for the rules
about terms are in `jelly_spark.patches.checks.term_rules`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from jelly_spark.core.rows import PatchRow

Severity: TypeAlias = Literal["error", "warning"]
"""`error`: the rows violate RDF Patch or RDF 1.2. `warning`: they do not, but may be a mistake."""


class Rule(NamedTuple):
    """A rule that `validate` checks.

    Attributes:
        name: the name of the rule, in kebab case.
        severity: the severity of its findings.
        message: what is wrong; in rules about terms, `{column}` stands for the name of the column.
    """

    name: str
    severity: Severity
    message: str

    def text(self, value: str | None = None, *, column: str = "") -> str:
        """Return the message of a finding.

        Args:
            value: what breaks the rule; it follows the message after a colon.
            column: the name of the column, for a rule about terms.
        """
        message = self.message.format(column=column)
        return message if value is None else f"{message}: {value}"

    def finding(self, log_seq: int, row: PatchRow, message: str) -> Finding:
        """Return the finding for a row that breaks this rule.

        Args:
            log_seq: the 0-based position of the patch in the log.
            row: the row.
            message: the message, as `text` returns it.
        """
        return Finding(self.name, self.severity, None, log_seq, row.patch, row.tx, row.seq, message)


class Finding(NamedTuple):
    """A violation of a rule, with the row that it is found at.

    If a whole patch breaks the rule, that row is the header at fault, or the patch's first row.

    Attributes:
        rule: the name of the rule.
        severity: `error` or `warning`.
        file: the file of the row; always None in plain Python, where rows do not have it.
        log_seq: the 0-based position of the patch among those given.
        patch: `patch` of the row.
        tx: `tx` of the row.
        seq: `seq` of the row.
        message: what is wrong, and the value that breaks the rule.
    """

    rule: str
    severity: Severity
    file: str | None
    log_seq: int
    patch: int | None
    tx: int | None
    seq: int | None
    message: str


# Transactions. Each must end in its patch (Jelly-Patch, "Transactions"). Found at the row itself.

NESTED_TRANSACTION = Rule(
    "nested-transaction", "error", "TX before the TC or TA of the transaction before it"
)
END_WITHOUT_BEGIN = Rule("end-without-begin", "error", "TC or TA without an open transaction")
OPEN_TRANSACTION = Rule(
    "open-transaction", "error", "the transaction has no TC or TA before its patch ends"
)
"""Found at a `TX` that no `TX`, `TC` or `TA` follows in its patch."""

# Headers (RDF Patch, "Structure"). Found at the header; the value is its key.

HEADER_ORDER = Rule("header-order", "error", "a header after rows that are not headers")
REPEATED_HEADER = Rule("repeated-header", "error", "the header is repeated")
"""Checked for `id` and `prev` only. The last one counts, as in Jena."""

# The chain of `id` and `prev`, checked if any patch of the log has one of them. Found at the wrong
# header; if it is missing, at the first row of the patch.

MISSING_ID = Rule("missing-id", "error", "the patch has no id, so that no patch can follow it")
DUPLICATE_ID = Rule("duplicate-id", "error", "an earlier patch has the same id")
MISSING_PREV = Rule(
    "missing-prev", "error", "the patch is not the first, but has no prev: the log has two roots"
)
UNKNOWN_PREV = Rule("unknown-prev", "error", "no patch of the log has the id that prev names")
"""The first patch is exempt: it may continue a log that begins elsewhere."""

PREV_ORDER = Rule(
    "prev-order",
    "error",
    "prev names this patch or a later one: the chain is a cycle or out of order",
)
FORK = Rule("fork", "error", "an earlier patch has the same prev")

# Effective changes that change nothing. Found at the row.

ADD_WITHOUT_EFFECT = Rule("add-without-effect", "warning", "the statement is already present")
DELETE_WITHOUT_EFFECT = Rule("delete-without-effect", "warning", "the statement is absent")

# Graphs.

GRAPH_IN_TRIPLES = Rule(
    "graph-in-triples",
    "warning",
    "the statements before have no graph: if they are triples, this one cannot follow",
)
"""Found at the first statement with a graph, if a statement without one comes before it.

A warning, because rows do not distinguish a triple from a quad in the default graph. Readers and
writers of triples refuse graphs in any case.
"""

# Terms that RDF 1.2 does not allow. Found at the row, for each column.

INVALID_SUBJECT = Rule(
    "invalid-subject", "error", "the {column} must be an IRI or a blank node, not a literal"
)
INVALID_PREDICATE = Rule("invalid-predicate", "error", "the {column} must be an IRI")
INVALID_GRAPH = Rule("invalid-graph", "error", "the {column} must be an IRI or a blank node")
TRIPLE_TERM_SUBJECT = Rule(
    "triple-term-subject",
    "warning",
    "the {column} has a triple term as a subject; RDF 1.2 allows triple terms only as objects",
)
"""A warning, because RDF-star allows it, and Jelly and RDF Patch can represent it."""

RELATIVE_IRI = Rule("relative-iri", "error", "the {column} has a relative IRI")
IRI_CHARACTERS = Rule(
    "iri-characters",
    "error",
    "the {column} has an IRI with a character that RFC 3987 does not allow there",
)
LANGUAGE_TAG = Rule("language-tag", "error", "the {column} has a malformed language tag")
MISSING_LANGUAGE_TAG = Rule(
    "missing-language-tag", "error", "the {column} is an rdf:langString without a language tag"
)
MISSING_DIRECTION = Rule(
    "missing-direction", "error", "the {column} is an rdf:dirLangString without a base direction"
)
LEXICAL_FORM = Rule(
    "lexical-form", "error", "the {column} has a lexical form that its datatype does not allow"
)

RULES: tuple[Rule, ...] = tuple(rule for rule in globals().values() if isinstance(rule, Rule))
"""All rules, in the order above, which is that of their findings at one row."""
