"""Columns of the functions on terms.

Functions that look only at the beginning of a term, and those that build a term from other strings,
are expressions of Spark's own functions. Functions that parse terms are Python UDFs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import BooleanType, StringType, StructField, StructType

from jelly_spark.core.show import CONTROL_CHARACTERS, SHOWN_CHARACTERS
from jelly_spark.core.terms.base_direction import DIRECTIONS, SEPARATOR
from jelly_spark.core.terms.parts import TermParts
from jelly_spark.core.terms.text import CANONICAL_LABEL, ESCAPED_IN_IRI, TAG_CHARACTERS, XSD_STRING
from jelly_spark.python_functions.arrow_udf import call_udf
from jelly_spark.python_functions.terms import (
    COMPUTE,
    MOST_SHOWN,
    compute,
    is_term,
    struct_to_term,
)

if TYPE_CHECKING:
    from pyspark.sql import Column

_STRUCT = StructType([StructField(part, StringType()) for part in TermParts._fields])

_KINDS = {"is_iri": "iri", "is_bnode": "bnode", "is_literal": "literal", "is_triple": "triple"}

# The shortest terms are `<>` and `""`.
_MIN_SIZE = 2


def term_column(name: str, *arguments: Column) -> Column:
    """Return the column of a function on terms.

    Args:
        name: the name of the function, with `try_` or without.
        arguments: its arguments.
    """
    plain = name.removeprefix("try_")
    is_try = plain != name
    if plain == "struct_to_term":
        (struct,) = arguments
        fields = F.struct(*(_bytes(struct[part]).alias(part) for part in TermParts._fields))
        whole = F.when(struct.isNotNull(), fields)
        return call_udf(partial(struct_to_term, is_try), name, StringType(), whole)
    if plain == "is_term":
        return call_udf(is_term, name, BooleanType(), *map(_bytes, arguments))
    if plain in COMPUTE:
        result = _STRUCT if plain == "term_to_struct" else StringType()
        return call_udf(partial(compute, plain, is_try), name, result, *map(_bytes, arguments))
    texts = [_bytes(argument).cast("string") for argument in arguments]
    if plain in _KINDS:
        return _kind(name, is_try, *texts) == _KINDS[plain]
    return _EXPRESSIONS[plain](name, is_try, *texts)


def _bytes(argument: Column) -> Column:
    """Return the UTF-8 of a string, or of an argument that Spark converts to a string."""
    return F.concat(argument, F.lit("")).cast("binary")


def _kind(name: str, is_try: bool, term: Column) -> Column:
    is_bnode = term.startswith("_:") | term.startswith("<_:")
    kind = (
        F.when(F.octet_length(term) < _MIN_SIZE, None)
        .when(term.startswith('"'), "literal")
        .when(term.startswith("<<"), "triple")
        .when(is_bnode, "bnode")
        .when(term.startswith("<"), "iri")
    )
    problem = F.when(kind.isNull(), "expected an RDF term in N-Triples syntax")
    return _checked(name, is_try, problem, kind, term)


def _iri(name: str, is_try: bool, value: Column) -> Column:
    problem = _bracket_problem(value)
    return _checked(name, is_try, _utf8_problem(problem, value), _iri_term(value), value)


def _bnode(name: str, is_try: bool, label: Column) -> Column:
    escaped = F.concat(F.lit("<_:"), _escaped_iri(label), F.lit(">"))
    term = F.when(label.rlike(rf"\A{CANONICAL_LABEL}\z"), F.concat(F.lit("_:"), label))
    problem = F.when(label.startswith("_:"), "expected a blank node label without '_:'")
    return _checked(name, is_try, _utf8_problem(problem, label), term.otherwise(escaped), label)


def _literal(
    name: str,
    is_try: bool,
    value: Column,
    datatype: Column | None = None,
    direction: Column | None = None,
) -> Column:
    """Return the column of `literal`; before a base direction, `datatype` is the language."""
    if datatype is not None and direction is not None:
        return _lang_literal(name, is_try, value, datatype, direction)
    if datatype is None:
        return _checked(name, is_try, _utf8_problem(None, value), _quote(value), value)
    typed = F.concat(_quote(value), F.lit("^^"), _iri_term(datatype))
    term = F.when(datatype == XSD_STRING, _quote(value)).otherwise(typed)
    problem = _utf8_problem(_bracket_problem(datatype), value, datatype)
    return _checked(name, is_try, problem, term, value, datatype)


def _lang_literal(
    name: str, is_try: bool, value: Column, lang: Column, direction: Column | None = None
) -> Column:
    arguments = (value, lang) if direction is None else (value, lang, direction)
    tag = lang if direction is None else F.concat(lang, F.lit(SEPARATOR), direction)
    is_tag = tag.rlike(rf"\A[{TAG_CHARACTERS}]+\z")
    problem = F.coalesce(
        F.when(~F.is_valid_utf8(tag), "expected UTF-8"),
        _direction_problem(tag),
        F.when(~is_tag, "expected a language tag of letters, digits and hyphens"),
    )
    term = F.concat(_quote(value), F.lit("@"), tag)
    return _checked(name, is_try, _utf8_problem(problem, value), term, *arguments)


def _direction_problem(tag: Column) -> Column:
    """Return what is wrong with the base direction of a language tag; null if nothing is."""
    at = F.instr(tag, SEPARATOR)
    is_valid = (at > 1) & F.substr(tag, at + len(SEPARATOR)).isin(*DIRECTIONS)
    expected = F.when(at == 1, "a language tag").otherwise("a base direction, --ltr or --rtl")
    shown = F.when(
        F.char_length(tag) > SHOWN_CHARACTERS,
        F.concat(F.left(tag, F.lit(SHOWN_CHARACTERS)), F.lit("…")),
    ).otherwise(tag)
    found = F.concat(F.lit("'"), _escaped(shown, CONTROL_CHARACTERS), F.lit("'"))
    problem = F.concat(F.lit("expected "), expected, F.lit(", found "), found)
    return F.when((at > 0) & ~is_valid, problem)


_EXPRESSIONS: dict[str, Callable[..., Column]] = {
    "term_kind": _kind,
    "iri": _iri,
    "bnode": _bnode,
    "literal": _literal,
    "lang_literal": _lang_literal,
}


def _checked(
    name: str, is_try: bool, problem: Column, result: Column, *arguments: Column
) -> Column:
    """Return the result of a function; null, or an error without `is_try`, if there is a problem.

    Args:
        name: the name of the function.
        is_try: whether the function returns null instead of an error.
        problem: what is wrong with the arguments; null if nothing is.
        result: the result of arguments without a problem, which is null if one of them is null.
        arguments: the arguments.
    """
    has_problem = problem.isNotNull()
    for argument in arguments:
        has_problem &= argument.isNotNull()
    if is_try:
        return F.when(has_problem, None).otherwise(result)
    shown = F.left(F.concat_ws("', '", *arguments), F.lit(MOST_SHOWN))
    before, after = F.lit(f"{name}: "), F.lit(f"' (try_{name} returns null instead)")
    error = F.raise_error(F.concat(before, problem, F.lit("; in '"), shown, after))
    return F.when(has_problem, error).otherwise(result)


def _utf8_problem(other: Column | None, *arguments: Column) -> Column:
    """Return a problem, or else that an argument is not UTF-8."""
    is_valid = reduce(operator.and_, map(F.is_valid_utf8, arguments))
    problem = F.when(~is_valid, "expected UTF-8")
    return problem if other is None else F.coalesce(other, problem)


def _bracket_problem(iri: Column) -> Column:
    return F.when(iri.startswith("<"), "expected an IRI without angle brackets")


def _quote(value: Column) -> Column:
    for character, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        value = F.replace(value, F.lit(character), F.lit(escape))
    return F.concat(F.lit('"'), value, F.lit('"'))


def _iri_term(value: Column) -> Column:
    escaped = _escaped_iri(value)
    # `<_:x>` is a blank node, so the underscore is escaped.
    is_label = value.startswith("_:")
    text = F.when(is_label, F.concat(F.lit("\\u005F"), F.substr(escaped, F.lit(2))))
    return F.concat(F.lit("<"), text.otherwise(escaped), F.lit(">"))


def _escaped_iri(value: Column) -> Column:
    return _escaped(value, ESCAPED_IN_IRI)


def _escaped(value: Column, characters: str) -> Column:
    r"""Escape the characters of a character class as `\uXXXX`."""
    is_escaped = f"[{characters}]"

    def escape(character: Column) -> Column:
        code = F.lpad(F.hex(F.ascii(character)), 4, "0")
        return F.when(character.rlike(is_escaped), F.concat(F.lit("\\u"), code)).otherwise(
            character
        )

    escaped = F.transform(F.split(value, ""), escape)
    return F.when(value.rlike(is_escaped), F.array_join(escaped, "")).otherwise(value)
