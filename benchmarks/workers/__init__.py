"""What the processes of the benchmarks do."""
