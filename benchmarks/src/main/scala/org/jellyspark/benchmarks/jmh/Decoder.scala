package org.jellyspark.benchmarks.jmh

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._
import org.openjdk.jmh.infra.Blackhole

import org.jellyspark.core.formats.{InputFile, RowFormat}
import org.jellyspark.core.rows.{AllowedValues, Column, RowFilter}

/** Decodes a Jelly file in memory to batches of columns, as Spark's scan does. */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Inputs.Rows)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = Array("-Xmx2g", "-XX:+UseParallelGC"))
class Decoder {
  @Param(Array("jelly_rdf", "jelly_patch"))
  var format: String = _

  @Param(Array("shop", "weather"))
  var data: String = _

  private var file: InputFile = _
  private var read: RowFormat = _
  private var columns: Set[Column] = _
  private var predicate: RowFilter = _

  @Setup
  def open(): Unit = {
    file = Inputs.file(data, format)
    read = Inputs.format(format).format
    columns = read.columns(Map.empty).toSet
    val iri =
      if (data == "shop") "<https://schema.org/price>"
      else "<http://www.w3.org/ns/sosa/hasSimpleResult>"
    val allowed = AllowedValues(nulls = false, Some(Set(iri)))
    predicate = RowFilter(Map(Column.Predicate -> allowed))
  }

  /** Every column. */
  @Benchmark
  def all(hole: Blackhole): Int = Inputs.read(file, read, columns, RowFilter.All, hole.consume(_))

  /** No column, as `count()` reads it. */
  @Benchmark
  def count(hole: Blackhole): Int =
    Inputs.read(file, read, Set.empty, RowFilter.All, hole.consume(_))

  /** The objects of one predicate. The result is for a statement of the file. */
  @Benchmark
  def onePredicate(hole: Blackhole): Int =
    Inputs.read(file, read, Set(Column.Object), predicate, hole.consume(_))
}
