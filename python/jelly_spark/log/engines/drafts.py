"""Patches that lead from a version of a log to a given state, before they are committed."""

from __future__ import annotations

from typing import Any, NamedTuple

from jelly_spark.core.terms import Literal, format_term
from jelly_spark.log.entries.entry import Version
from jelly_spark.patches import BlankNodes, LanguageTags, Prefixes, PrefixKey
from jelly_spark.patches.statements import read_prefixes


class Commit(NamedTuple):
    """What `Log.commit` appended, or would append.

    Attributes:
        id: the id of the patch.
        prev: the id of the patch before it; None for the first patch of a log.
        version: the new version; None in a dry run.
        adds: the number of statements that are added.
        deletes: the number of statements that are deleted.
        prefixes: the number of prefixes that are added or deleted.
        replaces_blank_nodes: whether most of these have blank nodes, as when only labels are new.
    """

    id: str
    prev: str | None
    version: Version | None
    adds: int
    deletes: int
    prefixes: int
    replaces_blank_nodes: bool


class Wanted(NamedTuple):
    """What is to be committed.

    Attributes:
        state: the statements of the new version, as `Engine.given` returns them.
        prefixes: the prefixes of the new version. Those of a graph without any here stay the same.
        message: the value of a header `message`; None for no such header.
        blank_nodes: how blank nodes are compared.
        language_tags: how language tags are compared.
    """

    state: Any
    prefixes: Prefixes
    message: str | None
    blank_nodes: BlankNodes
    language_tags: LanguageTags

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the patch besides `id` and `prev`."""
        message = self.message
        return {} if message is None else {"message": format_term(Literal(message))}

    def prefixes_after(self, old: Prefixes) -> dict[PrefixKey, str]:
        """Return the prefixes of the new version, given those of the last one."""
        found = read_prefixes(self.prefixes)
        graphs = {graph for graph, _ in found}
        return {key: iri for key, iri in old.items() if key[0] not in graphs} | found


class Draft(NamedTuple):
    """A patch that can be committed.

    Attributes:
        patch: its rows.
        commit: what it commits.
        state: the statements after it; None if they are not in memory.
        prefixes: the prefixes after it.
    """

    patch: Any
    commit: Commit
    state: Any
    prefixes: Prefixes
