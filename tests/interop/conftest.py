"""Fixtures of the tests with other libraries."""

from collections.abc import Iterator

import pytest
import rdflib


@pytest.fixture(scope="session", autouse=True)
def literals_as_written() -> Iterator[None]:
    """rdflib's setting by which "01"^^xsd:integer does not become "1"."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rdflib, "NORMALIZE_LITERALS", False)
        yield
