"""The suites that `make conformance` runs, each with its exceptions."""

from tests.case_runner import Suite
from tests.shared import ROOT, SHARED

OWN = ROOT / "tests/cases_conformance"
"""This project's own cases, in the form of Jelly's suite."""

OFFICIAL = SHARED / "conformance/jelly-rdf"
"""Jelly's suite."""

W3C = SHARED / "conformance/w3c"
"""The W3C's suites of RDF 1.1."""

RDF12 = SHARED / "conformance/rdf12"
"""The W3C's suites of RDF 1.2."""

SUITES = (
    Suite("Jelly-RDF", OFFICIAL, exceptions={}),
    Suite(
        "Jelly-RDF, more cases",
        OWN,
        exceptions={
            ("jelly-jvm", "refuse"): {
                "to_jelly/quads/neg_001": "it writes triple terms that the options do not announce",
            },
        },
    ),
    Suite("RDF 1.1 N-Triples", W3C / "n-triples", exceptions={}),
    Suite("RDF 1.1 N-Quads", W3C / "n-quads", exceptions={}),
    Suite("RDF 1.2 N-Triples, syntax", RDF12 / "rdf-n-triples/syntax", exceptions={}),
    Suite("RDF 1.2 N-Triples, canonical form", RDF12 / "rdf-n-triples/c14n", exceptions={}),
    Suite("RDF 1.2 N-Quads, syntax", RDF12 / "rdf-n-quads/syntax", exceptions={}),
    Suite("RDF 1.2 N-Quads, canonical form", RDF12 / "rdf-n-quads/c14n", exceptions={}),
)
"""All suites. A codec passes each case that is not an exception, and an exception that passes is an
error."""
