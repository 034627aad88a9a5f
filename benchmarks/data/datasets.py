"""The statements of the benchmark, which Spark generates, the same on any machine in any run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

TERMS = ("subject", "predicate", "object", "graph")
"""The columns of a statement."""

_SHOP = "https://data.shop.example/marketplace/europe/"
_PARCELS = "https://parcels.example/tracking/"
_WEATHER = "https://weather.example/"
_SCHEMA = "https://schema.org/"
_SOSA = "http://www.w3.org/ns/sosa/"
_UNIT = "http://qudt.org/vocab/unit/"
_WIKIDATA = "http://www.wikidata.org/entity/"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIXES = {"shop": _SHOP, "schema": _SCHEMA, "xsd": _XSD}
"""Prefixes for the shop as Turtle."""

_OPENING = "2026-01-05"
_FIRST = 10_000_000
_TRIPLES_OF_TEN_IDS = 202
"""The triples of a product, a customer, and eight orders with their items."""

_GIVEN_NAMES = ["Ana", "Björn", "Chloé", "Deniz", "Emil", "Fatima", "Greta", "Hugo", "Ines", "Jan"]
_FAMILY_NAMES = ["Kowalska", "Lindqvist", "Müller", "Novák", "Okafor", "Petrov", "Silva", "Tanaka"]
_STREETS = ["Harbour Street, 2nd floor", "Rue de la Paix", "Schloßallee", "Market Square"]
_GOODS = ["Tea", "Bowl", "Lamp", "Chair", "Blanket", "Kettle", "Mirror", "Basket"]
_WAREN = ["Tee", "Schüssel", "Lampe", "Stuhl", "Decke", "Kessel", "Spiegel", "Korb"]
_COLOURS = ["red", "green", "blue", "white", "black", "grey", "yellow"]
_SALES_TALK = (
    r", made by hand in small numbers, for every day and for years.\nCustomers who know it call "
    r"it \"simply the best\" that they have found; who does not think so sends it back within "
    "thirty days, and has nothing to pay for that. It comes without plastic. Item "
)
_PITCH = ", made by hand, with thirty days to send it back, no. "
_STATUSES = ["OrderDelivered", "OrderProcessing", "OrderInTransit", "OrderReturned"]
_WISHES = [
    "Please leave it with the neighbours, second door on the left, if nobody is at home by noon.",
    "To the back entrance, please, between the bakery and the bicycle shop; mind the dog.",
    r"A present: without the bill, and with a card that says \"from all of us\".",
    "Ring twice; the first bell is often not heard in the garden, and in winter not upstairs.",
]
_QUANTITIES = ["temperature", "pressure", "humidity", "wind"]
_UNITS = ["DEG_C", "HectoPA", "PERCENT", "M-PER-SEC"]
_QUALITIES = ["checked", "unchecked", "estimated", "missing before"]


@dataclass(frozen=True)
class Dataset:
    """A generator of statements of one kind, in the order in which they are written.

    Attributes:
        name: the name of the dataset and of its files.
        prefix: the prefix of the names of its measures and ratios.
        quads: whether all statements have graphs; if false, none has.
        predicate: the predicate of some of the statements, as a term.
        statements: a function that returns a given number of statements, in one partition.
    """

    name: str
    prefix: str
    quads: bool
    predicate: str
    statements: Callable[[SparkSession, int], DataFrame]


def shop_statements(spark: SparkSession, rows: int) -> DataFrame:
    """Return triples of an online shop: products, customers, and orders with two items each."""
    ids = spark.range(0, rows, 1, numPartitions=1)
    return _rows(ids, _shop(), None).limit(rows)


def shop_parts(spark: SparkSession, rows: int, parts: int) -> DataFrame:
    """Return triples of the shop in several partitions.

    Args:
        spark: the session.
        rows: the number of triples in each partition.
        parts: the number of partitions. The first ones are the same, however many there are.
    """
    ids_of_part = -(-rows // _TRIPLES_OF_TEN_IDS) * 10
    found = _rows(spark.range(0, ids_of_part * parts, 1, parts), _shop(), None)
    # The ids of the rows of a partition are consecutive numbers in these bits.
    place = F.monotonically_increasing_id() % (1 << 33)
    return found.withColumn("place", place).where(F.col("place") < rows).drop("place")


def _shop() -> Column:
    """Return the things of the shop for an `id`."""
    number = F.col("id") + _FIRST
    kind = F.col("id") % 10
    what, colour = _pick(_GOODS, 1), _pick(_COLOURS, 2)
    product = _about(
        _iri(_SHOP, "product/", number),
        (_RDF + "type", _iri(_SCHEMA, "Product")),
        (_SCHEMA + "name", _text(what, " no. ", number, language="en")),
        (_SCHEMA + "name", _text(_pick(_WAREN, 1), " Nr. ", number, language="de")),
        (
            _SCHEMA + "description",
            _text("A ", colour, " ", F.lower(what), _SALES_TALK, number, language="en"),
        ),
        (_SCHEMA + "sku", _text(F.upper(colour), "-", number)),
        (_SCHEMA + "color", _text(colour)),
        (_SCHEMA + "category", _iri(_SHOP, "category/", _random(3, 200))),
        (_SCHEMA + "brand", _iri(_SHOP, "brand/", _random(4, 1000))),
        (_SCHEMA + "price", _money(5, 20_000)),
        (_SCHEMA + "weight", _typed(_random(6, 5000), datatype="integer")),
        (_SCHEMA + "isFamilyFriendly", _typed(_random(7, 8) > 0, datatype="boolean")),
    )
    customer = _about(
        _iri(_SHOP, "customer/", number),
        (_RDF + "type", _iri(_SCHEMA, "Person")),
        (_SCHEMA + "givenName", _text(_pick(_GIVEN_NAMES, 1))),
        (_SCHEMA + "familyName", _text(_pick(_FAMILY_NAMES, 2))),
        (_SCHEMA + "email", _text("customer", number, "@mail.example")),
        (_SCHEMA + "address", _text(_random(8, 300), " ", _pick(_STREETS, 9))),
        (_SCHEMA + "homeLocation", _iri(_WIKIDATA, "Q", _random(3, 3000))),
        (_SCHEMA + "dateCreated", _typed(_day(F.col("id") / 20_000), datatype="date")),
    )
    # An earlier customer; the earliest ones order most often.
    buyer = F.least(_random(1, F.col("id")), _random(2, F.col("id")))
    time = F.format_string("T%02d:%02d:%02dZ", _random(3, 24), _random(4, 60), _random(5, 60))
    order = _about(
        _iri(_SHOP, "order/", number),
        (_RDF + "type", _iri(_SCHEMA, "Order")),
        (_SCHEMA + "orderNumber", _text("A-", number, "-", _random(9, 1000))),
        (_SCHEMA + "identifier", _text(F.md5(number.cast("string")))),
        (_SCHEMA + "orderDate", _typed(_day(F.col("id") / 20_000), time, datatype="dateTime")),
        (_SCHEMA + "customer", _iri(_SHOP, "customer/", buyer - buyer % 10 + 1 + _FIRST)),
        (_SCHEMA + "orderStatus", _iri(_SCHEMA, _pick(_STATUSES, 6))),
        (_SCHEMA + "description", _text(_pick(_WISHES, 8), language="en")),
        (_SCHEMA + "orderDelivery", _iri(_PARCELS, F.md5(_joined("parcel ", number)))),
        (_SCHEMA + "totalPaymentDue", _money(7, 50_000)),
        (_SCHEMA + "orderedItem", _iri(_SHOP, "item/", number, "-1")),
        (_SCHEMA + "orderedItem", _iri(_SHOP, "item/", number, "-2")),
    )
    items = [
        _about(
            _iri(_SHOP, "item/", number, f"-{item}"),
            (_RDF + "type", _iri(_SCHEMA, "OrderItem")),
            (_SCHEMA + "identifier", _text(F.md5(_joined(number, f"-{item}")))),
            (_SCHEMA + "itemOffered", _iri(_SHOP, "product/", bought - bought % 10 + _FIRST)),
            (_SCHEMA + "name", _text(_pick(_GOODS, 50 + item), _PITCH, bought, language="en")),
            (_SCHEMA + "orderQuantity", _typed(_random(30 + item, 9) + 1, datatype="integer")),
            (_SCHEMA + "price", _money(40 + item, 20_000)),
        )
        for item in (1, 2)
        for bought in [F.least(_random(10 + item, F.col("id")), _random(20 + item, F.col("id")))]
    ]
    return (
        F.when(kind == 0, F.array(product))
        .when(kind == 1, F.array(customer))
        .otherwise(F.array(order, *items))
    )


def weather_statements(spark: SparkSession, rows: int) -> DataFrame:
    """Return quads of weather stations: a graph for each station and day, hour by hour."""
    value = _typed(_random(1, 400), ".", _random(2, 10), datatype="double")
    station = F.expr("id div 96 % 400") + 1000
    day = _day(F.col("id") / (96 * 400))
    hour = F.lpad(F.expr("id % 96 div 4").cast("string"), 2, "0")
    quantity = F.col("id") % 4
    observed = _element(_QUANTITIES, quantity)
    observation = _about(
        _iri(_WEATHER, "observation/", station, "-", day, "T", hour, "-", observed),
        (_RDF + "type", _iri(_SOSA, "Observation")),
        (_SOSA + "madeBySensor", _iri(_WEATHER, "sensor/", station, "-", observed)),
        (_SOSA + "observedProperty", _iri(_WEATHER, "property/", observed)),
        (_SOSA + "resultTime", _typed(day, "T", hour, ":00:00Z", datatype="dateTime")),
        (_SOSA + "hasSimpleResult", value),
        (_SCHEMA + "unitCode", _iri(_UNIT, _element(_UNITS, quantity))),
        (_SCHEMA + "description", _text(_pick(_QUALITIES, 3), language="en")),
    )
    graph = _iri(_WEATHER, "graph/", station, "/", day)
    ids = spark.range(0, rows, 1, numPartitions=1)
    return _rows(ids, F.array(observation), graph).limit(rows)


SHOP = Dataset("shop", "", False, f"<{_SCHEMA}price>", shop_statements)
WEATHER = Dataset("weather", "weather_", True, f"<{_SOSA}hasSimpleResult>", weather_statements)
DATASETS = {dataset.name: dataset for dataset in (SHOP, WEATHER)}


def _rows(ids: DataFrame, things: Column, graph: Column | None) -> DataFrame:
    graph = F.lit(None).cast("string") if graph is None else graph
    found = ids.select(F.explode(things).alias("thing"), graph.alias("graph"))
    statements = found.select(
        F.col("thing.subject"), F.explode("thing.statements").alias("statement"), "graph"
    )
    return statements.select("subject", "statement.*", "graph")


def _about(subject: Column, *statements: tuple[str, Column]) -> Column:
    return F.struct(
        subject.alias("subject"),
        F.array(
            *(
                F.struct(F.lit(f"<{predicate}>").alias("predicate"), value.alias("object"))
                for predicate, value in statements
            )
        ).alias("statements"),
    )


def _iri(*parts: Column | str) -> Column:
    return _joined("<", *parts, ">")


def _text(*parts: Column | str, language: str | None = None) -> Column:
    return _joined('"', *parts, f'"@{language}' if language else '"')


def _typed(*parts: Column | str, datatype: str) -> Column:
    return _joined('"', *parts, f'"^^<{_XSD}{datatype}>')


def _money(salt: int, most: int) -> Column:
    return _typed(
        _random(salt, most),
        ".",
        F.lpad(_random(-salt, 100).cast("string"), 2, "0"),
        datatype="decimal",
    )


def _joined(*parts: Column | str) -> Column:
    return F.concat(*(F.lit(p) if isinstance(p, str) else p.cast("string") for p in parts))


def _day(days: Column) -> Column:
    return F.date_add(F.lit(_OPENING).cast("date"), F.floor(days).cast("int")).cast("string")


def _pick(words: list[str], salt: int) -> Column:
    return _element(words, _random(salt, len(words)))


def _element(words: list[str], index: Column) -> Column:
    return F.element_at(F.array(*map(F.lit, words)), index.cast("int") + 1)


def _random(salt: int, below: Column | int) -> Column:
    """Return a pseudorandom number for each row and salt, at least 0 and less than `below`.

    If `below` is 0, return 0.
    """
    return F.coalesce(F.pmod(F.xxhash64("id", F.lit(salt)), F.lit(below)), F.lit(0))
