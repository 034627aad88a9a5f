package org.jellyspark

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{call_function, lit, map}

/** Column functions for the DataFrame API, to decode and encode messages and to work with terms.
  *
  * {{{
  * import org.jellyspark.functions._
  * messages.select(explode(from_jelly_patch($"value")).as("row")).select("row.*")
  * log.where(is_literal($"object")).select(term_value($"object"))
  * }}}
  *
  * The functions have the same names in SQL, where `DESCRIBE FUNCTION EXTENDED` documents each of
  * them. If an argument is null, the result is null.
  *
  * A message is one file of its format, stored in a column. Messages in the Jelly formats are
  * written undelimited unless the option `delimited` is true, and can be read in both forms.
  *
  *   - `from_…` returns the rows of a message as an array of structs, with the columns of the data
  *     source. The array is built as a whole, so memory grows with the longest message. Only the
  *     columns that the query uses are decoded.
  *   - `to_…` encodes an array of structs as a message. It takes the columns that the data source
  *     writes.
  *
  * `options` are the options of the data source, except those of files (`compression`,
  * `restartInterval`, `columnNameOfCorruptRecord`). `mode` is FAILFAST (the default: a malformed
  * message is an error) or PERMISSIVE (a malformed message becomes null).
  *
  * A term is a string in N-Triples syntax. A function fails if an argument is not a term; its
  * `try_…` form returns null instead.
  */
object functions {

  // Messages

  /** Decodes the Jelly-Patch messages in a binary column to arrays of rows. */
  def from_jelly_patch(message: Column): Column = call("from_jelly_patch", message)

  /** Like the other `from_jelly_patch`, with options of the data source. */
  def from_jelly_patch(message: Column, options: Map[String, String]): Column =
    call("from_jelly_patch", message, entries(options))

  /** Encodes arrays of rows as binary Jelly-Patch messages. */
  def to_jelly_patch(rows: Column): Column = call("to_jelly_patch", rows)

  /** Like the other `to_jelly_patch`, with options of the data source. */
  def to_jelly_patch(rows: Column, options: Map[String, String]): Column =
    call("to_jelly_patch", rows, entries(options))

  /** Decodes the Jelly-RDF messages in a binary column to arrays of statements. */
  def from_jelly_rdf(message: Column): Column = call("from_jelly_rdf", message)

  /** Like the other `from_jelly_rdf`, with options of the data source. */
  def from_jelly_rdf(message: Column, options: Map[String, String]): Column =
    call("from_jelly_rdf", message, entries(options))

  /** Encodes arrays of statements as binary Jelly-RDF messages. */
  def to_jelly_rdf(rows: Column): Column = call("to_jelly_rdf", rows)

  /** Like the other `to_jelly_rdf`, with options of the data source. */
  def to_jelly_rdf(rows: Column, options: Map[String, String]): Column =
    call("to_jelly_rdf", rows, entries(options))

  /** Decodes the RDF Patches in a column of strings or UTF-8 binary to arrays of rows. */
  def from_rdf_patch(message: Column): Column = call("from_rdf_patch", message)

  /** Like the other `from_rdf_patch`, with options of the data source. */
  def from_rdf_patch(message: Column, options: Map[String, String]): Column =
    call("from_rdf_patch", message, entries(options))

  /** Encodes arrays of rows as RDF Patch strings. */
  def to_rdf_patch(rows: Column): Column = call("to_rdf_patch", rows)

  /** Like the other `to_rdf_patch`, with options of the data source. */
  def to_rdf_patch(rows: Column, options: Map[String, String]): Column =
    call("to_rdf_patch", rows, entries(options))

  /** Decodes the Thrift-encoded RDF Patches in a binary column to arrays of rows. */
  def from_rdf_patch_thrift(message: Column): Column =
    call("from_rdf_patch_thrift", message)

  /** Like the other `from_rdf_patch_thrift`, with options of the data source. */
  def from_rdf_patch_thrift(message: Column, options: Map[String, String]): Column =
    call("from_rdf_patch_thrift", message, entries(options))

  /** Encodes arrays of rows as binary, Thrift-encoded RDF Patches. */
  def to_rdf_patch_thrift(rows: Column): Column = call("to_rdf_patch_thrift", rows)

  /** Like the other `to_rdf_patch_thrift`, with options of the data source. */
  def to_rdf_patch_thrift(rows: Column, options: Map[String, String]): Column =
    call("to_rdf_patch_thrift", rows, entries(options))

  // Terms

  /** The kind of a term: `iri`, `bnode`, `literal` or `triple`. Only looks at how the string
    * begins.
    */
  def term_kind(term: Column): Column = call("term_kind", term)

  /** Like [[term_kind]], but returns null instead of failing. */
  def try_term_kind(term: Column): Column = call("try_term_kind", term)

  /** The IRI, blank node label or lexical form of a term, without escapes; for a triple term, its
    * canonical N-Triples syntax.
    */
  def term_value(term: Column): Column = call("term_value", term)

  /** Like [[term_value]], but returns null instead of failing. */
  def try_term_value(term: Column): Column = call("try_term_value", term)

  /** The datatype IRI of a literal; null for other terms. */
  def term_datatype(term: Column): Column = call("term_datatype", term)

  /** Like [[term_datatype]], but returns null instead of failing. */
  def try_term_datatype(term: Column): Column = call("try_term_datatype", term)

  /** The language tag of a literal, without its base direction; null for other terms. */
  def term_lang(term: Column): Column = call("term_lang", term)

  /** Like [[term_lang]], but returns null instead of failing. */
  def try_term_lang(term: Column): Column = call("try_term_lang", term)

  /** The base direction of a literal, `ltr` or `rtl`; null for a literal without one and for other
    * terms.
    */
  def term_direction(term: Column): Column = call("term_direction", term)

  /** Like [[term_direction]], but returns null instead of failing. */
  def try_term_direction(term: Column): Column = call("try_term_direction", term)

  /** Whether a term is an IRI. */
  def is_iri(term: Column): Column = call("is_iri", term)

  /** Like [[is_iri]], but returns null instead of failing. */
  def try_is_iri(term: Column): Column = call("try_is_iri", term)

  /** Whether a term is a blank node. */
  def is_bnode(term: Column): Column = call("is_bnode", term)

  /** Like [[is_bnode]], but returns null instead of failing. */
  def try_is_bnode(term: Column): Column = call("try_is_bnode", term)

  /** Whether a term is a literal. */
  def is_literal(term: Column): Column = call("is_literal", term)

  /** Like [[is_literal]], but returns null instead of failing. */
  def try_is_literal(term: Column): Column = call("try_is_literal", term)

  /** Whether a term is a triple term. */
  def is_triple(term: Column): Column = call("is_triple", term)

  /** Like [[is_triple]], but returns null instead of failing. */
  def try_is_triple(term: Column): Column = call("try_is_triple", term)

  /** Whether a string is a term. Checks the whole string and never fails. */
  def is_term(string: Column): Column = call("is_term", string)

  /** The canonical form of a term, which is the form that readers return. */
  def canonical_term(term: Column): Column = call("canonical_term", term)

  /** Like [[canonical_term]], but returns null instead of failing. */
  def try_canonical_term(term: Column): Column = call("try_canonical_term", term)

  /** A term in RDF 1.2's canonical N-Triples, of which RDFC-1.0 makes hashes. Language tags are in
    * lower case there, and control characters are escaped; [[canonical_term]] keeps them.
    */
  def term_canonical(term: Column): Column = call("term_canonical", term)

  /** Like [[term_canonical]], but returns null instead of failing. */
  def try_term_canonical(term: Column): Column = call("try_term_canonical", term)

  /** The subject of a triple term; null for other terms. */
  def triple_subject(term: Column): Column = call("triple_subject", term)

  /** Like [[triple_subject]], but returns null instead of failing. */
  def try_triple_subject(term: Column): Column = call("try_triple_subject", term)

  /** The predicate of a triple term; null for other terms. */
  def triple_predicate(term: Column): Column = call("triple_predicate", term)

  /** Like [[triple_predicate]], but returns null instead of failing. */
  def try_triple_predicate(term: Column): Column = call("try_triple_predicate", term)

  /** The object of a triple term; null for other terms. */
  def triple_object(term: Column): Column = call("triple_object", term)

  /** Like [[triple_object]], but returns null instead of failing. */
  def try_triple_object(term: Column): Column = call("try_triple_object", term)

  /** Creates an IRI term. The IRI is given without angle brackets and without escapes. */
  def iri(value: Column): Column = call("iri", value)

  /** Like [[iri]], but returns null instead of failing. */
  def try_iri(value: Column): Column = call("try_iri", value)

  /** Creates a blank node term. The label is given without `_:`. */
  def bnode(label: Column): Column = call("bnode", label)

  /** Like [[bnode]], but returns null instead of failing. */
  def try_bnode(label: Column): Column = call("try_bnode", label)

  /** Creates a literal term with the datatype xsd:string from a lexical form. */
  def literal(value: Column): Column = call("literal", value)

  /** Like `literal`, but returns null instead of failing. */
  def try_literal(value: Column): Column = call("try_literal", value)

  /** Creates a literal term from a lexical form and the IRI of a datatype. */
  def literal(value: Column, datatype: Column): Column = call("literal", value, datatype)

  /** Like `literal`, but returns null instead of failing. */
  def try_literal(value: Column, datatype: Column): Column = call("try_literal", value, datatype)

  /** Creates a literal term from a lexical form, a language tag and a base direction, `ltr` or
    * `rtl`.
    */
  def literal(value: Column, lang: Column, direction: Column): Column =
    call("literal", value, lang, direction)

  /** Like `literal`, but returns null instead of failing. */
  def try_literal(value: Column, lang: Column, direction: Column): Column =
    call("try_literal", value, lang, direction)

  /** Creates a literal term from a lexical form and a language tag. */
  def lang_literal(value: Column, lang: Column): Column = call("lang_literal", value, lang)

  /** Like `lang_literal`, but returns null instead of failing. */
  def try_lang_literal(value: Column, lang: Column): Column = call("try_lang_literal", value, lang)

  /** Creates a literal term from a lexical form, a language tag and a base direction, `ltr` or
    * `rtl`. The same as `literal` with these arguments.
    */
  def lang_literal(value: Column, lang: Column, direction: Column): Column =
    call("lang_literal", value, lang, direction)

  /** Like `lang_literal`, but returns null instead of failing. */
  def try_lang_literal(value: Column, lang: Column, direction: Column): Column =
    call("try_lang_literal", value, lang, direction)

  /** Creates a triple term from three terms. */
  def triple(subject: Column, predicate: Column, obj: Column): Column =
    call("triple", subject, predicate, obj)

  /** Like [[triple]], but returns null instead of failing. */
  def try_triple(subject: Column, predicate: Column, obj: Column): Column =
    call("try_triple", subject, predicate, obj)

  /** Converts a term to a struct of `kind`, `value`, `datatype`, `lang` and `direction`. */
  def term_to_struct(term: Column): Column = call("term_to_struct", term)

  /** Like [[term_to_struct]], but returns null instead of failing. */
  def try_term_to_struct(term: Column): Column = call("try_term_to_struct", term)

  /** Converts a struct like that of [[term_to_struct]] to a term. */
  def struct_to_term(struct: Column): Column = call("struct_to_term", struct)

  /** Like [[struct_to_term]], but returns null instead of failing. */
  def try_struct_to_term(struct: Column): Column = call("try_struct_to_term", struct)

  private def call(name: String, arguments: Column*): Column = call_function(name, arguments: _*)

  private def entries(options: Map[String, String]): Column =
    map(options.toSeq.flatMap { case (name, value) => Seq(lit(name), lit(value)) }: _*)
}
