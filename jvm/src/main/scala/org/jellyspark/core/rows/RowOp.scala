package org.jellyspark.core.rows

/** The kind of a row: RDF Patch's row codes, and `END`, which closes a patch. In a format without
  * changes a statement is an `A`, and the declaration of a namespace a `PA`.
  *
  * @param columns
  *   those that such a row has beside its code and its numbers
  */
sealed abstract class RowOp(val code: String, val ordinal: Int, val columns: Column*)

object RowOp {
  import Column._

  case object Header extends RowOp("H", 0, Name, Value)
  case object TransactionStart extends RowOp("TX", 1)
  case object TransactionCommit extends RowOp("TC", 2)
  case object TransactionAbort extends RowOp("TA", 3)
  case object PrefixAdd extends RowOp("PA", 4, Name, Value, Graph)
  case object PrefixDelete extends RowOp("PD", 5, Name, Value, Graph)
  case object Add extends RowOp("A", 6, Subject, Predicate, Object, Graph)
  case object Delete extends RowOp("D", 7, Subject, Predicate, Object, Graph)
  case object End extends RowOp("END", 8)

  val values: IndexedSeq[RowOp] = IndexedSeq(
    Header,
    TransactionStart,
    TransactionCommit,
    TransactionAbort,
    PrefixAdd,
    PrefixDelete,
    Add,
    Delete,
    End
  )

  /** The rule that a code which is none breaks. */
  val Rule: String = s"op must be one of: ${values.map(_.code).mkString(", ")}"

  private val byCode: Map[String, RowOp] = values.map(op => op.code -> op).toMap

  /** The op of a code as RDF Patch writes it; null if there is none. */
  def ofCode(code: String): RowOp = byCode.getOrElse(code, null)
}
