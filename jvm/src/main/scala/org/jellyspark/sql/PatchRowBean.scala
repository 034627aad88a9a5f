package org.jellyspark.sql

import java.lang.{Long => JLong}

import scala.beans.BeanProperty

import org.apache.spark.sql.{Encoder, Encoders}

/** One row of a patch as a Java bean: a [[PatchRow]] with getters and setters. Values that the row
  * does not have are null.
  *
  * {{{
  * Dataset<PatchRowBean> log =
  *     spark.read().format("jelly_patch").load("log").as(PatchRowBean.encoder());
  * }}}
  */
final class PatchRowBean {
  @BeanProperty var op: String = _
  @BeanProperty var subject: String = _
  @BeanProperty var predicate: String = _
  @BeanProperty var `object`: String = _
  @BeanProperty var graph: String = _
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

  /** Whether the other object is a bean with the same column values. */
  override def equals(other: Any): Boolean = other match {
    case bean: PatchRowBean => bean.toRow == toRow
    case _                  => false
  }

  override def hashCode: Int = toRow.hashCode

  override def toString: String = toRow.toString
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
