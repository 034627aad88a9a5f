"""Jena Fuseki, by its patch service."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO

from jelly_spark import codec
from jelly_spark.core.rows import PatchRow, without_deleted_iri
from jelly_spark.patches import Statement
from jelly_spark.stores.store import TripleStore


class FusekiStore(TripleStore):
    """A dataset of Jena Fuseki, which is sent patches as RDF Patch text.

        store = FusekiStore(
            "http://localhost:3030/data/patch", query="http://localhost:3030/data/sparql"
        )

    Blank nodes keep their labels, so patches can delete them. The dataset gets the prefixes, too.

    Args:
        patch: the URL of the patch service, which Fuseki's configuration calls `fuseki:patch`.
        query: the URL of the query service; by default, that of the patch service, which must then
            be the URL of the dataset.
        timeout: how long a request and its answer may take, in seconds.
        retries: how often a request is repeated after a transient error.

    Raises:
        OptionError: a URL is not valid or has credentials, or a number is out of range.
    """

    keeps_prefixes = True
    rolls_back_silently = True

    def __init__(
        self, patch: str, *, query: str | None = None, timeout: int = 120, retries: int = 5
    ) -> None:
        super().__init__(patch, query, timeout, retries)

    def send(self, rows: Sequence[PatchRow]) -> None:
        """Send rows as one patch; see `TripleStore.send`.

        Fuseki 5.6 and 6.0 take only the text form. They also report success for a patch that they
        cannot read, and roll it back.
        """
        body = BytesIO()
        codec.write_rdf_patch(body, map(without_deleted_iri, rows))
        self.http.post(self.url, body.getvalue(), "application/rdf-patch")

    def check(self, statements: Iterable[Statement]) -> None:
        """Accept all statements, blank nodes too: the store keeps their labels."""
