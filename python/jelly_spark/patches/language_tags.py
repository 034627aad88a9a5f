"""Language tags in comparisons: as written, or without regard to case, as RDF 1.2 compares them.

Only comparing ignores case: statements and rows keep their tags as written. A row of a patch that
changes a statement of the state is given the tags that the state has. So everything after that
compares exactly, and a patch is right for stores that compare exactly, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Literal, TypeAlias, get_args

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.patches.statements import Statement, by_terms, statement_of

LanguageTags: TypeAlias = Literal["exact", "ignore-case"]
"""How language tags are compared: as written, or without regard to case."""

# A whole literal, so that none begins at the closing quote of another; the group is its tag.
_LITERAL = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")(@[A-Za-z0-9-]+)?', re.DOTALL)


def check_language_tags(language_tags: LanguageTags) -> None:
    """Raise an OptionError for a value that `language_tags` cannot have."""
    if language_tags not in get_args(LanguageTags):
        raise OptionError(
            f"language_tags must be one of: exact, ignore-case; not {language_tags!r}"
        )


def statement_key(statement: Statement) -> Statement:
    """Return a statement with its language tags in lower case, also those in triple terms."""
    subject, predicate, obj, graph = (
        _folded(term) if term is not None and '"@' in term else term for term in statement
    )
    return Statement(subject or "", predicate or "", obj or "", graph)


def _folded(term: str) -> str:
    return _LITERAL.sub(lambda match: match[1] + (match[2] or "").lower(), term)


def with_tags_of(before: Set[Statement], after: Iterable[Statement]) -> set[Statement]:
    """Return a state with the tags of the state before, in statements that this one has.

    Of new statements that differ only in the case of tags, the first by code point is kept.
    """
    forms = Forms(before)
    found: set[Statement] = set()
    for statement in sorted(after, key=by_terms):
        found.update(forms.add(statement))
    return found


class Forms:
    """The statements of a state by what they are without regard to case.

    Args:
        statements: the statements. Some may differ only in the case of tags.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        self._forms: dict[Statement, list[Statement]] = {}
        for statement in statements:
            self._forms.setdefault(statement_key(statement), []).append(statement)

    def add(self, statement: Statement) -> list[Statement]:
        """Return the forms in which the state has a statement, after adding it if it has none."""
        return self._forms.setdefault(statement_key(statement), [statement])

    def remove(self, statement: Statement) -> list[Statement]:
        """Remove a statement, and return the forms in which the state had it; or else its own."""
        return self._forms.pop(statement_key(statement), [statement])

    def align(self, changes: Iterable[PatchRow]) -> Iterator[PatchRow]:
        """Yield effective changes with the tags that the state has at each of them.

        A delete becomes several if the state has the statement in several forms.
        """
        for row in changes:
            if row.op == "A":
                forms = [min(self.add(statement_of(row)), key=by_terms)]
            elif row.op == "D":
                forms = sorted(self.remove(statement_of(row)), key=by_terms)
            else:
                yield row
                continue
            for subject, predicate, obj, graph in forms:
                yield row._replace(subject=subject, predicate=predicate, object=obj, graph=graph)


Align: TypeAlias = Callable[[Iterable[PatchRow]], Iterable[PatchRow]]
"""Returns effective changes with the tags that the state has at each of them."""


def aligner(language_tags: LanguageTags, statements: Iterable[Statement]) -> Align:
    """Return the function that aligns the changes of one patch after the other.

    Args:
        language_tags: how tags are compared; if exactly, changes stay as they are.
        statements: the statements before the patches.

    Raises:
        OptionError: `language_tags` is not one of its values.
    """
    check_language_tags(language_tags)
    return Forms(statements).align if language_tags == "ignore-case" else _unchanged


def _unchanged(changes: Iterable[PatchRow]) -> Iterable[PatchRow]:
    return changes
