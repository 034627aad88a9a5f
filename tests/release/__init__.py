"""Long tests of the packages, run by `make release` and `make matrix-extras`."""
