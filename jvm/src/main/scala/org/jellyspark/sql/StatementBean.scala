package org.jellyspark.sql

import scala.beans.BeanProperty

import org.apache.spark.sql.{Encoder, Encoders}

/** A statement as a Java bean: a [[Statement]] with getters and setters. */
final class StatementBean {
  @BeanProperty var subject: String = _
  @BeanProperty var predicate: String = _
  @BeanProperty var `object`: String = _

  /** The graph. Null is the default graph or, in a stream of triples, no graph. */
  @BeanProperty var graph: String = _

  /** Converts the bean to a case class. */
  def toStatement: Statement = Statement(subject, predicate, `object`, Option(graph))

  /** Whether the other object is a bean of the same statement. */
  override def equals(other: Any): Boolean = other match {
    case bean: StatementBean => bean.toStatement == toStatement
    case _                   => false
  }

  override def hashCode: Int = toStatement.hashCode

  override def toString: String = toStatement.toString
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
