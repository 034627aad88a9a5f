"""Random states and logs."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from jelly_spark.codec import PatchRow
from tests.algebra.engines import Prefixes, StatementTuple
from tests.numbering import numbered

# Few terms of each kind, so that statements repeat. In UTF-16, U+1D11E is before U+FF5E.
SUBJECTS = ("<urn:x:a>", "<urn:x:\uff5e>", "_:b", "<_:b c>", "<<( <urn:x:a> <urn:x:p> _:b )>>")
PREDICATES = ("<urn:x:p>", "<urn:x:\U0001d11e>")
OBJECTS = (
    '"1"',
    '"1"@en',
    '"1"@EN',
    '"\U0001d11e\\n"',
    '"1"^^<http://www.w3.org/2001/XMLSchema#int>',
    "_:b",
)
GRAPHS = (None, None, "<urn:x:g>", "_:b")

statements: st.SearchStrategy[StatementTuple] = st.tuples(
    st.sampled_from(SUBJECTS[:3]),
    st.sampled_from(PREDICATES),
    st.sampled_from(OBJECTS[:3]),
    st.sampled_from(GRAPHS),
) | st.tuples(
    st.sampled_from(SUBJECTS),
    st.sampled_from(PREDICATES),
    st.sampled_from(OBJECTS + SUBJECTS[-1:]),
    st.sampled_from(GRAPHS),
)

states: st.SearchStrategy[list[StatementTuple]] = st.lists(statements, max_size=8)
"""States, with duplicates."""

_keys = st.tuples(st.sampled_from(GRAPHS), st.sampled_from(["", "a", "b"]))
_iris = st.sampled_from(["<urn:x:1>", "<urn:x:2>"])

prefixes: st.SearchStrategy[Prefixes] = st.dictionaries(_keys, _iris, max_size=4)

_statement_changes = st.builds(
    lambda op, statement: PatchRow(op, *statement), st.sampled_from(["A", "D"]), statements
)
_prefix_changes = st.builds(
    lambda key, iri: PatchRow("PA", graph=key[0], name=key[1], value=iri), _keys, _iris
) | st.builds(
    lambda key, iri: PatchRow("PD", graph=key[0], name=key[1], value=iri),
    _keys,
    st.none() | _iris,
)
_changes = st.lists(
    st.one_of(_statement_changes, _statement_changes, _statement_changes, _prefix_changes),
    max_size=5,
)
_IDS = tuple(f"<urn:uuid:{n}>" for n in range(4))


@dataclass(frozen=True)
class _Patch:
    """A patch: its headers, and runs of rows, each with how it ends."""

    headers: list[tuple[str, str]]
    runs: list[tuple[str, list[PatchRow]]]

    def rows(self) -> list[PatchRow]:
        found = [PatchRow("H", name=name, value=value) for name, value in self.headers]
        for end, rows in self.runs:
            found += rows if end == "" else [PatchRow("TX"), *rows, PatchRow(end)]  # type: ignore[arg-type]
        return found


_patches = st.builds(
    _Patch,
    st.lists(st.tuples(st.sampled_from(["id", "prev", "x"]), st.sampled_from(_IDS)), max_size=3),
    st.lists(st.tuples(st.sampled_from(["TC", "TC", "TA", ""]), _changes), max_size=3),
)


@st.composite
def logs(draw: st.DrawFn, max_patches: int = 4) -> list[PatchRow]:
    """Logs of several patches, each but the last with its `END`."""
    patches = draw(st.lists(_patches, max_size=max_patches))
    rows: list[PatchRow] = []
    for at, patch in enumerate(patches):
        rows += [PatchRow("END")] if at else []
        rows += patch.rows()
    return numbered(rows)
