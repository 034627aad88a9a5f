package org.jellyspark.source

import org.apache.spark.sql.types.{DataType, StringType}

import org.jellyspark.core.formats.OptionValue

/** The type of a column that holds terms: a value of the option `terms`. */
sealed abstract class TermColumnType(name: String, val dataType: DataType) extends OptionValue(name)

object TermColumnType {

  /** A string in N-Triples syntax. */
  case object AsString extends TermColumnType("string", StringType)

  /** A struct of five strings: `kind` (`iri`, `bnode`, `literal` or `triple`), `value` (the IRI,
    * label or lexical form; the N-Triples syntax of a triple), and for literals `datatype`, `lang`
    * and `direction`.
    */
  case object AsStruct extends TermColumnType("struct", TermStruct.dataType)

  val values: List[TermColumnType] = List(AsString, AsStruct)
}
