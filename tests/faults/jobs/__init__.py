"""Programs that the tests run, and break."""
