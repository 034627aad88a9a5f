package org.jellyspark.sql.digests

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeSet,
  BindReferences,
  Expression,
  UnsafeProjection
}
import org.apache.spark.sql.catalyst.expressions.codegen.{
  CodegenContext,
  ExprCode,
  FalseLiteral,
  JavaCode
}
import org.apache.spark.sql.execution.{
  BlockingOperatorWithCodegen,
  CodegenSupport,
  SparkPlan,
  UnaryExecNode
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.BinaryType

/** The digests of the statements of a few groups of partitions, in generated code.
  *
  * @param arguments
  *   those of the function that Spark would evaluate row by row
  * @param digest
  *   the column of the digest
  */
private[digests] final case class DigestExec(
    arguments: Seq[Expression],
    digest: Attribute,
    child: SparkPlan
) extends UnaryExecNode
    with BlockingOperatorWithCodegen {
  override def output: Seq[Attribute] = Seq(digest)

  override def references: AttributeSet = AttributeSet(arguments)

  private def function = DigestMarks(BindReferences.bindReferences(arguments, child.output))

  override protected def doExecute(): RDD[InternalRow] = {
    val (function, output) = (this.function, this.output)
    few(child.execute()).mapPartitions { rows =>
      val digest = rows.foldLeft(function.createAggregationBuffer())(function.update)
      Iterator(UnsafeProjection.create(output, output)(InternalRow(digest.toBytes)))
    }
  }

  /** The input. The partitions of several RDDs, as of a join, belong together. */
  override def inputRDDs(): Seq[RDD[InternalRow]] = input.inputRDDs() match {
    case Seq(rows) => Seq(few(rows))
    case several   => several
  }

  /** Few partitions, because a digest is big, and the last task adds up all of them. */
  private def few(rows: RDD[InternalRow]): RDD[InternalRow] =
    rows.coalesce(DigestExec.mostTasks(rows.sparkContext))

  private def input = child.asInstanceOf[CodegenSupport]

  /** The variable of the digest in generated code. */
  private var variable: String = _

  override protected def doProduce(ctx: CodegenContext): String = {
    val isDone = ctx.addMutableState("boolean", "isDigested")
    val key = ctx.addReferenceObj("key", function.key, "byte[]")
    val className = classOf[Digest].getName
    variable = ctx.addMutableState(className, "digest")
    val (read, bytes) = (ctx.freshName("digestRows"), ctx.freshName("digestBytes"))
    val name = ctx.addNewFunction(
      read,
      s"private void $read() throws java.io.IOException { ${input.produce(ctx, this)} }"
    )
    val value = ExprCode(FalseLiteral, JavaCode.variable(bytes, BinaryType))
    s"""
      if (!$isDone) {
        $isDone = true;
        $variable = new $className($key, ${function.logarithm});
        $name();
        byte[] $bytes = $variable.toBytes();
        ${consume(ctx, Seq(value))}
      }"""
  }

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    ctx.currentVars = input
    val codes = function.children.drop(2).map(_.genCode(ctx))
    s"""
      ${evaluateVariables(codes)}
      $variable.add(${codes.map(DigestMarks.valueOf).mkString(", ")});"""
  }

  override protected def withNewChildInternal(newChild: SparkPlan): DigestExec =
    copy(child = newChild)
}

private[jellyspark] object DigestExec {

  /** Returns how many tasks compute digests of one state at most: one for each core, or many if the
    * number of cores can grow.
    */
  def mostTasks(context: SparkContext): Int = {
    val canGrow = context.getConf.getBoolean("spark.dynamicAllocation.enabled", false)
    context.defaultParallelism.max(if (canGrow) SQLConf.get.numShufflePartitions else 1)
  }
}
