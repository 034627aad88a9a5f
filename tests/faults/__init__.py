"""Faults in operation: what is killed, full or changed while a job runs. See `make test-faults`."""
