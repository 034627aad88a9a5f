"""Comparison of statements up to the labels of their blank nodes."""

from jelly_spark.core.terms import BlankNode, Term, TripleTerm
from tests.conformance.ntriples import Statement


class Isomorphism:
    """A one-to-one mapping of labels, found while statements are compared in their order.

    Since the order is given, the first statement with a label leaves one choice for it: there is
    nothing to search for.
    """

    def __init__(self) -> None:
        self._found: dict[str, str] = {}
        self._expected: dict[str, str] = {}

    def matches(self, expected: Statement, found: Statement) -> bool:
        """Whether the mapping so far maps one to the other, or can be extended to do so."""
        return all(map(self._match, expected, found))

    def _match(self, expected: Term | None, found: Term | None) -> bool:
        if isinstance(expected, BlankNode) and isinstance(found, BlankNode):
            mapped = self._found.setdefault(expected.label, found.label)
            back = self._expected.setdefault(found.label, expected.label)
            return mapped == found.label and back == expected.label
        if isinstance(expected, TripleTerm) and isinstance(found, TripleTerm):
            return (
                self._match(expected.subject, found.subject)
                and self._match(expected.predicate, found.predicate)
                and self._match(expected.object, found.object)
            )
        return expected == found
