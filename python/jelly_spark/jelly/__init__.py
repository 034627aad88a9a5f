"""The code that the two Jelly formats share: wire, frames, decoding, encoding, common options."""
