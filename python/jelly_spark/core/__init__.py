"""What all formats share: rows, terms, options, transactions, files, errors with their place."""
