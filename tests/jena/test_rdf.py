"""The data source `rdf` with Jena's parsers, and the reader in plain Python, on the same files."""
