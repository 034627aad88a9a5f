"""rdflib's graphs and datasets."""
