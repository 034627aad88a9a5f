"""`terms=struct`: the parts of terms in columns, and columns of parts written."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from jelly_spark.codec import PatchRow
from tests.spark.case_files import case_files
from tests.spark.patches import (
    EX,
    SAMPLE,
    XSD,
    encoded,
    frame_of,
    only_file,
    read,
    save,
    write_file,
)

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

TERMS: dict[str, tuple[str | None, ...]] = {
    f"<{EX}s>": ("iri", f"{EX}s", None, None, None),
    "<a:\\u0020b>": ("iri", "a: b", None, None, None),
    "_:b1": ("bnode", "b1", None, None, None),
    "<_:b 1>".replace(" ", "\\u0020"): ("bnode", "b 1", None, None, None),
    '"x"': ("literal", "x", f"{XSD}string", None, None),
    '"a \\"b\\"\\n"': ("literal", 'a "b"\n', f"{XSD}string", None, None),
    '"chat"@fr-BE': ("literal", "chat", f"{RDF}langString", "fr-BE", None),
    '"قط"@ar--rtl': ("literal", "قط", f"{RDF}dirLangString", "ar", "rtl"),
    f'"1"^^<{XSD}integer>': ("literal", "1", f"{XSD}integer", None, None),
    '""': ("literal", "", f"{XSD}string", None, None),
    '<<( _:a <a:p> <<( <a:s> <a:p> "x"@en )>> )>>': (
        "triple",
        '<<( _:a <a:p> <<( <a:s> <a:p> "x"@en )>> )>>',
        None,
        None,
        None,
    ),
}
"""Terms as strings, and as (kind, value, datatype, lang, direction)."""

ROWS = [PatchRow("A", "<a:s>", "<a:p>", term, patch=0, seq=i) for i, term in enumerate(TERMS)]


def as_tuple(struct: Any) -> tuple[Any, ...] | None:
    return None if struct is None else tuple(struct)


def test_schema(spark: SparkSession, tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.jellyp", SAMPLE)
    struct = "struct<kind:string,value:string,datatype:string,lang:string,direction:string>"
    terms = {"subject", "predicate", "object", "graph", "value"}
    types = dict(read(spark, path, terms="struct").dtypes)
    assert {name for name, kind in types.items() if kind == struct} == terms
    assert list(types) == list(PatchRow._fields)


def test_kinds(spark: SparkSession, tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.jellyp", ROWS)
    frame = read(spark, path, terms="struct")
    found = [as_tuple(term) for (term,) in frame.select("object").collect()]
    assert found == list(TERMS.values())
    assert frame.where("graph IS NOT NULL OR value IS NOT NULL").count() == 0


def test_fields_of_structs(spark: SparkSession, tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.jellyp", SAMPLE)
    frame = read(spark, path, terms="struct")
    found = frame.where("object.lang = 'fr'").select("op", "graph.value").collect()
    assert [tuple(row) for row in found] == [("A", f"{EX}g"), ("D", f"{EX}g")]


def test_written_back(spark: SparkSession, tmp_path: Path) -> None:
    for name, rows in (("terms", ROWS), ("sample", SAMPLE)):
        path = write_file(tmp_path / f"{name}.jellyp", rows)
        save(read(spark, path, terms="struct").coalesce(1), tmp_path / name)
        assert only_file(tmp_path / name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("case", case_files("[bdlq]*.json"))
def test_same_rows_as_strings(spark: SparkSession, tmp_path: Path, case: Path) -> None:
    """Written from parts or from strings, a case gives the same bytes."""
    source = case.with_suffix(".jellyp")
    bytes_of = []
    for form in ("string", "struct"):
        save(read(spark, source, terms=form).coalesce(1), tmp_path / form)
        bytes_of.append(only_file(tmp_path / form).read_bytes())
    assert bytes_of[0] == bytes_of[1]


def test_strings_and_structs_in_one_frame(spark: SparkSession, tmp_path: Path) -> None:
    frame = frame_of(spark, SAMPLE).withColumn(
        "predicate",
        F.expr(
            "if(predicate is null, null, named_struct('kind', 'iri', 'value', "
            "substring(predicate, 2, length(predicate) - 2), "
            "'datatype', cast(null as string), 'lang', cast(null as string), "
            "'direction', cast(null as string)))"
        ),
    )
    save(frame, tmp_path / "out")
    assert only_file(tmp_path / "out").read_bytes() == encoded(SAMPLE)


@pytest.mark.parametrize(
    ("parts", "term"),
    [
        (("literal", "x", None, None, None), '"x"'),
        (("literal", "x", f"{XSD}string", None, None), '"x"'),
        (("literal", "x", None, "en", None), '"x"@en'),
        (("literal", "x", None, "", None), '"x"'),
        (("literal", "x", None, "ar", "rtl"), '"x"@ar--rtl'),
        (("literal", "x", f"{RDF}dirLangString", "ar", "rtl"), '"x"@ar--rtl'),
        (("literal", "x", None, "ar--rtl", None), '"x"@ar--rtl'),
        (("literal", "x", f"{RDF}langString", "en", None), '"x"@en'),
        (("triple", "<<<a:s> <a:p> _:o>>", None, None, None), "<<( <a:s> <a:p> _:o )>>"),
    ],
)
def test_parts_that_mean_the_same(
    spark: SparkSession, tmp_path: Path, parts: tuple[str | None, ...], term: str
) -> None:
    struct = "struct<kind:string,value:string,datatype:string,lang:string,direction:string>"
    schema = f"op string, subject string, predicate string, object {struct}"
    frame = spark.createDataFrame([("A", "<a:s>", "<a:p>", parts)], schema).coalesce(1)
    save(frame, tmp_path / "out")
    row = PatchRow("A", "<a:s>", "<a:p>", term)
    assert only_file(tmp_path / "out").read_bytes() == encoded([row])
