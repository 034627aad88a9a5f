"""The formats as data sources: what each can do, and conversions between them."""
