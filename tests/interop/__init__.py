"""Other libraries and this one read each other's files."""
