"""What the arguments and options of commands say: files, and options for reading."""
