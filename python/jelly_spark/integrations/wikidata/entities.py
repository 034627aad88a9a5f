"""The statements of a state, by entity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeVar

from jelly_spark.patches import Statement

ABOUT = "<http://schema.org/about>"
"""The predicate from the article of a sitelink to the entity."""

IS_PART_OF = "<http://schema.org/isPartOf>"
"""The predicate from the article of a sitelink to the site."""

_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_ARTICLE = "<http://schema.org/Article>"

T = TypeVar("T")


class Entities:
    """A state whose statements are found by entity. It is held in memory.

    Args:
        statements: the state.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        self._by_subject: defaultdict[str, set[Statement]] = defaultdict(set)
        self._articles: defaultdict[str, set[str]] = defaultdict(set)
        self.add(statements)

    def __contains__(self, statement: Statement) -> bool:
        return statement in self._by_subject.get(statement.subject, ())

    def add(self, statements: Iterable[Statement]) -> None:
        """Add statements that may be there."""
        for statement in statements:
            self._by_subject[statement.subject].add(statement)
            if statement.predicate == ABOUT:
                self._articles[statement.object].add(statement.subject)

    def remove(self, statements: Iterable[Statement]) -> None:
        """Remove statements that are there."""
        for statement in statements:
            _remove(self._by_subject, statement.subject, statement)
            if statement.predicate == ABOUT:
                _remove(self._articles, statement.object, statement.subject)

    def statements_of(self, domain: str, entity: str) -> set[Statement]:
        """Return what is said of an entity, and goes with it.

        That is: the statements about the entity, its statement nodes, its forms and senses, and
        the articles of its sitelinks, unless they are about another entity, too. References and
        values are not part of it, because others may use them.

        Args:
            domain: the host of the Wikibase.
            entity: the id of the entity.
        """
        # The scheme is part of the configuration of a Wikibase: http in Wikidata, https in Commons.
        bases = [f"<{scheme}://{domain}/entity/" for scheme in ("http", "https")]
        nodes = [f"{base}{entity}>" for base in bases]
        # The id of a statement begins with that of its entity, in lower case in old data. Another
        # statement node is only a value, which does not go with the entity.
        starts = (entity, f"statement/{entity}", f"statement/{entity.lower()}")
        own = tuple(f"{base}{start}-" for base in bases for start in starts)
        found: set[Statement] = set()
        seen = set(nodes)
        for node in nodes:
            found.update(self._articles_of(node))
        while nodes:
            statements = self._by_subject.get(nodes.pop(), set())
            found |= statements
            parts = {each.object for each in statements if each.object.startswith(own)} - seen
            seen |= parts
            nodes += parts
        return found

    def other_subjects(self, article: str, deleted: Iterable[Statement]) -> set[str]:
        """Return what an article is about, besides the statements that are deleted."""
        statements = self._by_subject.get(article, set()).difference(deleted)
        return {each.object for each in statements if each.predicate == ABOUT}

    def _articles_of(self, node: str) -> Iterator[Statement]:
        for article in self._articles.get(node, ()):
            about = Statement(article, ABOUT, node)
            if self.other_subjects(article, [about]):
                yield about
            else:
                yield from self._by_subject[article]


def _remove(sets: dict[str, set[T]], key: str, value: T) -> None:
    """Remove a value from a set, and the set if it is empty."""
    found = sets[key]
    found.remove(value)
    if not found:
        del sets[key]


def articles(statements: Iterable[Statement]) -> set[str]:
    """Return the subjects that are articles of sitelinks."""
    return {each.subject for each in statements if each[1:3] == (_TYPE, _ARTICLE)}
