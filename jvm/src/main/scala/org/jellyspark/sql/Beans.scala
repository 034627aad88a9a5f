package org.jellyspark.sql

import java.lang.{Long => JLong}

import scala.beans.BeanProperty

import org.apache.spark.sql.{Encoder, Encoders}

/** What the Java beans have in common: the columns of a statement, and that beans are equal if all
  * their columns are. Values that a row does not have are null.
  */
sealed abstract class RowBean {
  @BeanProperty var subject: String = _
  @BeanProperty var predicate: String = _
  @BeanProperty var `object`: String = _

  /** The graph. Null is the default graph or, in a stream of triples, no graph. */
  @BeanProperty var graph: String = _

  /** The columns as a case class. */
  protected def columns: Product

  /** Whether the other object is a bean with the same column values. */
  override def equals(other: Any): Boolean = other match {
    case bean: RowBean => bean.columns == columns
    case _             => false
  }

  override def hashCode: Int = columns.hashCode

  override def toString: String = columns.toString
}

/** One row of a patch as a Java bean: a [[PatchRow]] with getters and setters.
  *
  * {{{
  * Dataset<PatchRowBean> log =
  *     spark.read().format("jelly_patch").load("log").as(PatchRowBean.encoder());
  * }}}
  */
final class PatchRowBean extends RowBean {
  @BeanProperty var op: String = _
  @BeanProperty var name: String = _
  @BeanProperty var value: String = _
  @BeanProperty var patch: JLong = _
  @BeanProperty var tx: JLong = _
  @BeanProperty var seq: JLong = _

  /** Converts the bean to a case class. [[PatchOperation.of]] converts that to an operation. */
  def toRow: PatchRow = PatchRow(
    op,
    Option(subject),
    Option(predicate),
    Option(`object`),
    Option(graph),
    Option(name),
    Option(value),
    Option(patch).map(_.longValue),
    Option(tx).map(_.longValue),
    Option(seq).map(_.longValue)
  )

  override protected def columns: Product = toRow
}

object PatchRowBean {

  /** The encoder of the beans, created by `Encoders.bean`. */
  lazy val encoder: Encoder[PatchRowBean] = Encoders.bean(classOf[PatchRowBean])

  /** Converts a row to a bean. */
  def of(row: PatchRow): PatchRowBean = {
    val bean = new PatchRowBean
    bean.op = row.op
    bean.subject = row.subject.orNull
    bean.predicate = row.predicate.orNull
    bean.`object` = row.`object`.orNull
    bean.graph = row.graph.orNull
    bean.name = row.name.orNull
    bean.value = row.value.orNull
    bean.patch = row.patch.map(JLong.valueOf).orNull
    bean.tx = row.tx.map(JLong.valueOf).orNull
    bean.seq = row.seq.map(JLong.valueOf).orNull
    bean
  }
}

/** One row of RDF data as a Java bean: an [[RdfRow]] with getters and setters. */
final class RdfRowBean extends RowBean {
  @BeanProperty var name: String = _
  @BeanProperty var value: String = _
  @BeanProperty var frame: JLong = _
  @BeanProperty var seq: JLong = _

  /** Converts the bean to a case class. */
  def toRow: RdfRow = RdfRow(
    Option(subject),
    Option(predicate),
    Option(`object`),
    Option(graph),
    Option(name),
    Option(value),
    Option(frame).map(_.longValue),
    Option(seq).map(_.longValue)
  )

  override protected def columns: Product = toRow
}

object RdfRowBean {

  /** The encoder of the beans, created by `Encoders.bean`. */
  lazy val encoder: Encoder[RdfRowBean] = Encoders.bean(classOf[RdfRowBean])

  /** Converts a row to a bean. */
  def of(row: RdfRow): RdfRowBean = {
    val bean = new RdfRowBean
    bean.subject = row.subject.orNull
    bean.predicate = row.predicate.orNull
    bean.`object` = row.`object`.orNull
    bean.graph = row.graph.orNull
    bean.name = row.name.orNull
    bean.value = row.value.orNull
    bean.frame = row.frame.map(JLong.valueOf).orNull
    bean.seq = row.seq.map(JLong.valueOf).orNull
    bean
  }
}

/** A statement as a Java bean: a [[Statement]] with getters and setters. */
final class StatementBean extends RowBean {

  /** Converts the bean to a case class. */
  def toStatement: Statement = Statement(subject, predicate, `object`, Option(graph))

  override protected def columns: Product = toStatement
}

object StatementBean {

  /** The encoder of the beans, created by `Encoders.bean`. */
  lazy val encoder: Encoder[StatementBean] = Encoders.bean(classOf[StatementBean])

  /** Converts a statement to a bean. */
  def of(statement: Statement): StatementBean = {
    val bean = new StatementBean
    bean.subject = statement.subject
    bean.predicate = statement.predicate
    bean.`object` = statement.`object`
    bean.graph = statement.graph.orNull
    bean
  }
}
