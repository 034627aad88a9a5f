"""The parts of `make bench`."""

from benchmarks.parts import archives, bear, blank_nodes, encoders, growth, skipping, tables

PARTS = [
    module.PART for module in (encoders, archives, tables, bear, growth, skipping, blank_nodes)
]
"""The parts after that of formats, in the order of the run and of the results."""
