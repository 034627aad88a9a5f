"""The laws of patch algebra, and cases, for all engines alike."""
