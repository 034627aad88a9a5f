"""Events of Wikidata's query service, read as patches."""
