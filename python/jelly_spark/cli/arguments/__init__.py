"""What the arguments and options of commands say: files, options for reading, ranges of rows."""
