"""The code that N-Triples and N-Quads share: both formats have one statement per line."""
