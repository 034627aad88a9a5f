"""A change log for demonstrations: the daily changes of a fictional shop, the same in every run.

Products and suppliers are described in the default graph; prices and stock have a graph each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import TypeAlias
from uuid import NAMESPACE_URL, uuid5

from jelly_spark.codec import PatchRow
from jelly_spark.core.rows import RowNumbering
from jelly_spark.core.terms import BlankNode, Iri, Literal, format_term
from jelly_spark.core.terms.text import XSD

Statement: TypeAlias = tuple[str, str, str, str | None]
"""The subject, predicate, object and graph columns of a row."""

_SHOP = "https://shop.example/"
_SCHEMA = "https://schema.org/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_PREFIXES = {"rdf": _RDF, "schema": _SCHEMA, "shop": _SHOP, "xsd": XSD}

_GOODS = [("Tea", "Tee"), ("Bowl", "Schüssel"), ("Lamp", "Lampe"), ("Chair", "Stuhl")]
_CITIES = [("Cologne", "Köln"), ("Zurich", "Zürich"), ("Krakow", "Krakau"), ("Tokyo", "東京")]
_OPENING = date(2026, 1, 5)

_SUPPLIERS = 12
_FIRST_PRODUCTS = 60
# The numbers of products that change per day. A patch has some hundred rows.
_NEW = 2
_REPRICED = 10
_RESTOCKED = 16
_RETIRED = 1
# While at least this many products are retired, one returns each day.
_RETURN_FROM = 6
_SEED = 2026


def shop_log(patches: int) -> tuple[list[PatchRow], set[Statement]]:
    """Return the rows of a log, and the statements after it.

    Each patch deletes only statements that exist, and adds only statements that do not exist. Some
    patches add statements again that earlier ones deleted. The transaction of patch `patches // 2`
    is aborted. The statements after the log are computed from the shop's data, not from the rows,
    so that a replay of the rows can be checked against them.

    Args:
        patches: the number of patches, one for each day. The first patch opens the shop.
    """
    random = Random(_SEED)
    shop = _Shop({}, {})
    rows: list[PatchRow] = []
    number = RowNumbering().number
    for day in range(patches):
        after = _open(random) if day == 0 else _next_day(shop, day, random)
        committed = day != patches // 2 or day == 0
        for row in _patch_rows(day, shop, after, committed):
            patch, tx, seq = number(row.op)
            rows.append(row._replace(patch=patch, tx=tx, seq=seq))
        if committed:
            shop = after
    return rows, _statements(shop.things())


@dataclass(frozen=True)
class _Supplier:
    number: int
    city: int

    def statements(self) -> Iterator[Statement]:
        iri = _iri(f"{_SHOP}supplier-{self.number}")
        address = format_term(BlankNode(f"address{self.number}"))
        english, german = _CITIES[self.city]
        yield iri, _iri(_RDF + "type"), _iri(_SCHEMA + "Organization"), None
        yield iri, _iri(_SCHEMA + "name"), _text(f"Supplier «{self.number}»"), None
        yield iri, _iri(_SCHEMA + "address"), address, None
        yield address, _iri(_SCHEMA + "addressLocality"), _text(english, "en"), None
        yield address, _iri(_SCHEMA + "addressLocality"), _text(german, "de"), None


@dataclass(frozen=True)
class _Product:
    number: int
    supplier: int
    cents: int
    priced_on: int
    stock: int
    on_sale: bool = True

    def statements(self) -> Iterator[Statement]:
        if not self.on_sale:
            return
        iri = _iri(f"{_SHOP}product-{self.number}")
        prices, stock = _iri(_SHOP + "prices"), _iri(_SHOP + "stock")
        english, german = _GOODS[self.number % len(_GOODS)]
        about = f'"{english}", no. {self.number}\nAsk for a sample.'
        price = _typed(f"{self.cents / 100:.2f}", "decimal")
        priced_on = _typed((_OPENING + timedelta(self.priced_on)).isoformat(), "date")
        yield iri, _iri(_RDF + "type"), _iri(_SCHEMA + "Product"), None
        yield iri, _iri(_SCHEMA + "name"), _text(f"{english} {self.number}", "en"), None
        yield iri, _iri(_SCHEMA + "name"), _text(f"{german} {self.number}", "de"), None
        yield iri, _iri(_SCHEMA + "description"), _text(about, "en"), None
        yield iri, _iri(_SCHEMA + "sku"), _text(f"{self.number:05}"), None
        yield iri, _iri(_SCHEMA + "provider"), _iri(f"{_SHOP}supplier-{self.supplier}"), None
        yield iri, _iri(_SCHEMA + "price"), price, prices
        yield iri, _iri(_SCHEMA + "validFrom"), priced_on, prices
        yield iri, _iri(_SCHEMA + "inventoryLevel"), _typed(str(self.stock), "integer"), stock


@dataclass(frozen=True)
class _Shop:
    suppliers: dict[int, _Supplier]
    products: dict[int, _Product]

    def things(self) -> set[_Supplier | _Product]:
        return {*self.suppliers.values(), *self.products.values()}


def _open(random: Random) -> _Shop:
    return _Shop(
        {i: _Supplier(i, random.randrange(len(_CITIES))) for i in range(_SUPPLIERS)},
        {i: _new_product(i, 0, random) for i in range(_FIRST_PRODUCTS)},
    )


def _new_product(number: int, day: int, random: Random) -> _Product:
    supplier = random.randrange(_SUPPLIERS)
    return _Product(number, supplier, random.randrange(100, 10_000), day, random.randrange(500))


def _next_day(shop: _Shop, day: int, random: Random) -> _Shop:
    suppliers, products = dict(shop.suppliers), dict(shop.products)
    on_sale = [i for i, product in products.items() if product.on_sale]
    retired = [i for i, product in products.items() if not product.on_sale]
    for i in random.sample(on_sale, _REPRICED):
        products[i] = replace(products[i], cents=random.randrange(100, 10_000), priced_on=day)
    for i in random.sample(on_sale, _RESTOCKED):
        products[i] = replace(products[i], stock=random.randrange(500))
    for i in random.sample(on_sale, _RETIRED):
        products[i] = replace(products[i], on_sale=False)
    if len(retired) >= _RETURN_FROM:
        i = random.choice(retired)
        products[i] = replace(products[i], on_sale=True)
    for i in range(len(products), len(products) + _NEW):
        products[i] = _new_product(i, day, random)
    moved = random.randrange(_SUPPLIERS)
    suppliers[moved] = _Supplier(moved, random.randrange(len(_CITIES)))
    return _Shop(suppliers, products)


def _patch_rows(day: int, before: _Shop, after: _Shop, committed: bool) -> Iterator[PatchRow]:
    # No two things share a statement, so it is enough to compare the things that changed.
    old = _statements(before.things() - after.things())
    new = _statements(after.things() - before.things())
    yield PatchRow("H", name="id", value=_patch_id(day))
    if day > 0:
        yield PatchRow("H", name="prev", value=_patch_id(day - 1))
    yield PatchRow("TX")
    if day == 0:
        for name, iri in _PREFIXES.items():
            yield PatchRow("PA", name=name, value=_iri(iri))
    for statement in _in_order(old - new):
        yield PatchRow("D", *statement)
    for statement in _in_order(new - old):
        yield PatchRow("A", *statement)
    yield PatchRow("TC" if committed else "TA")
    yield PatchRow("END")


def _statements(things: Iterable[_Supplier | _Product]) -> set[Statement]:
    return {statement for thing in things for statement in thing.statements()}


def _in_order(statements: set[Statement]) -> list[Statement]:
    # By graph, then by subject, because a term that repeats the one before it takes no space.
    return sorted(statements, key=lambda s: (s[3] or "", *s[:3]))


def _patch_id(day: int) -> str:
    return _iri(uuid5(NAMESPACE_URL, f"{_SHOP}patch/{day}").urn)


def _iri(text: str) -> str:
    return format_term(Iri(text))


def _text(lexical: str, language: str | None = None) -> str:
    return format_term(Literal(lexical, language))


def _typed(lexical: str, datatype: str) -> str:
    return format_term(Literal(lexical, datatype=XSD + datatype))
