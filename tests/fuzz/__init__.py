"""Mutated files through both codecs: see `make fuzz`."""
