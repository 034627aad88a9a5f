"""Statements that differ only in blank node labels."""

import pytest

from tests.conformance.isomorphism import Isomorphism
from tests.conformance.ntriples import parse_statements


def isomorphic(expected: str, found: str) -> bool:
    isomorphism = Isomorphism()
    pairs = zip(parse_statements(expected), parse_statements(found), strict=True)
    return all(isomorphism.matches(one, other) for one, other in pairs)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("_:a <urn:p> _:b _:a .", "_:b <urn:p> _:a _:b ."),
        ("_:a <urn:p> _:b .\n_:b <urn:p> _:a .", "_:x <urn:p> _:y .\n_:y <urn:p> _:x ."),
        ('_:a _:p <<( _:a _:p "a" )>> "g" .', '_:a1 _:b <<( _:a1 _:b "a" )>> "g" .'),
    ],
)
def test_labels_do_not_count(expected: str, found: str) -> None:
    assert isomorphic(expected, found)
    assert isomorphic(found, expected)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("_:a <urn:p> _:b .", "_:a <urn:p> _:a ."),
        ("_:a <urn:p> _:a .\n_:b <urn:p> _:b .", "_:x <urn:p> _:x .\n_:x <urn:p> _:x ."),
        ("_:a <urn:p> <<( _:a <urn:p> _:b )>> .", "_:a <urn:p> <<( _:b <urn:p> _:a )>> ."),
        ("_:a <urn:p> <urn:o> .", "<urn:a> <urn:p> <urn:o> ."),
        ("_:a <urn:p> <urn:o> .", "_:a <urn:p> <urn:o> <urn:g> ."),
        ("_:a <urn:p> <urn:o> _:a .", "_:a <urn:p> <urn:o> ."),
        ('<urn:s> <urn:p> "a" .', '<urn:s> <urn:p> "a"@en .'),
        ('<urn:s> <urn:p> "1"^^<urn:d> .', '<urn:s> <urn:p> "01"^^<urn:d> .'),
        ("<urn:a> <urn:p> _:o .\n<urn:b> <urn:p> _:o .", "<urn:b> <urn:p> _:o .\n" * 2),
        ("<urn:s> <urn:p> <<( _:a _:b _:c )>> .", "<urn:s> <urn:p> _:a ."),
    ],
)
def test_any_other_difference_counts(expected: str, found: str) -> None:
    assert not isomorphic(expected, found)
    assert not isomorphic(found, expected)
