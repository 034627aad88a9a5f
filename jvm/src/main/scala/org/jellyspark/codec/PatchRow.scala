package org.jellyspark.codec

/** The kind of a row: RDF Patch's row codes, and `END`, which closes a patch. */
sealed abstract class PatchOp(val code: String, val ordinal: Int)

object PatchOp {
  case object Header extends PatchOp("H", 0)
  case object TransactionStart extends PatchOp("TX", 1)
  case object TransactionCommit extends PatchOp("TC", 2)
  case object TransactionAbort extends PatchOp("TA", 3)
  case object PrefixAdd extends PatchOp("PA", 4)
  case object PrefixDelete extends PatchOp("PD", 5)
  case object Add extends PatchOp("A", 6)
  case object Delete extends PatchOp("D", 7)
  case object End extends PatchOp("END", 8)

  val values: IndexedSeq[PatchOp] = IndexedSeq(
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

  private val byCode: Map[String, PatchOp] = values.map(op => op.code -> op).toMap

  /** The op of a code as RDF Patch writes it; null if there is none. */
  def ofCode(code: String): PatchOp = byCode.getOrElse(code, null)
}

/** One row of a patch, reused from row to row: what it holds is valid until the next is read.
  *
  * `subject`, `predicate`, `obj` are set for `A` and `D`, `name` and `value` for `H`, `PA` and `PD`
  * (`value` null where a `PD` has none); `graph` is never null, and [[DefaultGraph]] where there is
  * none.
  */
final class PatchRow {
  var op: PatchOp = _
  var subject: Term = _
  var predicate: Term = _
  var obj: Term = _
  var graph: Term = DefaultGraph
  var name: String = _
  var value: Term = _

  /** Makes this a row of `op`, with the columns that such rows have; the others are not asked for.
    */
  def set(op: PatchOp, columns: RowColumns): Unit = {
    clear()
    this.op = op
    op match {
      case PatchOp.Add | PatchOp.Delete =>
        subject = columns.subject
        predicate = columns.predicate
        obj = columns.obj
        setGraph(columns)
      case PatchOp.PrefixAdd | PatchOp.PrefixDelete =>
        name = columns.name
        value = columns.value
        setGraph(columns)
      case PatchOp.Header =>
        name = columns.name
        value = columns.value
      case _ =>
    }
  }

  private def setGraph(columns: RowColumns): Unit = {
    val term = columns.graph
    graph = if (term == null) DefaultGraph else term
  }

  def clear(): Unit = {
    op = null
    subject = null
    predicate = null
    obj = null
    graph = DefaultGraph
    name = null
    value = null
  }
}

/** The columns of a row that is to be written; null where there is nothing. */
trait RowColumns {
  def subject: Term
  def predicate: Term
  def obj: Term
  def graph: Term
  def name: String
  def value: Term
}

/** Numbers the rows of a file: of the patch, the transaction and the row, 0-based. */
final class RowNumbering {
  import RowNumbering.NoNumber

  private[this] var nextPatch = 0L
  private[this] var lastTransaction = -1L
  private[this] var transactionEnds = false

  /** Ordinal of the current row's patch. */
  var patch: Long = 0L

  /** Ordinal of the current row's transaction; [[RowNumbering.NoNumber]] outside one. */
  var transaction: Long = NoNumber

  /** Whether a transaction is open after the current row. */
  def inTransaction: Boolean = transaction != NoNumber && !transactionEnds

  /** Ordinal of the current row. */
  var seq: Long = -1L

  /** Moves on to the next row of the file. */
  def next(op: PatchOp): Unit = {
    seq += 1
    patch = nextPatch
    if (transactionEnds) {
      transaction = NoNumber
      transactionEnds = false
    }
    op match {
      case PatchOp.End              => nextPatch += 1
      case PatchOp.TransactionStart =>
        lastTransaction += 1
        transaction = lastTransaction
      case PatchOp.TransactionCommit | PatchOp.TransactionAbort => transactionEnds = true
      case _                                                    =>
    }
  }
}

object RowNumbering {

  /** In place of the number of a patch or a transaction, where a row has none. */
  val NoNumber: Long = Long.MinValue
}
