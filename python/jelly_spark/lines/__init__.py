"""What N-Triples and N-Quads share: one statement a line."""
