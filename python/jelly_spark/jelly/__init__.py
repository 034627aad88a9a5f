"""What the two Jelly formats share: frames, lookups, terms and repeated terms on the wire."""
