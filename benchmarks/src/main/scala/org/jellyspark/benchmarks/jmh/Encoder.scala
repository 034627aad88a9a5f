package org.jellyspark.benchmarks.jmh

import java.io.OutputStream
import java.util.concurrent.TimeUnit

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{StringType, StructField, StructType}
import org.apache.spark.unsafe.types.UTF8String
import org.openjdk.jmh.annotations._

import org.jellyspark.core.formats.WriterFactory
import org.jellyspark.core.rows.{Column, RowFilter}
import org.jellyspark.source.SparkRowBuilder

/** Encodes Spark's rows, which are in memory, to a Jelly file that is thrown away. */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Inputs.Rows)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = Array("-Xmx2g", "-XX:+UseParallelGC"))
class Encoder {
  import Column._

  @Param(Array("jelly_rdf", "jelly_patch"))
  var format: String = _

  @Param(Array("shop", "weather"))
  var data: String = _

  private var rows: Array[InternalRow] = _
  private var builder: SparkRowBuilder = _
  private var writers: WriterFactory = _

  @Setup
  def load(): Unit = {
    val names = scala.Seq(Op, Subject, Predicate, Object, Graph)
    val schema = StructType(names.map(column => StructField(column.name, StringType)))
    val written = Inputs.format(format)
    builder = new SparkRowBuilder(schema, written.format.columns(Map.empty))
    writers = written.format.writer(written.options(data))
    rows = statements(names.tail)
  }

  @Benchmark
  def write(): Unit = {
    val writer = writers.open(OutputStream.nullOutputStream())
    rows.foreach(row => writer.write(builder.read(row)))
    writer.finish()
  }

  private def statements(terms: scala.Seq[Column]): Array[InternalRow] = {
    val op = UTF8String.fromString("A")
    val found = Array.newBuilder[InternalRow]
    Inputs.read(
      Inputs.file(data, "jelly_rdf"),
      Inputs.format("jelly_rdf").format,
      terms.toSet,
      RowFilter.All,
      batch =>
        for (i <- 0 until batch.size) {
          // A column of which a batch has no value has no array.
          val values = terms.map(column => Option(batch.values(column.index)).map(_(i)).orNull)
          found += InternalRow.fromSeq(op +: values)
        }
    )
    found.result()
  }
}
