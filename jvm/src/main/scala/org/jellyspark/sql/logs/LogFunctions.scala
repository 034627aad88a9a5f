package org.jellyspark.sql.logs

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.types._

import org.jellyspark.OptionException
import org.jellyspark.log.{LogFolder, LogView}
import org.jellyspark.sql.Term
import org.jellyspark.sql.terms.SqlFunction

/** The table functions for logs that are in no catalog. */
private[sql] object LogFunctions {
  private val Path = "path" -> "the path or URL of the log's folder, a string"

  val all: Seq[SqlFunction[LogicalPlan]] = Seq(
    function("jelly_log", Path)(
      "the rows of all patches of a managed log, with `log_seq`, the position of the patch",
      "SELECT op, subject FROM _FUNC_('/data/shop') WHERE log_seq = 3"
    ) { case (log, Seq()) => log.rows },
    function(
      "jelly_state",
      Path,
      "version" -> ("the id of a patch; its position, which counts from the end if it is negative; " +
        "or a timestamp. By default, the last version")
    )(
      "the statements of a version of a managed log",
      "SELECT * FROM _FUNC_('/data/shop', '<urn:2>')"
    ) {
      case (log, Seq())        => log.state(log.view.next - 1)
      case (log, Seq(version)) => log.state(positionOf(log.view, version))
    },
    function(
      "jelly_history",
      Path,
      "subject" -> "the subject of the statements, a term such as `<http://example.org/cup>`; by default, there are all statements"
    )(
      "the intervals during which statements of a managed log were present",
      "SELECT * FROM _FUNC_('/data/shop', '<http://example.org/cup>')"
    ) {
      case (log, Seq())        => log.history(None)
      case (log, Seq(subject)) =>
        val term = Term.parse(textOf("jelly_history", "subject", subject))
        log.history(Some(term.toNTriples))
    }
  )

  /** Creates a function.
    *
    * @param parameters
    *   the names of the parameters, of which the first is the path, with their meaning
    * @param query
    *   the query for a log and the other arguments
    */
  private def function(name: String, parameters: (String, String)*)(
      meaning: String,
      example: String
  )(query: PartialFunction[(LogQueries, Seq[Expression]), DataFrame]): SqlFunction[LogicalPlan] = {
    val names = parameters.map(_._1)
    val optional = names.tail.map(other => s"[, $other]").mkString
    SqlFunction(
      name,
      s"_FUNC_(${names.head}$optional) - Returns $meaning.",
      SqlFunction.argumentsOf(parameters),
      s"\n    Examples:\n      > $example;\n  ",
      arguments => {
        if (arguments.isEmpty || arguments.length > names.length) {
          SqlFunction.refuseCount(name, s"1 to ${names.length}", arguments.length)
        }
        val path = textOf(name, "path", arguments.head)
        val session = SparkSession.active
        val view = new LogFolder(path, session.sessionState.newHadoopConf()).open()
        query((new LogQueries(session, view), arguments.tail)).queryExecution.analyzed
      }
    )
  }

  private def positionOf(view: LogView, version: Expression): Long = {
    val value = constant("jelly_state", "version", version)
    version.dataType match {
      case ByteType | ShortType | IntegerType | LongType =>
        view.position(value.asInstanceOf[Number].longValue)
      case TimestampType => Versions.positionAt(view, value.asInstanceOf[Long])
      case _: StringType => Versions.positionOf(view, value.toString)
      case _             =>
        throw new OptionException(
          s"jelly_state: version must be a string, an integer or a timestamp, not ${version.sql}"
        )
    }
  }

  private def textOf(function: String, parameter: String, argument: Expression): String = {
    val value = constant(function, parameter, argument)
    if (argument.dataType.isInstanceOf[StringType]) value.toString
    else throw new OptionException(s"$function: $parameter must be a string, not ${argument.sql}")
  }

  private def constant(function: String, parameter: String, argument: Expression): Any =
    Option.when(argument.foldable)(argument.eval()).filter(_ != null).getOrElse {
      throw new OptionException(s"$function: $parameter must be a constant, not ${argument.sql}")
    }
}
