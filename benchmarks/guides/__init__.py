"""Programs that print the tables of measurements that the guides show.

`make bench-guide NAME=... OPTIONS=...` runs one. Its docstring says what it measures.
"""
