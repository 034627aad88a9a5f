"""What all triple stores have in common."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import StoreError, StoreRequestError
from jelly_spark.patches import Statement
from jelly_spark.stores.http import HttpClient, check_url
from jelly_spark.stores.positions import QUERY, Position, positions_of

_IS_EMPTY = "ASK { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"


class TripleStore(ABC):
    """A triple store that patches can be sent to; see `SparqlStore` and `FusekiStore`.

    Args:
        url: the URL that patches are sent to.
        query: the URL of the SPARQL query service; None if it is the same.
        timeout: how long a request and its answer may take, in seconds.
        retries: how often a request is repeated after a transient error.

    Attributes:
        url: the URL that patches are sent to.
        skolem_base: the beginning of the IRIs that replace blank nodes; empty if none are replaced.
        http: sends the requests.
    """

    url: str
    skolem_base: str = ""
    keeps_prefixes: bool = False
    """Whether the store gets the prefixes, too."""
    rolls_back_silently: bool = False
    """Whether the store may report success although it rolled a patch back."""
    loads: bool = False
    """Whether there is a service for the first load, besides the one for patches."""

    def __init__(self, url: str, query: str | None, timeout: int, retries: int) -> None:
        self.url = check_url(url)
        self._query = self.url if query is None else check_url(query)
        self._guesses_query = query is None
        self.http = HttpClient(timeout, retries)

    @abstractmethod
    def send(self, rows: Sequence[PatchRow]) -> None:
        """Send rows to be applied in one transaction, once, without retries.

        Raises:
            StoreRequestError: the store cannot be reached, or answered with an error.
            UnwritableRowError: a row cannot be expressed in what the store takes.
        """

    @abstractmethod
    def check(self, statements: Iterable[Statement]) -> None:
        """Check that the store can hold and delete these statements.

        Raises:
            StoreError: it cannot; the message says what to do.
        """

    def load(self, statements: Sequence[Statement], done: Callable[[int], None]) -> None:
        """Add many statements; only if `loads` is true. It may be repeated, and end at any point.

        Args:
            statements: the statements.
            done: called after each request with the number of statements that the store has.

        Raises:
            StoreRequestError: the store cannot be reached, or answered with an error.
        """
        raise NotImplementedError

    def positions(self) -> list[Position]:
        """Return where the store stands; empty if it has never been pushed to.

        Raises:
            StoreError: the answer is not a result of SPARQL.
            StoreRequestError: the store cannot be reached, or answered with an error.
        """
        answer = self._ask(QUERY)
        try:
            return positions_of(
                (found["predicate"]["value"], found["object"]["value"])
                for found in answer["results"]["bindings"]
            )
        except StoreError as error:
            raise StoreError(f"{self._query}: {error}") from None
        except (KeyError, TypeError, ValueError):
            raise self._not_a_result() from None

    def is_empty(self) -> bool:
        """Return whether the store has no statements.

        Raises:
            StoreError: as in `positions`.
            StoreRequestError: likewise.
        """
        answer = self._ask(_IS_EMPTY)
        found = answer.get("boolean") if isinstance(answer, dict) else None
        if not isinstance(found, bool):
            raise self._not_a_result()
        return not found

    def _ask(self, query: str) -> Any:
        try:
            answer = self.http.ask(
                self._query,
                query.encode(),
                "application/sparql-query",
                "application/sparql-results+json",
            )
        except StoreRequestError as error:
            if not self._guesses_query or error.status not in (400, 405, 415):
                raise
            raise StoreRequestError(
                f"{error.message}; if this URL does not answer queries, give that of the query "
                "service as `query`",
                *error.args[1:],
            ) from None
        try:
            return json.loads(answer)
        except (ValueError, RecursionError):
            raise self._not_a_result() from None

    def _not_a_result(self) -> StoreError:
        return StoreError(
            f"{self._query} did not answer a query with SPARQL's results in JSON: give the URL of "
            "the query service as `query`"
        )
