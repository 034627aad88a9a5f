"""What the two Jelly formats share: wire, frames, decoding, encoding, and their common options."""
