"""Files that are read and written: paths, URLs, streams, compression, hints."""
