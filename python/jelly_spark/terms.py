r"""RDF terms, and the strings that rows hold them in.

A row holds a term as a string in N-Triples syntax, which is enough to compare, join and store
terms. This module parses such strings, and formats terms as strings:

    from jelly_spark.terms import Iri, Literal, format_term, parse_term

    parse_term('"chat"@fr')  # Literal(lexical='chat', language='fr', datatype=None)
    format_term(Iri("http://example.org/a b"))  # '<http://example.org/a\\u0020b>'

Two terms of `parse_term` are equal exactly where their canonical strings are, those that
`format_term` and all readers give. A literal made by hand with the datatype xsd:string is not equal
to the one without a datatype, though both have the same string.
"""

from jelly_spark.core.terms import (
    BlankNode,
    Iri,
    Literal,
    QuotedTriple,
    Term,
    format_term,
    parse_term,
)
from jelly_spark.errors import InvalidTermError

__all__ = [
    "BlankNode",
    "InvalidTermError",
    "Iri",
    "Literal",
    "QuotedTriple",
    "Term",
    "format_term",
    "parse_term",
]
