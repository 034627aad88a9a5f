r"""RDF terms as objects, and their strings in rows.

A row holds a term as a string in N-Triples syntax, which is enough to compare, join and store
terms. This module parses such strings, and formats terms as strings:

    from jelly_spark.terms import Iri, Literal, format_term, parse_term

    parse_term('"chat"@fr')  # Literal(lexical='chat', language='fr', datatype=None, direction=None)
    format_term(Iri("http://example.org/a b"))  # '<http://example.org/a\\u0020b>'

`format_term` and all readers return canonical strings. Two terms that `parse_term` returns are
equal if and only if their canonical strings are equal. A `Literal` that is constructed with the
datatype xsd:string is not equal to one without a datatype, although both have the same string.
"""

from jelly_spark.core.terms import (
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    parse_term,
)
from jelly_spark.errors import InvalidTermError

__all__ = [
    "BlankNode",
    "InvalidTermError",
    "Iri",
    "Literal",
    "Term",
    "TripleTerm",
    "format_term",
    "parse_term",
]
