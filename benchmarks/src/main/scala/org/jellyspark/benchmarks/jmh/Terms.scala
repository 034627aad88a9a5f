package org.jellyspark.benchmarks.jmh

import java.util.concurrent.TimeUnit

import scala.collection.mutable.ArrayBuffer

import org.openjdk.jmh.annotations._
import org.openjdk.jmh.infra.Blackhole

import org.jellyspark.core.rows.{Column, RowFilter}
import org.jellyspark.core.terms.{NTriples, Term}

/** Parses the objects of a dataset's statements as N-Triples, and formats them again. */
@State(Scope.Thread)
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Inputs.Rows)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = Array("-Xmx2g", "-XX:+UseParallelGC"))
class Terms {
  @Param(Array("shop", "weather"))
  var data: String = _

  private var texts: Array[String] = _
  private var terms: Array[Term] = _

  @Setup
  def load(): Unit = {
    val found = ArrayBuffer.empty[String]
    Inputs.read(
      Inputs.file(data, "jelly_rdf"),
      Inputs.format("jelly_rdf").format,
      Set(Column.Object),
      RowFilter.All,
      batch => found ++= batch.values(Column.Object.index).iterator.take(batch.size).map(_.toString)
    )
    texts = found.toArray
    terms = texts.map(NTriples.parse)
  }

  @Benchmark
  def parse(hole: Blackhole): Unit = texts.foreach(text => hole.consume(NTriples.parse(text)))

  @Benchmark
  def format(hole: Blackhole): Unit = terms.foreach(term => hole.consume(NTriples.format(term)))
}
