"""The two codecs against each other: on generated patches, and on damaged files."""
