"""Rows of a log and statements, made without Spark."""

from __future__ import annotations

from collections.abc import Iterator

from jelly_spark.codec import PatchRow, RdfRow


def patch_rows(count: int) -> Iterator[PatchRow]:
    """Yield rows of a log: patches of a thousand rows, with deletes and adds."""
    body = statements(count)
    for n in range(count):
        place = n % 1000
        if place == 0:
            yield PatchRow("H", name="id", value=f"<urn:uuid:{n // 1000}>")
        elif place == 1:
            yield PatchRow("TX")
        elif place == 998:
            yield PatchRow("TC")
        elif place == 999:
            yield PatchRow("END")
        else:
            yield PatchRow("D" if place < 500 else "A", *next(body)[:4])


def statements(count: int) -> Iterator[RdfRow]:
    """Yield statements about products in the graphs of shops."""
    schema = "https://schema.org/"
    for n in range(count):
        subject = f"<https://shop.example/product/{n // 4}>"
        graph = f"<https://shop.example/graph/{n // 1000}>"
        predicate, value = (
            ("name", f'"Product {n // 4}"@en'),
            ("price", f'"{n % 997}.50"^^<http://www.w3.org/2001/XMLSchema#decimal>'),
            ("category", f"<https://shop.example/category/{n % 211}>"),
            ("description", f'"A longer text about product {n // 4}, with some more words"'),
        )[n % 4]
        yield RdfRow(subject, f"<{schema}{predicate}>", value, graph)
