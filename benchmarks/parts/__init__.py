"""The parts of `make bench`."""
