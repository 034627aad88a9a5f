"""The Spark schemas of the formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jelly_spark.core.options import check_bool
from jelly_spark.core.packages import needs_extra
from jelly_spark.core.rows import ORDINALS, TERMS
from jelly_spark.core.terms.parts import TermParts
from jelly_spark.errors import OptionError
from jelly_spark.formats import find_read

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

__all__ = ["schema"]

_FORMS = ("string", "struct")


def schema(
    format: str, *, terms: Literal["string", "struct"] = "string", namespaces: bool = False
) -> StructType:
    """Return the schema with which Spark reads files of a format.

        rows = [PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"o"')]
        log = spark.createDataFrame(rows, jelly_spark.schema("jelly_patch"))
        stream = spark.readStream.format("jelly_patch").schema(jelly_spark.schema("jelly_patch"))

    This is the schema of `spark.read.format(format).options(...).load(...)` with the same options.
    All columns are nullable, as in Spark's other file sources.

    Args:
        format: the short name of the format: `jelly_patch`, `jelly_rdf`, `rdf_patch`,
            `rdf_patch_thrift`, `ntriples`, `nquads` or `rdf`.
        terms: the type of the columns that hold terms: `string`, in N-Triples syntax, or `struct`,
            with the fields `kind`, `value`, `datatype`, `lang` and `direction`.
        namespaces: whether to include the columns `name` and `value` of namespaces in Jelly-RDF
            and `rdf`. The patch formats always have these columns; N-Triples and N-Quads never do.

    Raises:
        OptionError: the format is not known, or `terms` or `namespaces` is not one of its values.
        MissingPackageError: PySpark is not installed.
    """
    found = find_read(format)
    if terms not in _FORMS:
        raise OptionError(f"terms must be one of: {', '.join(_FORMS)}; not {terms!r}")
    check_bool("namespaces", namespaces)
    with needs_extra("spark", "a schema needs PySpark"):
        from pyspark.sql.types import LongType, StringType, StructField, StructType
    struct = StructType([StructField(part, StringType()) for part in TermParts._fields])
    fields = []
    for column in found.columns_with(namespaces=namespaces):
        if column in ORDINALS:
            fields.append(StructField(column, LongType()))
        elif column in TERMS and terms == "struct":
            fields.append(StructField(column, struct))
        else:
            fields.append(StructField(column, StringType()))
    return StructType(fields)
