package org.jellyspark.sql

import java.lang.{Long => JLong}

import scala.beans.BeanProperty

import org.apache.spark.sql.{Encoder, Encoders}

/** One row of RDF data as a Java bean: an [[RdfRow]] with getters and setters. Values that the row
  * does not have are null.
  */
final class RdfRowBean {
  @BeanProperty var subject: String = _
  @BeanProperty var predicate: String = _
  @BeanProperty var `object`: String = _
  @BeanProperty var graph: String = _
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

  /** Whether the other object is a bean with the same column values. */
  override def equals(other: Any): Boolean = other match {
    case bean: RdfRowBean => bean.toRow == toRow
    case _                => false
  }

  override def hashCode: Int = toRow.hashCode

  override def toString: String = toRow.toString
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
