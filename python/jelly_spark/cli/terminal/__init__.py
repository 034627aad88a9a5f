"""What commands print: text, tables, JSON and a progress bar."""
