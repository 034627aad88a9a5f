"""From terms to the bytes of a Jelly row."""
