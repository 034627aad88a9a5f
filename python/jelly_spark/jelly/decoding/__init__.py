"""From the bytes of a Jelly row to terms and rows."""
