package org.jellyspark.sql

import scala.reflect.classTag

import org.apache.spark.sql.Encoder
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders.{
  TransformingEncoder,
  agnosticEncoderFor
}
import org.apache.spark.sql.catalyst.encoders.Codec

import org.jellyspark.{InvalidTermException, UnwritableRowException}
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.{RowOp, RowRules, RowText}

/** An operation of a patch: a [[PatchRow]] as a class for each kind of row, with parsed terms.
  *
  * {{{
  * import org.jellyspark.sql.PatchOperation._
  *
  * val log = spark.read.format("jelly_patch").load("log").as[PatchOperation]
  * val prices = log.flatMap {
  *   case Add(Iri(cup), Iri("http://example.org/price"), Literal(price, _, _), _) =>
  *     Some(cup -> BigDecimal(price))
  *   case _ => None
  * }
  * }}}
  *
  * A `Dataset[PatchOperation]` has the columns of [[PatchRow]] and is read and written in the same
  * way. Operations do not have the ordinals `patch`, `tx` and `seq`. Where you need them, use
  * [[PatchRow]], and convert single rows with [[PatchOperation.of]].
  */
// Not a Product, because the compiler would then prefer the encoder of `spark.implicits` to ours.
sealed trait PatchOperation extends Serializable {

  /** Converts the operation to a row without ordinals. Its terms are canonical.
    *
    * @throws org.jellyspark.InvalidTermException
    *   if a term cannot be written as a string, see [[Term.toNTriples]]
    */
  final def toRow: PatchRow = PatchOperation.toRow(this)
}

object PatchOperation {

  /** A header of the patch. */
  final case class Header(name: String, value: Term) extends PatchOperation

  /** Begins a transaction. */
  case object TransactionBegin extends PatchOperation

  /** Commits the transaction. */
  case object TransactionCommit extends PatchOperation

  /** Aborts the transaction. */
  case object TransactionAbort extends PatchOperation

  /** Adds a prefix, whose name has no colon. */
  final case class PrefixAdd(name: String, iri: Iri, graph: Option[Term] = None)
      extends PatchOperation

  /** Deletes a prefix. Its IRI is optional; only `jelly_patch` can hold one. */
  final case class PrefixDelete(name: String, iri: Option[Iri] = None, graph: Option[Term] = None)
      extends PatchOperation

  /** Adds a statement. */
  final case class Add(
      subject: Term,
      predicate: Term,
      `object`: Term,
      graph: Option[Term] = None
  ) extends PatchOperation

  /** Deletes a statement. */
  final case class Delete(
      subject: Term,
      predicate: Term,
      `object`: Term,
      graph: Option[Term] = None
  ) extends PatchOperation

  /** Ends the patch. */
  case object End extends PatchOperation

  /** Encodes an operation as the columns of its row. */
  implicit lazy val encoder: Encoder[PatchOperation] = TransformingEncoder(
    classTag[PatchOperation],
    agnosticEncoderFor(PatchRow.encoder),
    () => RowCodec,
    nullable = false
  )

  /** Converts a row to an operation. Columns that the row's `op` does not use are ignored.
    *
    * This succeeds for every row that a reader returns, except malformed rows in mode `PERMISSIVE`.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the row breaks a rule: its `op` is not a row code, a required column is missing, or a
    *   column does not hold a term. Writers refuse such rows with the same message.
    */
  def of(row: PatchRow): PatchOperation = tryOf(row).fold(throw _, identity)

  /** Returns the operation of a row like [[of]], or the error that [[of]] would throw. */
  def tryOf(row: PatchRow): Either[UnwritableRowException, PatchOperation] =
    try Right(fromRow(row))
    catch {
      case e: RefusedException => Left(new UnwritableRowException(e.rule, RowText(columns(row)), e))
    }

  private def fromRow(row: PatchRow): PatchOperation = RowOp.ofCode(row.op) match {
    case null                    => refuse(RowOp.Rule)
    case RowOp.Header            => header(row)
    case RowOp.TransactionStart  => TransactionBegin
    case RowOp.TransactionCommit => TransactionCommit
    case RowOp.TransactionAbort  => TransactionAbort
    case RowOp.PrefixAdd         =>
      val name = prefix(row)
      PrefixAdd(name, namespace(row).getOrElse(refuse(RowRules.PrefixValueRule)), graph(row))
    case RowOp.PrefixDelete => PrefixDelete(prefix(row), namespace(row), graph(row))
    case RowOp.Add          => statement(row)(Add)
    case RowOp.Delete       => statement(row)(Delete)
    case RowOp.End          => End
  }

  private def header(row: PatchRow): Header = (row.name, row.value) match {
    case (Some(name), Some(value)) => Header(name, term("value", value))
    case _                         => refuse(RowRules.HeaderRule)
  }

  private def prefix(row: PatchRow): String = row.name.getOrElse(refuse(RowRules.PrefixNameRule))

  private def namespace(row: PatchRow): Option[Iri] = row.value.map(term("value", _)).map {
    case iri: Iri => iri
    case _        => refuse(RowRules.NamespaceRule)
  }

  private def statement(
      row: PatchRow
  )(make: (Term, Term, Term, Option[Term]) => PatchOperation): PatchOperation =
    (row.subject, row.predicate, row.`object`) match {
      case (Some(subject), Some(predicate), Some(obj)) =>
        make(
          term("subject", subject),
          term("predicate", predicate),
          term("object", obj),
          graph(row)
        )
      case _ => refuse(RowRules.StatementRule)
    }

  private def graph(row: PatchRow): Option[Term] = row.graph.map(term("graph", _))

  private def term(column: String, string: String): Term =
    try Term.parse(string)
    catch { case e: InvalidTermException => refuse(s"$column: ${e.getMessage}") }

  private def columns(row: PatchRow): Seq[(String, Any)] =
    row.productElementNames.zip(row.productIterator).toSeq.map {
      case (name, Some(value)) => name -> value
      case (name, None)        => name -> null
      case column              => column
    }

  private def toRow(operation: PatchOperation): PatchRow = operation match {
    case Header(name, value)         => rowOf(RowOp.Header, name = Some(name), value = Some(value))
    case TransactionBegin            => rowOf(RowOp.TransactionStart)
    case TransactionCommit           => rowOf(RowOp.TransactionCommit)
    case TransactionAbort            => rowOf(RowOp.TransactionAbort)
    case PrefixAdd(name, iri, graph) =>
      rowOf(RowOp.PrefixAdd, name = Some(name), value = Some(iri), graph = graph)
    case PrefixDelete(name, iri, graph) =>
      rowOf(RowOp.PrefixDelete, name = Some(name), value = iri, graph = graph)
    case Add(s, p, o, graph)    => rowOf(RowOp.Add, Some(s), Some(p), Some(o), graph)
    case Delete(s, p, o, graph) => rowOf(RowOp.Delete, Some(s), Some(p), Some(o), graph)
    case End                    => rowOf(RowOp.End)
  }

  private def rowOf(
      op: RowOp,
      subject: Option[Term] = None,
      predicate: Option[Term] = None,
      obj: Option[Term] = None,
      graph: Option[Term] = None,
      name: Option[String] = None,
      value: Option[Term] = None
  ): PatchRow = PatchRow(
    op.code,
    subject.map(_.toNTriples),
    predicate.map(_.toNTriples),
    obj.map(_.toNTriples),
    graph.map(_.toNTriples),
    name,
    value.map(_.toNTriples)
  )

  private object RowCodec extends Codec[PatchOperation, PatchRow] {
    override def encode(operation: PatchOperation): PatchRow = operation.toRow
    override def decode(row: PatchRow): PatchOperation = of(row)
  }
}
