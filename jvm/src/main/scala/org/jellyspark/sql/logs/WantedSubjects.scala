package org.jellyspark.sql.logs

import org.apache.spark.sql.catalyst.expressions.{
  AttributeReference,
  EqualTo,
  Expression,
  In,
  InSet,
  Literal
}
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.log.entries.SubjectFilter

/** The subjects that a query asks for, by which files are left out. */
private[logs] object WantedSubjects {

  /** Returns what says whether a patch with a filter may have rows for which conditions hold. */
  def apply(conditions: Seq[Expression]): SubjectFilter => Boolean = {
    val all = conditions.flatMap(subjects(_)).map(_.map(SubjectFilter.hash))
    filter => all.forall(_.exists(filter.mayHave))
  }

  /** The subjects that a condition allows; none if it is about something else. */
  private def subjects(condition: Expression): Option[Seq[String]] = condition match {
    case EqualTo(Subject(), Text(value)) => Some(Seq(value))
    case EqualTo(Text(value), Subject()) => Some(Seq(value))
    case In(Subject(), values)           => allOf(values.map(Text.unapply))
    case InSet(Subject(), values)        => allOf(values.toSeq.map(textOf))
    case _                               => None
  }

  private def allOf(texts: Seq[Option[String]]): Option[Seq[String]] =
    Option.when(texts.forall(_.isDefined))(texts.flatten)

  private def textOf(value: Any): Option[String] = value match {
    case text: UTF8String => Some(text.toString)
    case _                => None
  }

  private object Subject {
    def unapply(expression: Expression): Boolean = expression match {
      case column: AttributeReference => column.name == "subject" && column.dataType == StringType
      case _                          => false
    }
  }

  private object Text {
    def unapply(expression: Expression): Option[String] = expression match {
      case Literal(value, _) => textOf(value)
      case _                 => None
    }
  }
}
