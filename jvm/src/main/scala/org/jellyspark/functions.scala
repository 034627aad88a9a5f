package org.jellyspark

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{call_function, lit, map}

/** The column functions, for the DataFrame API: messages to rows and back, and terms.
  *
  * {{{
  * import org.jellyspark.functions._
  * messages.select(explode(from_jelly_patch($"value")).as("row")).select("row.*")
  * log.where(is_literal($"object")).select(term_value($"object"))
  * }}}
  *
  * They have the names of the functions in SQL, whose `DESCRIBE FUNCTION EXTENDED` has more about
  * each. A function is null if an argument is null.
  *
  * A message is one file of its format, in a column. In the Jelly formats, it is written
  * undelimited unless the option `delimited` is true, and read in both forms.
  *
  *   - `from_…` returns the rows of a message as an array of structs, with the columns of the data
  *     source. The array is made as a whole: memory grows with the rows of the longest message. Of
  *     each row, only the columns that the query uses are decoded.
  *   - `to_…` returns the message that holds the rows of an array of structs. It takes the columns
  *     that the data source writes.
  *
  * `options` are those of the data source, apart from those of files (`compression`,
  * `restartInterval`, `columnNameOfCorruptRecord`). `mode` is FAILFAST (default: a malformed
  * message is an error) or PERMISSIVE (a malformed message is null).
  *
  * A term is a string in N-Triples syntax. A function fails if an argument is not a term; `try_…`
  * is null there.
  */
object functions {

  // Messages

  /** The rows of a Jelly-Patch message, a column of binary. */
  def from_jelly_patch(message: Column): Column = call("from_jelly_patch", message)

  /** As the other `from_jelly_patch`, with options. */
  def from_jelly_patch(message: Column, options: Map[String, String]): Column =
    call("from_jelly_patch", message, entries(options))

  /** The Jelly-Patch message, a column of binary, that holds the rows of an array. */
  def to_jelly_patch(rows: Column): Column = call("to_jelly_patch", rows)

  /** As the other `to_jelly_patch`, with options. */
  def to_jelly_patch(rows: Column, options: Map[String, String]): Column =
    call("to_jelly_patch", rows, entries(options))

  /** The statements of a Jelly-RDF message, a column of binary. */
  def from_jelly_rdf(message: Column): Column = call("from_jelly_rdf", message)

  /** As the other `from_jelly_rdf`, with options. */
  def from_jelly_rdf(message: Column, options: Map[String, String]): Column =
    call("from_jelly_rdf", message, entries(options))

  /** The Jelly-RDF message, a column of binary, that holds the statements of an array. */
  def to_jelly_rdf(rows: Column): Column = call("to_jelly_rdf", rows)

  /** As the other `to_jelly_rdf`, with options. */
  def to_jelly_rdf(rows: Column, options: Map[String, String]): Column =
    call("to_jelly_rdf", rows, entries(options))

  /** The rows of an RDF Patch, a column of strings or of binary that is UTF-8. */
  def from_rdf_patch(message: Column): Column = call("from_rdf_patch", message)

  /** As the other `from_rdf_patch`, with options. */
  def from_rdf_patch(message: Column, options: Map[String, String]): Column =
    call("from_rdf_patch", message, entries(options))

  /** The RDF Patch, a column of strings, that holds the rows of an array. */
  def to_rdf_patch(rows: Column): Column = call("to_rdf_patch", rows)

  /** As the other `to_rdf_patch`, with options. */
  def to_rdf_patch(rows: Column, options: Map[String, String]): Column =
    call("to_rdf_patch", rows, entries(options))

  /** The rows of an RDF Patch in Thrift, a column of binary. */
  def from_rdf_patch_thrift(message: Column): Column =
    call("from_rdf_patch_thrift", message)

  /** As the other `from_rdf_patch_thrift`, with options. */
  def from_rdf_patch_thrift(message: Column, options: Map[String, String]): Column =
    call("from_rdf_patch_thrift", message, entries(options))

  /** The RDF Patch in Thrift, a column of binary, that holds the rows of an array. */
  def to_rdf_patch_thrift(rows: Column): Column = call("to_rdf_patch_thrift", rows)

  /** As the other `to_rdf_patch_thrift`, with options. */
  def to_rdf_patch_thrift(rows: Column, options: Map[String, String]): Column =
    call("to_rdf_patch_thrift", rows, entries(options))

  // Terms

  /** The kind of a term: `iri`, `bnode`, `literal` or `triple`. */
  def term_kind(term: Column): Column = call("term_kind", term)

  /** As [[term_kind]], but null instead of an error. */
  def try_term_kind(term: Column): Column = call("try_term_kind", term)

  /** The IRI, the blank node label or the lexical form of a term, without escapes. */
  def term_value(term: Column): Column = call("term_value", term)

  /** As [[term_value]], but null instead of an error. */
  def try_term_value(term: Column): Column = call("try_term_value", term)

  /** The IRI of a literal's datatype; null for other terms. */
  def term_datatype(term: Column): Column = call("term_datatype", term)

  /** As [[term_datatype]], but null instead of an error. */
  def try_term_datatype(term: Column): Column = call("try_term_datatype", term)

  /** The language tag of a literal; null for other terms. */
  def term_lang(term: Column): Column = call("term_lang", term)

  /** As [[term_lang]], but null instead of an error. */
  def try_term_lang(term: Column): Column = call("try_term_lang", term)

  /** Whether a term is an IRI. */
  def is_iri(term: Column): Column = call("is_iri", term)

  /** As [[is_iri]], but null instead of an error. */
  def try_is_iri(term: Column): Column = call("try_is_iri", term)

  /** Whether a term is a blank node. */
  def is_bnode(term: Column): Column = call("is_bnode", term)

  /** As [[is_bnode]], but null instead of an error. */
  def try_is_bnode(term: Column): Column = call("try_is_bnode", term)

  /** Whether a term is a literal. */
  def is_literal(term: Column): Column = call("is_literal", term)

  /** As [[is_literal]], but null instead of an error. */
  def try_is_literal(term: Column): Column = call("try_is_literal", term)

  /** Whether a term is a quoted triple. */
  def is_quoted(term: Column): Column = call("is_quoted", term)

  /** As [[is_quoted]], but null instead of an error. */
  def try_is_quoted(term: Column): Column = call("try_is_quoted", term)

  /** Whether a string is a term. It checks the whole string, and never fails. */
  def is_term(string: Column): Column = call("is_term", string)

  /** The term in canonical form, in which files are read. */
  def canonical_term(term: Column): Column = call("canonical_term", term)

  /** As [[canonical_term]], but null instead of an error. */
  def try_canonical_term(term: Column): Column = call("try_canonical_term", term)

  /** The subject of a quoted triple; null for other terms. */
  def quoted_subject(term: Column): Column = call("quoted_subject", term)

  /** As [[quoted_subject]], but null instead of an error. */
  def try_quoted_subject(term: Column): Column = call("try_quoted_subject", term)

  /** The predicate of a quoted triple; null for other terms. */
  def quoted_predicate(term: Column): Column = call("quoted_predicate", term)

  /** As [[quoted_predicate]], but null instead of an error. */
  def try_quoted_predicate(term: Column): Column = call("try_quoted_predicate", term)

  /** The object of a quoted triple; null for other terms. */
  def quoted_object(term: Column): Column = call("quoted_object", term)

  /** As [[quoted_object]], but null instead of an error. */
  def try_quoted_object(term: Column): Column = call("try_quoted_object", term)

  /** The term of an IRI, which is given without angle brackets and without escapes. */
  def iri(value: Column): Column = call("iri", value)

  /** As [[iri]], but null instead of an error. */
  def try_iri(value: Column): Column = call("try_iri", value)

  /** The term of a blank node, whose label is given without `_:`. */
  def bnode(label: Column): Column = call("bnode", label)

  /** As [[bnode]], but null instead of an error. */
  def try_bnode(label: Column): Column = call("try_bnode", label)

  /** The literal of a lexical form, with the datatype xsd:string. */
  def literal(value: Column): Column = call("literal", value)

  /** As `literal`, but null instead of an error. */
  def try_literal(value: Column): Column = call("try_literal", value)

  /** The literal of a lexical form and the IRI of a datatype. */
  def literal(value: Column, datatype: Column): Column = call("literal", value, datatype)

  /** As `literal`, but null instead of an error. */
  def try_literal(value: Column, datatype: Column): Column = call("try_literal", value, datatype)

  /** The literal of a lexical form and a language tag. */
  def lang_literal(value: Column, lang: Column): Column = call("lang_literal", value, lang)

  /** As [[lang_literal]], but null instead of an error. */
  def try_lang_literal(value: Column, lang: Column): Column = call("try_lang_literal", value, lang)

  /** The quoted triple of three terms. */
  def quoted(subject: Column, predicate: Column, obj: Column): Column =
    call("quoted", subject, predicate, obj)

  /** As [[quoted]], but null instead of an error. */
  def try_quoted(subject: Column, predicate: Column, obj: Column): Column =
    call("try_quoted", subject, predicate, obj)

  /** A term as a struct of `kind`, `value`, `datatype` and `lang`. */
  def term_to_struct(term: Column): Column = call("term_to_struct", term)

  /** As [[term_to_struct]], but null instead of an error. */
  def try_term_to_struct(term: Column): Column = call("try_term_to_struct", term)

  /** The term of a struct as [[term_to_struct]] returns it. */
  def struct_to_term(struct: Column): Column = call("struct_to_term", struct)

  /** As [[struct_to_term]], but null instead of an error. */
  def try_struct_to_term(struct: Column): Column = call("try_struct_to_term", struct)

  private def call(name: String, arguments: Column*): Column = call_function(name, arguments: _*)

  private def entries(options: Map[String, String]): Column =
    map(options.toSeq.flatMap { case (name, value) => Seq(lit(name), lit(value)) }: _*)
}
