"""Text: reading and scanning it, and showing it to people."""
