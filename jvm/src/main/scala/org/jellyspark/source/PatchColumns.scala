package org.jellyspark.source

import java.util.Locale

import org.apache.spark.sql.types._
import org.jellyspark.JellySparkException

/** The columns of the patch formats. */
object PatchColumns {
  val Op = "op"
  val Subject = "subject"
  val Predicate = "predicate"
  val Object = "object"
  val Graph = "graph"
  val Name = "name"
  val Value = "value"
  val Patch = "patch"
  val Tx = "tx"
  val Seq = "seq"

  private val terms = List(Subject, Predicate, Object, Graph, Value)

  /** The schema that a patch has, with its terms in the given form. */
  def schema(form: TermForm): StructType = StructType(
    List(
      StructField(Op, StringType, nullable = false),
      StructField(Subject, form.dataType),
      StructField(Predicate, form.dataType),
      StructField(Object, form.dataType),
      StructField(Graph, form.dataType),
      StructField(Name, StringType),
      StructField(Value, form.dataType),
      StructField(Patch, LongType),
      StructField(Tx, LongType),
      StructField(Seq, LongType)
    )
  )

  /** Checks that every column is one of these, once, with its type (terms in either form).
    *
    * @throws org.jellyspark.JellySparkException
    *   if one is not
    */
  def check(schema: StructType): Unit = {
    schema.groupBy(field => canonical(field.name)).values.filter(_.length > 1).foreach { same =>
      val names = same.map(field => s"'${field.name}'").mkString(" and ")
      throw new JellySparkException(s"$names are the same column of a patch")
    }
    schema.foreach(check)
  }

  private def check(field: StructField): Unit = {
    val name = canonical(field.name)
    val types = if (terms.contains(name)) TermForm.values.map(_.dataType) else typeOf(name)
    if (types.isEmpty) {
      throw new JellySparkException(
        s"a patch has no column '${field.name}'; its columns are " +
          PatchColumns.schema(TermForm.Text).fieldNames.mkString(", ")
      )
    }
    if (!types.exists(DataType.equalsIgnoreNullability(_, field.dataType))) {
      throw new JellySparkException(
        s"column '${field.name}': expected type ${types.map(_.simpleString).mkString(" or ")}, " +
          s"found ${field.dataType.simpleString}"
      )
    }
  }

  /** Column names are case-insensitive, as Spark's are by default. */
  def canonical(name: String): String = name.toLowerCase(Locale.ROOT)

  private def typeOf(name: String): List[DataType] =
    schema(TermForm.Text).fields.find(_.name == name).map(_.dataType).toList
}
