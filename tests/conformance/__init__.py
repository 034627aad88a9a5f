"""The conformance tool: runs a Jelly-RDF test suite through all codecs.

`python -m tests.conformance DIR` prints each failure and, last, `N passed, M failed`. A suite has
the form of the official one: a `manifest.ttl` in the folder, or in folders below it, whose entries
name the files of the cases. All requirements that the suite knows are met, so no case is skipped.

What each class of case asks for is defined by https://w3id.org/jelly/dev/tests/vocab and by
https://w3id.org/jelly/dev/conformance/rdf-test-cases/: see `cases`.
"""
