package org.jellyspark.sql.digests

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types._

import org.jellyspark.OptionException
import org.jellyspark.sql.terms.SqlFunction

/** The functions with which `jelly_spark.algebra` finds what two states may not have in common,
  * without shuffling their statements. [[Digest]] computes them.
  */
private[sql] object DigestFunctions {
  private val Key =
    Parameter("key", s"${StatementHash.KeySize} random bytes", BinaryType, isConstant = true)
  private val Statement = Seq("subject", "predicate", "object", "graph").map { name =>
    Parameter(name, "a term, or null", StringType)
  }

  val all: Seq[SqlFunction[Expression]] = Seq(
    function(
      DigestMarks.Name,
      "the marks of the places where the sum of the hashes of a group of statements is not zero",
      Seq(
        Key,
        Parameter(
          "size",
          "the logarithm to the base two of the number of sums",
          IntegerType,
          isConstant = true
        )
      ) ++ Statement :+ Parameter("weight", "how often the statement counts", LongType)
    )(DigestMarks(_)),
    function(
      MayDiffer.Name,
      "whether one of two states may have a statement more often than the other: if not, none has",
      Seq(
        Parameter("marks", "the marks of both states, of which one counts negatively", BinaryType),
        Key
      ) ++ Statement
    )(MayDiffer(_))
  )

  private final case class Parameter(
      name: String,
      meaning: String,
      dataType: DataType,
      isConstant: Boolean = false
  ) {
    // A string may have any collation.
    private def isRight(argument: Expression): Boolean = (argument.foldable || !isConstant) &&
      (argument.dataType == dataType || dataType == StringType && isString(argument))

    private def isString(argument: Expression) = argument.dataType.isInstanceOf[StringType]

    def check(function: String, argument: Expression): Unit = if (!isRight(argument)) {
      val kind = if (isConstant) "a constant" else "an expression"
      throw new OptionException(
        s"$function: $name must be $kind of type ${dataType.sql}, not ${argument.sql}"
      )
    }
  }

  private def function(name: String, meaning: String, parameters: Seq[Parameter])(
      build: Seq[Expression] => Expression
  ): SqlFunction[Expression] = SqlFunction(
    name,
    s"_FUNC_(${parameters.map(_.name).mkString(", ")}) - Returns $meaning.",
    SqlFunction.argumentsOf(parameters.map(parameter => parameter.name -> parameter.meaning)),
    "",
    arguments => {
      if (arguments.length != parameters.length) {
        SqlFunction.refuseCount(name, parameters.length.toString, arguments.length)
      }
      parameters.zip(arguments).foreach { case (parameter, argument) =>
        parameter.check(name, argument)
      }
      build(arguments)
    }
  )
}
