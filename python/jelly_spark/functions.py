r"""Column functions that decode and encode messages, and that work on terms.

    from jelly_spark import functions as jf

    rows = messages.select(F.explode(jf.from_jelly_patch("value")).alias("row")).select("row.*")
    changes.where(jf.is_literal("object")).select(jf.term_value("object"))

They run on the JVM, without Python, in every session that has the jar: see `jelly_spark.configure`.
Over Spark Connect, the server must have the jar. There they have the same names in SQL, where
`DESCRIBE FUNCTION EXTENDED` shows them.

In a session without the jar, they have the same results: `term_kind`, `is_iri` and the like, `iri`,
`bnode`, `literal` and `lang_literal` are expressions of Spark's own functions, and all others are
Python UDFs, which are slower. These need this package on the executors, and pandas and pyarrow.

Each function takes columns, or names of columns, and returns a column. If an argument is null, the
result is null.

A message is a complete file of its format in a column: for example, the value of a Kafka record. In
the Jelly formats, messages are written undelimited unless the option `delimited` is true, and both
variants are read.

- `from_…` returns the rows of a message as an array of structs, with the columns of the data
  source. The whole array is built in memory. Only the columns that the query uses are decoded.
- `to_…` returns the message that holds the rows of an array of structs, with the columns that the
  data source writes.

`options` are those of the data source, by their names in Spark or in `snake_case`, except those
for files (`compression`, `restartInterval`, `indexColumns`, `indexFilterBits`,
`columnNameOfCorruptRecord`). `mode` is FAILFAST (the default: a malformed message is an error) or
PERMISSIVE (a malformed message is null).

A term is a string in N-Triples syntax, as the data sources return it. If an argument is not a term,
the query fails with an error that shows the argument. Each function on terms except `is_term` has a
variant whose name begins with `try_`, which returns null instead.

Raises:
    MissingPackageError: PySpark is not installed; or the session does not have the jar, and a
        package that the function then needs is not installed.
    OptionError: the session does not have the jar, and an option is not valid. With the jar, Spark
        raises an `IllegalArgumentException` instead.
    SparkVersionError: PySpark is older than version 4.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, overload

from jelly_spark.core.options import strings_of
from jelly_spark.core.packages import needs_extra
from jelly_spark.errors import OptionError
from jelly_spark.jvm import session_has_jar

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql._typing import ColumnOrName

__all__ = [
    "bnode",
    "canonical_term",
    "from_jelly_patch",
    "from_jelly_rdf",
    "from_rdf_patch",
    "from_rdf_patch_thrift",
    "iri",
    "is_bnode",
    "is_iri",
    "is_literal",
    "is_term",
    "is_triple",
    "lang_literal",
    "literal",
    "struct_to_term",
    "term_canonical",
    "term_datatype",
    "term_direction",
    "term_kind",
    "term_lang",
    "term_to_struct",
    "term_value",
    "to_jelly_patch",
    "to_jelly_rdf",
    "to_rdf_patch",
    "to_rdf_patch_thrift",
    "triple",
    "triple_object",
    "triple_predicate",
    "triple_subject",
    "try_bnode",
    "try_canonical_term",
    "try_iri",
    "try_is_bnode",
    "try_is_iri",
    "try_is_literal",
    "try_is_triple",
    "try_lang_literal",
    "try_literal",
    "try_struct_to_term",
    "try_term_canonical",
    "try_term_datatype",
    "try_term_direction",
    "try_term_kind",
    "try_term_lang",
    "try_term_to_struct",
    "try_term_value",
    "try_triple",
    "try_triple_object",
    "try_triple_predicate",
    "try_triple_subject",
]

# In characters.
_LONGEST_LABEL = 40

Options: TypeAlias = Mapping[str, "str | int | bool"]


def from_jelly_patch(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the rows of a Jelly-Patch message.

        messages.select(F.explode(jf.from_jelly_patch("value")).alias("row")).select("row.*")

    Args:
        message: a column of binary.
        options: options of the data source `jelly_patch` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _message_call("from_jelly_patch", message, options)


def to_jelly_patch(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the Jelly-Patch message that holds the rows of an array.

        row = F.struct("seq", "op", "subject", "predicate", "object", "graph")
        message = jf.to_jelly_patch(F.array_sort(F.collect_list(row)))
        changes.groupBy("patch").agg(message.alias("value"))

    Args:
        rows: a column of arrays of structs, with the columns of the data source `jelly_patch`.
        options: options of the data source for writing.

    Returns:
        A column of binary.
    """
    return _message_call("to_jelly_patch", rows, options)


def from_jelly_rdf(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the statements of a Jelly-RDF message.

    Args:
        message: a column of binary.
        options: options of the data source `jelly_rdf` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _message_call("from_jelly_rdf", message, options)


def to_jelly_rdf(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the Jelly-RDF message that holds the statements of an array.

    Args:
        rows: a column of arrays of structs, with the columns of the data source `jelly_rdf`.
        options: options of the data source for writing.

    Returns:
        A column of binary.
    """
    return _message_call("to_jelly_rdf", rows, options)


def from_rdf_patch(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the rows of a message in RDF Patch's text format.

    Args:
        message: a column of strings, or of binary in UTF-8.
        options: options of the data source `rdf_patch` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _message_call("from_rdf_patch", message, options)


def to_rdf_patch(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the message in RDF Patch's text format that holds the rows of an array.

    Args:
        rows: a column of arrays of structs, with the columns of the data source `rdf_patch`.
        options: options of the data source for writing.

    Returns:
        A column of strings.
    """
    return _message_call("to_rdf_patch", rows, options)


def from_rdf_patch_thrift(message: ColumnOrName, options: Options | None = None) -> Column:
    """Return the rows of a message in RDF Patch's Thrift format.

    Args:
        message: a column of binary.
        options: options of the data source `rdf_patch_thrift` for reading.

    Returns:
        A column of arrays of structs.
    """
    return _message_call("from_rdf_patch_thrift", message, options)


def to_rdf_patch_thrift(rows: ColumnOrName, options: Options | None = None) -> Column:
    """Return the message in RDF Patch's Thrift format that holds the rows of an array.

    Args:
        rows: a column of arrays of structs, with the columns of the data source `rdf_patch_thrift`.
        options: options of the data source for writing.

    Returns:
        A column of binary.
    """
    return _message_call("to_rdf_patch_thrift", rows, options)


def term_kind(term: ColumnOrName) -> Column:
    """Return the kind of a term: `iri`, `bnode`, `literal` or `triple`.

    Only the beginning of the string is checked; `is_term` checks the whole string.

        changes.select(jf.term_kind("object")).first()[0]  # 'literal'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("term_kind", term)


def try_term_kind(term: ColumnOrName) -> Column:
    """Return the result of `term_kind`, or null if the string does not begin like a term."""
    return _call("try_term_kind", term)


def term_value(term: ColumnOrName) -> Column:
    """Return the IRI, the blank node label or the lexical form of a term, without escapes.

    For a triple term, return its canonical string.

        changes.select(jf.term_value("subject")).first()[0]  # 'urn:x:s'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("term_value", term)


def try_term_value(term: ColumnOrName) -> Column:
    """Return the result of `term_value`, or null if the string is not a term."""
    return _call("try_term_value", term)


def term_datatype(term: ColumnOrName) -> Column:
    """Return the IRI of a literal's datatype; null for other terms.

        changes.select(jf.term_datatype("object")).first()[0].split("#")[1]  # 'string'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("term_datatype", term)


def try_term_datatype(term: ColumnOrName) -> Column:
    """Return the result of `term_datatype`, or null if the string is not a term."""
    return _call("try_term_datatype", term)


def term_lang(term: ColumnOrName) -> Column:
    """Return the language tag of a literal, as it is written but without a base direction.

    The result is null for a literal without a language tag, and for other terms.

        changes.where(jf.term_lang("object") == "fr").count()  # 0

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("term_lang", term)


def try_term_lang(term: ColumnOrName) -> Column:
    """Return the result of `term_lang`, or null if the string is not a term."""
    return _call("try_term_lang", term)


def term_direction(term: ColumnOrName) -> Column:
    """Return the base direction of a literal: `ltr` or `rtl`.

    The result is null for a literal without a base direction, and for other terms.

        changes.where(jf.term_direction("object") == "rtl").count()  # 0

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("term_direction", term)


def try_term_direction(term: ColumnOrName) -> Column:
    """Return the result of `term_direction`, or null if the string is not a term."""
    return _call("try_term_direction", term)


def is_iri(term: ColumnOrName) -> Column:
    """Return whether a term is an IRI; only the beginning of the string is checked.

        changes.where(jf.is_iri("object")).count()  # 0

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("is_iri", term)


def try_is_iri(term: ColumnOrName) -> Column:
    """Return the result of `is_iri`, or null if the string does not begin like a term."""
    return _call("try_is_iri", term)


def is_bnode(term: ColumnOrName) -> Column:
    """Return whether a term is a blank node; only the beginning of the string is checked.

        changes.where(jf.is_bnode("subject")).count()  # 0

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("is_bnode", term)


def try_is_bnode(term: ColumnOrName) -> Column:
    """Return the result of `is_bnode`, or null if the string does not begin like a term."""
    return _call("try_is_bnode", term)


def is_literal(term: ColumnOrName) -> Column:
    """Return whether a term is a literal; only the beginning of the string is checked.

        changes.where(jf.is_literal("object")).count()  # 1

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("is_literal", term)


def try_is_literal(term: ColumnOrName) -> Column:
    """Return the result of `is_literal`, or null if the string does not begin like a term."""
    return _call("try_is_literal", term)


def is_triple(term: ColumnOrName) -> Column:
    """Return whether a term is a triple term; only the beginning of the string is checked.

        changes.where(jf.is_triple("subject")).count()  # 0

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("is_triple", term)


def try_is_triple(term: ColumnOrName) -> Column:
    """Return the result of `is_triple`, or null if the string does not begin like a term."""
    return _call("try_is_triple", term)


def is_term(string: ColumnOrName) -> Column:
    """Return whether a string is a term; the whole string is checked, and any string is accepted.

        changes.select(jf.is_term("subject"), jf.is_term("op")).first()[:]  # (True, False)

    Args:
        string: any string.
    """
    return _call("is_term", string)


def canonical_term(term: ColumnOrName) -> Column:
    """Return a term in canonical form, as the data sources return terms.

    Equal terms have equal canonical forms. Apply this to strings from other sources before a join.

        changes.join(others, jf.canonical_term(others.term) == changes.object).count()  # 1

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("canonical_term", term)


def try_canonical_term(term: ColumnOrName) -> Column:
    """Return the result of `canonical_term`, or null if the string is not a term."""
    return _call("try_canonical_term", term)


def term_canonical(term: ColumnOrName) -> Column:
    """Return a term in RDF 1.2's canonical N-Triples, of which RDFC-1.0 makes hashes.

    Other than in `canonical_term`, language tags are in lower case, and control characters in
    literals are escapes. A term that canonical N-Triples cannot have as an object is an error, such
    as a relative IRI, or a triple term whose subject is a triple term.

        labels.select(jf.term_canonical("label")).first()[0]  # '"chat"@fr'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("term_canonical", term)


def try_term_canonical(term: ColumnOrName) -> Column:
    """Return the result of `term_canonical`, or null where that fails."""
    return _call("try_term_canonical", term)


def triple_subject(term: ColumnOrName) -> Column:
    """Return the subject of a triple term, in canonical form; null for other terms.

        triples.select(jf.triple_subject("triple")).first()[0]  # '_:b'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("triple_subject", term)


def try_triple_subject(term: ColumnOrName) -> Column:
    """Return the result of `triple_subject`, or null if the string is not a term."""
    return _call("try_triple_subject", term)


def triple_predicate(term: ColumnOrName) -> Column:
    """Return the predicate of a triple term, in canonical form; null for other terms.

        triples.select(jf.triple_predicate("triple")).first()[0]  # '<urn:x:p>'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("triple_predicate", term)


def try_triple_predicate(term: ColumnOrName) -> Column:
    """Return the result of `triple_predicate`, or null if the string is not a term."""
    return _call("try_triple_predicate", term)


def triple_object(term: ColumnOrName) -> Column:
    """Return the object of a triple term, in canonical form; null for other terms.

        triples.select(jf.triple_object("triple")).first()[0]  # '"o"'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("triple_object", term)


def try_triple_object(term: ColumnOrName) -> Column:
    """Return the result of `triple_object`, or null if the string is not a term."""
    return _call("try_triple_object", term)


def iri(value: ColumnOrName) -> Column:
    r"""Return an IRI as a term; characters that N-Triples does not allow in it are escaped.

        names.select(jf.iri("iri")).first()[0]  # '<http://example.org/cup>'
        changes.where(changes.predicate == jf.iri(lit("urn:x:p"))).count()  # 1

    Args:
        value: the IRI, without angle brackets and without escapes; a value that begins with an
            angle bracket is an error.
    """
    return _call("iri", value)


def try_iri(value: ColumnOrName) -> Column:
    """Return the result of `iri`, or null if the value begins with an angle bracket."""
    return _call("try_iri", value)


def bnode(label: ColumnOrName) -> Column:
    """Return a blank node as a term.

        names.select(jf.bnode("id")).first()[0]  # '_:b1'

    Args:
        label: the label, without `_:`. If it has characters that are not allowed after `_:`, the
            term is `<_:label>`, as in RDF Patch.
    """
    return _call("bnode", label)


def try_bnode(label: ColumnOrName) -> Column:
    """Return the result of `bnode`, or null if the label begins with `_:`."""
    return _call("try_bnode", label)


@overload
def literal(value: ColumnOrName, datatype: Column | str | None = None) -> Column: ...


@overload
def literal(value: ColumnOrName, lang: Column | str, direction: Column | str, /) -> Column: ...


@overload
def literal(
    value: ColumnOrName, *, lang: Column | str, direction: Column | str | None = None
) -> Column: ...


def literal(
    value: ColumnOrName,
    datatype: Column | str | None = None,
    direction: Column | str | None = None,
    *,
    lang: Column | str | None = None,
) -> Column:
    r"""Return a literal as a term.

        names.select(jf.literal("name")).first()[0]  # '"Cup"'
        names.select(jf.literal("name", "urn:x:name")).first()[0]  # '"Cup"^^<urn:x:name>'
        names.select(jf.literal("name", lang="en")).first()[0]  # '"Cup"@en'
        names.select(jf.literal("name", "en", "ltr")).first()[0]  # '"Cup"@en--ltr'

    Args:
        value: the lexical form, without quotes and without escapes.
        datatype: the IRI of the datatype, or a column of such IRIs, without angle brackets; by
            default xsd:string. If a base direction follows, the language tag.
        direction: the base direction, `ltr` or `rtl`, or a column of base directions; by default
            none.
        lang: the language tag, or a column of language tags, in place of a datatype.

    Raises:
        OptionError: there are both a datatype and a language tag, or there is a base direction
            without a language tag.
    """
    return _literal("", value, datatype, lang, direction)


@overload
def try_literal(value: ColumnOrName, datatype: Column | str | None = None) -> Column: ...


@overload
def try_literal(value: ColumnOrName, lang: Column | str, direction: Column | str, /) -> Column: ...


@overload
def try_literal(
    value: ColumnOrName, *, lang: Column | str, direction: Column | str | None = None
) -> Column: ...


def try_literal(
    value: ColumnOrName,
    datatype: Column | str | None = None,
    direction: Column | str | None = None,
    *,
    lang: Column | str | None = None,
) -> Column:
    """Return the result of `literal`, or null where that is an error.

    It is one if the datatype begins with an angle bracket, or if the language tag or the base
    direction is not well-formed.
    """
    return _literal("try_", value, datatype, lang, direction)


def lang_literal(
    value: ColumnOrName, lang: Column | str, direction: Column | str | None = None
) -> Column:
    """Return a literal with a language tag as a term.

        names.select(jf.lang_literal("name", "en")).first()[0]  # '"Cup"@en'
        names.select(jf.lang_literal("name", "en", "ltr")).first()[0]  # '"Cup"@en--ltr'

    Args:
        value: the lexical form, without quotes and without escapes.
        lang: the language tag, or a column of language tags: letters, digits and hyphens.
        direction: the base direction, `ltr` or `rtl`, or a column of base directions; by default
            none.
    """
    return _call_constants("lang_literal", value, lang, direction)


def try_lang_literal(
    value: ColumnOrName, lang: Column | str, direction: Column | str | None = None
) -> Column:
    """Return the result of `lang_literal`, or null where that is an error.

    It is one if the language tag or the base direction is not well-formed.
    """
    return _call_constants("try_lang_literal", value, lang, direction)


def triple(subject: ColumnOrName, predicate: ColumnOrName, object: ColumnOrName) -> Column:
    """Return a triple term as a term, in canonical form.

        triple = jf.triple("subject", "predicate", "object")
        changes.select(triple).first()[0]  # '<<( <urn:x:s> <urn:x:p> "o" )>>'

    Args:
        subject: a term as a string in N-Triples syntax.
        predicate: a term as a string in N-Triples syntax.
        object: a term as a string in N-Triples syntax.
    """
    return _call("triple", subject, predicate, object)


def try_triple(subject: ColumnOrName, predicate: ColumnOrName, object: ColumnOrName) -> Column:
    """Return the result of `triple`, or null if one of the strings is not a term."""
    return _call("try_triple", subject, predicate, object)


def term_to_struct(term: ColumnOrName) -> Column:
    """Return a term as a struct of `kind`, `value`, `datatype`, `lang` and `direction`.

    The data sources return such structs if the option `terms` is `struct`.

        changes.select(jf.term_to_struct("object").kind).first()[0]  # 'literal'

    Args:
        term: a term as a string in N-Triples syntax.
    """
    return _call("term_to_struct", term)


def try_term_to_struct(term: ColumnOrName) -> Column:
    """Return the result of `term_to_struct`, or null if the string is not a term."""
    return _call("try_term_to_struct", term)


def struct_to_term(struct: ColumnOrName) -> Column:
    """Return the term that a struct describes, in canonical form.

        struct = jf.term_to_struct("object")
        changes.select(jf.struct_to_term(struct)).first()[0]  # '"o"'

    Args:
        struct: a struct of five strings, as `term_to_struct` returns it.
    """
    return _call("struct_to_term", struct)


def try_struct_to_term(struct: ColumnOrName) -> Column:
    """Return the result of `struct_to_term`, or null if the fields are not those of a term."""
    return _call("try_struct_to_term", struct)


def _message_call(name: str, argument: ColumnOrName, options: Options | None) -> Column:
    strings = strings_of((options or {}).items())
    if not session_has_jar():
        from jelly_spark.python_functions.message_columns import message_column

        (column,) = _columns(argument)
        return message_column(name, column, strings).alias(_label(name, column))
    if not strings:
        return _call_jar(name, argument)
    from pyspark.sql.functions import create_map, lit

    entries = [lit(text) for entry in strings.items() for text in entry]
    return _call_jar(name, argument, create_map(*entries))


def _literal(
    prefix: str,
    value: ColumnOrName,
    datatype: Column | str | None,
    lang: Column | str | None,
    direction: Column | str | None,
) -> Column:
    if lang is None:
        if direction is not None and datatype is None:
            raise OptionError("a literal with a base direction needs a language tag")
        return _call_constants(f"{prefix}literal", value, datatype, direction)
    if datatype is not None:
        raise OptionError("a literal has a language tag or a datatype, not both")
    return _call_constants(f"{prefix}lang_literal", value, lang, direction)


def _call_constants(name: str, value: ColumnOrName, *others: Column | str | None) -> Column:
    """Call a function whose arguments after the first are, if they are `str`, constants.

    They are not names of columns. Those that are None are left out.
    """
    with needs_extra("spark", "the column functions need PySpark"):
        from pyspark.sql.functions import lit
    return _call(name, value, *(lit(other) for other in others if other is not None))


def _call(name: str, *arguments: ColumnOrName) -> Column:
    """Call a function on terms."""
    if session_has_jar():
        return _call_jar(name, *arguments)
    from jelly_spark.python_functions.term_columns import term_column

    columns = _columns(*arguments)
    return term_column(name, *columns).alias(_label(name, *columns))


def _call_jar(name: str, *arguments: ColumnOrName) -> Column:
    from pyspark.sql.functions import call_function

    return call_function(name, *arguments)


def _columns(*arguments: ColumnOrName) -> list[Column]:
    from pyspark.sql.functions import col

    return [col(column) if isinstance(column, str) else column for column in arguments]


def _label(name: str, *columns: Column) -> str:
    """Return the name that Spark gives to a call of a function of the jar.

    An argument that is not short, such as another call, is shown as `…`.
    """
    # `Column<'term'>` is a column, `Column<''a''>` a constant.
    texts = [str(column)[len("Column<'") : -len("'>")].strip("'") for column in columns]
    shown = (text if len(text) <= _LONGEST_LABEL else "…" for text in texts)
    return f"{name}({', '.join(shown)})"
