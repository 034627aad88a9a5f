"""Archives in the shape of those of BEAR, a benchmark for archives of RDF, made without its data.

The versions are those of an encyclopedia like DBpedia. A page has triples with some frequent
predicates and many rare ones: links, categories, types, properties, texts in several languages, and
facts about its last revision. From each version to the next, some pages are edited, a few of them
very often. An edit replaces the facts about the revision, replaces the objects of other triples,
adds and deletes triples, and restores some that were deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import NamedTuple, TypeAlias

from benchmarks.data.versions import id_of
from jelly_spark import patches as algebra
from jelly_spark.codec import PatchRow

SUBJECT = "<http://dbpedia.org/resource/Main_Page>"
"""The page that is edited most often."""

PREDICATE = "<http://purl.org/dc/terms/subject>"
"""A predicate that a twentieth of the triples have."""

_ONTOLOGY = "http://dbpedia.org/ontology/"
_RESOURCE = "http://dbpedia.org/resource/"
_XSD = "http://www.w3.org/2001/XMLSchema#"

_LINK = f"<{_ONTOLOGY}wikiPageWikiLink>"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_SAME = "<http://www.w3.org/2002/07/owl#sameAs>"
_EXTERNAL = f"<{_ONTOLOGY}wikiPageExternalLink>"
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_COMMENT = "<http://www.w3.org/2000/01/rdf-schema#comment>"
_ABSTRACT = f"<{_ONTOLOGY}abstract>"

_SYLLABLES = (
    *("a", "an", "ar", "be", "ber", "chi", "da", "de", "el", "er", "fe", "ga", "gen", "ho", "in"),
    *("is", "ka", "la", "len", "ma", "men", "mi", "na", "no", "o", "ou", "pe", "ra", "ri", "sa"),
    *("se", "ston", "ta", "ter", "the", "ti", "tu", "u", "va", "ve", "wa", "é", "ö", "ž"),
)
_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "ru", "sv", "ja", "zh")

_WORDS = 4_000
_PROPERTIES = 400
_STATEMENTS_OF_PAGE = 480

_SPREAD = 0.7
"""The standard deviation of the logarithm of a page's triples, and of a version's changes."""

_EDITED = 12
"""The mean number of triples that an edit changes, besides the facts about the revision."""

_RESTORABLE = 40
"""The number of deleted triples of a page that can be restored."""


_RECENT = 200
"""The number of titles that what is said next often refers to again."""


@dataclass(frozen=True)
class Shape:
    """The sizes of an archive.

    Attributes:
        name: the name of the archive.
        versions: the number of versions.
        statements: the approximate number of statements of a version.
        changes: the mean number of statements that are added or deleted from a version to the next.
    """

    name: str
    versions: int
    statements: int
    changes: int

    def scaled(self, scale: float) -> Shape:
        """Return the shape with other sizes: these times a factor, at least 3 versions."""
        return Shape(
            self.name,
            max(3, round(self.versions * scale)),
            round(self.statements * scale),
            round(self.changes * scale),
        )


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("hourly", 1_299, 48_000, 300),
        Shape("daily", 89, 48_000, 3_000),
        Shape("big", 10, 5_000_000, 500_000),
    )
}
"""The archives by name: the hourly and the daily one of BEAR-B, and one of few large versions."""


def patches(shape: Shape, seed: int = 1) -> Iterator[list[PatchRow]]:
    """Yield the canonical patches of an archive, the first of which adds all pages.

    Args:
        shape: the sizes of the archive.
        seed: selects an archive. The same shape and seed always give the same rows.
    """
    encyclopedia = _Encyclopedia(Random(seed), shape.statements)
    for version in range(shape.versions):
        prev = None
        if version > 0:
            prev = id_of(version - 1)
            encyclopedia.edit(shape.changes)
        deleted, added = encyclopedia.take_changes()
        yield algebra.diff(deleted, added, id=id_of(version), prev=prev)


_Changes: TypeAlias = set[algebra.Statement]


class _Page(NamedTuple):
    """A page: its subject, its predicates with their objects, and those that were deleted last."""

    subject: str
    statements: list[tuple[str, str]]
    deleted: list[tuple[str, str]]


class _Encyclopedia:
    """The pages, and the changes since `take_changes` was last called."""

    def __init__(self, random: Random, statements: int) -> None:
        self._random = random
        self._things = _Things(random, statements)
        self._deleted: _Changes = set()
        self._added: _Changes = set()
        self._pages: list[_Page] = []
        left = statements
        while left > 0:
            page = self._add_page(min(left, self._about(_STATEMENTS_OF_PAGE)))
            left -= len(page.statements)
        # The n-th page is edited in proportion to 1/n.
        self._shares = [*accumulate(1 / rank for rank in range(1, len(self._pages) + 1))]

    def edit(self, changes: int) -> None:
        """Edit pages until there are about this many changes, more or fewer at random."""
        wanted = self._about(changes)
        while len(self._deleted) + len(self._added) < wanted:
            (page,) = self._random.choices(self._pages, cum_weights=self._shares)
            self._edit_page(page)

    def take_changes(self) -> tuple[_Changes, _Changes]:
        """Return the deleted and the added statements, and begin again without changes."""
        changes = self._deleted, self._added
        self._deleted, self._added = set(), set()
        return changes

    def _about(self, mean: int) -> int:
        """Return a random number with a log-normal distribution, at least 1."""
        return max(1, round(mean * self._random.lognormvariate(-(_SPREAD**2) / 2, _SPREAD)))

    def _add_page(self, size: int) -> _Page:
        subject = self._things.new_page() if self._pages else SUBJECT
        page = _Page(subject, [], [])
        self._pages.append(page)
        found = dict.fromkeys([*self._things.revision(subject), *self._things.statements(size)])
        for statement in found:
            self._add(page, statement)
        return page

    def _edit_page(self, page: _Page) -> None:
        random, there = self._random, set(page.statements)
        facts = self._things.revision(page.subject)
        for place, fact in enumerate(facts):
            self._replace(page, place, fact)
        for _ in range(self._about(_EDITED)):
            kind = random.random()
            place = random.randrange(len(facts), max(len(facts) + 1, len(page.statements)))
            if kind < 0.5 and place < len(page.statements):
                new = self._things.revised(*page.statements[place])
                if new not in there:
                    there.remove(page.statements[place])
                    there.add(new)
                    self._replace(page, place, new)
            elif kind < 0.75 and place < len(page.statements):
                there.remove(page.statements[place])
                self._remove(page, place)
            else:
                if kind > 0.9 and page.deleted:
                    new = page.deleted.pop(random.randrange(len(page.deleted)))
                else:
                    (new,) = self._things.statements(1)
                if new not in there:
                    there.add(new)
                    self._add(page, new)

    def _replace(self, page: _Page, place: int, new: tuple[str, str]) -> None:
        self._note(page, page.statements[place], self._added, self._deleted)
        page.statements[place] = new
        self._note(page, new, self._deleted, self._added)

    def _remove(self, page: _Page, place: int) -> None:
        old, last = page.statements[place], page.statements.pop()
        if place < len(page.statements):
            page.statements[place] = last
        page.deleted.append(old)
        del page.deleted[:-_RESTORABLE]
        self._note(page, old, self._added, self._deleted)

    def _add(self, page: _Page, new: tuple[str, str]) -> None:
        page.statements.append(new)
        self._note(page, new, self._deleted, self._added)

    def _note(
        self, page: _Page, changed: tuple[str, str], undone: _Changes, done: _Changes
    ) -> None:
        """Note a change, or forget the one that it undoes."""
        statement = algebra.Statement(page.subject, *changed)
        if statement in undone:
            undone.remove(statement)
        else:
            done.add(statement)


class _Things:
    """What the triples of pages say."""

    def __init__(self, random: Random, statements: int) -> None:
        self._random = random
        self._words = ["".join(self._some(_SYLLABLES, 1, 3)) for _ in range(_WORDS)]
        self._frequencies = [*accumulate(1 / rank for rank in range(1, _WORDS + 1))]
        self._pages = 0
        self._revision = 600_000_000
        # Pages that links refer to: many more than the archive has.
        self._titles = [self._title() for _ in range(1 + statements // 12)]
        self._recent = [self._title() for _ in range(_RECENT)]
        names = [self._title().replace("_", "").lower() for _ in range(_PROPERTIES)]
        self._properties = [f"<http://dbpedia.org/property/{name}>" for name in names]
        # How many of two hundred triples have a predicate of each kind.
        kinds: dict[Callable[[], tuple[str, str]], int] = {
            lambda: (_LINK, f"<{_RESOURCE}{self._linked()}>"): 80,
            self._property: 70,
            lambda: (PREDICATE, f"<{_RESOURCE}Category:{self._linked()}>"): 10,
            lambda: (_TYPE, f"<http://dbpedia.org/class/yago/{self._linked()}>"): 12,
            lambda: (
                _SAME,
                f"<http://{self._language()}.dbpedia.org/resource/{self._linked()}>",
            ): 10,
            lambda: (_EXTERNAL, f"<http://www.{self._word()}.org/{self._linked()}.html>"): 8,
            lambda: (_LABEL, self._text(1, 3)): 8,
            lambda: (_COMMENT, self._text(20, 60)): 1,
            lambda: (_ABSTRACT, self._text(50, 150)): 1,
        }
        self._kinds = [*kinds]
        self._kind_shares = [*accumulate(kinds.values())]

    def new_page(self) -> str:
        """Return the subject of another page."""
        self._pages += 1
        return f"<{_RESOURCE}{self._title()}_({self._pages})>"

    def revision(self, subject: str) -> list[tuple[str, str]]:
        """Return the facts about a new revision of a page, always with the same predicates."""
        self._revision += self._random.randrange(1, 200)
        page = subject.removeprefix(f"<{_RESOURCE}").rstrip(">")
        source = f"<http://en.wikipedia.org/wiki/{page}?oldid={self._revision}>"
        seconds = self._revision - 600_000_000
        time = (
            f"2015-{8 + seconds // 2_592_000 % 4:02}-{1 + seconds // 86_400 % 30:02}"
            f"T{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"
        )
        return [
            ("<http://www.w3.org/ns/prov#wasDerivedFrom>", source),
            (f"<{_ONTOLOGY}wikiPageRevisionID>", _typed(self._revision, "integer")),
            (f"<{_ONTOLOGY}wikiPageModified>", _typed(time, "dateTime")),
            (
                f"<{_ONTOLOGY}wikiPageLength>",
                _typed(self._random.randrange(5_000, 200_000), "nonNegativeInteger"),
            ),
        ]

    def statements(self, count: int) -> list[tuple[str, str]]:
        """Return random predicates with objects."""
        chosen = self._random.choices(self._kinds, cum_weights=self._kind_shares, k=count)
        return [make() for make in chosen]

    def revised(self, predicate: str, object: str) -> tuple[str, str]:
        """Return a predicate with another object, similar to the given one."""
        text, quote, suffix = object.rpartition('"')
        if not quote:
            return predicate, f"{object.rpartition('/')[0]}/{self._linked()}>"
        if suffix.endswith("integer>"):
            number = int(text[1:]) + self._random.randrange(1, 50)
            return predicate, f'"{number}"{suffix}'
        words = text[1:].split(" ")
        words[self._random.randrange(len(words))] = self._word()
        return predicate, f'"{" ".join(words)}"{suffix}'

    def _property(self) -> tuple[str, str]:
        random = self._random
        place = int(_PROPERTIES * random.random() ** 3)
        kind = random.random()
        if kind < 0.4:
            value = _typed(int(random.paretovariate(1)), "integer")
        elif kind < 0.6:
            value = f"<{_RESOURCE}{self._linked()}>"
        else:
            value = self._text(1, 3, "en")
        return self._properties[place], value

    def _text(self, least: int, most: int, language: str | None = None) -> str:
        words = self._some(self._words, least, most, self._frequencies)
        return f'"{" ".join(words)}"@{language or self._language()}'

    def _title(self) -> str:
        return "_".join(word.capitalize() for word in self._some(self._words, 1, 4))

    def _linked(self) -> str:
        """Return the title of a page: often one that occurred recently, else one of the pool."""
        random = self._random
        if random.random() < 0.6:
            return random.choice(self._recent)
        title = self._titles[int(len(self._titles) * random.random() ** 4)]
        self._recent[random.randrange(len(self._recent))] = title
        return title

    def _word(self) -> str:
        return self._words[int(_WORDS * self._random.random() ** 3)]

    def _language(self) -> str:
        return self._random.choice(_LANGUAGES)

    def _some(
        self, words: Sequence[str], least: int, most: int, frequencies: list[float] | None = None
    ) -> list[str]:
        count = self._random.randrange(least, most + 1)
        return self._random.choices(words, cum_weights=frequencies, k=count)


def _typed(value: object, datatype: str) -> str:
    return f'"{value}"^^<{_XSD}{datatype}>'
