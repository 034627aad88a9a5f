package org.jellyspark.core.rows

/** The kind of a row: one of RDF Patch's row codes, or `END`, which closes a patch. In a format
  * without changes, such as Jelly-RDF, a statement is an `A` and a namespace declaration is a `PA`.
  *
  * [[Column.of]] returns the columns that rows of an op use.
  *
  * @param code
  *   the op's name in the column `op`
  * @param ordinal
  *   the op's index in [[RowOp.values]]
  */
sealed abstract class RowOp(val code: String, val ordinal: Int) {

  /** Whether rows of this op have a name: `H`, `PA` and `PD`. */
  final def hasName: Boolean =
    (this eq RowOp.Header) || (this eq RowOp.PrefixAdd) || (this eq RowOp.PrefixDelete)
}

object RowOp {
  case object Header extends RowOp("H", 0)
  case object TransactionStart extends RowOp("TX", 1)
  case object TransactionCommit extends RowOp("TC", 2)
  case object TransactionAbort extends RowOp("TA", 3)
  case object PrefixAdd extends RowOp("PA", 4)
  case object PrefixDelete extends RowOp("PD", 5)
  case object Add extends RowOp("A", 6)
  case object Delete extends RowOp("D", 7)
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

  /** The rule that an unknown code breaks. */
  val Rule: String = s"op must be one of: ${values.map(_.code).mkString(", ")}"

  private val byCode: Map[String, RowOp] = values.map(op => op.code -> op).toMap

  /** Returns the op with a code, which must be in upper case; null if there is no such op. */
  def ofCode(code: String): RowOp = byCode.getOrElse(code, null)
}
