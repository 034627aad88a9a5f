"""Running the processes of the benchmarks in turns, and comparing their times."""
