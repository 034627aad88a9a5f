"""The code that all formats share: terms, rows, options, files, readers and writers."""
