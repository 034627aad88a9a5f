"""Other libraries' terms, stores and tables, with this package's rows."""
