package org.jellyspark.formats.jellyrdf

import org.scalacheck.{Gen, Shrink}

import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.{PropertySuite, RowValue}
import org.jellyspark.jelly.Ranges
import org.jellyspark.jelly.frames.RestartPoint

/** Restart points in Jelly-RDF: every restart range is a stream, and together they are the file. */
class RdfRestartSuite extends PropertySuite {

  // Shrinking would break the file.
  private implicit val noShrink: Shrink[(Array[Byte], List[Long])] = Shrink.shrinkAny

  private val cases: Gen[(JellyRdfOptions, List[RowValue], List[Long])] = for {
    (options, rows) <- RdfGenerators.cases
    frames <- RdfGenerators.frames(rows.length)
    interval <- Gen.oneOf(1L, 50L, 300L, 2000L)
  } yield (options.copy(delimited = true, restartInterval = interval), rows, frames)

  private def check(property: (JellyRdfOptions, List[RowValue], Array[Byte]) => Any) =
    forAll(cases) { case (options, rows, frames) =>
      property(options, rows, RdfBytes.writeFramed(frames.zip(rows), options))
    }

  test("a file with restart points has the same rows as one without, also in Jelly-JVM") {
    check { case (_, rows, bytes) =>
      assert(RdfBytes.read(bytes, RdfBytes.strict) == rows)
      assert(JenaJellyRdf.read(bytes) == rows)
    }
  }

  test("every restart range is a stream, and the index counts what is before it") {
    check { case (options, rows, bytes) =>
      val ranges = Ranges.of(bytes)
      val read = ranges.map(RdfBytes.read(_, RdfBytes.strict))
      assert(read.flatten == rows)
      assert(ranges.map(JenaJellyRdf.read).flatten == rows)
      ranges.dropRight(1).foreach(range => assert(range.length >= options.restartInterval))
      Ranges.points(bytes).zipWithIndex.foreach { case (point, i) =>
        val before = read.take(i + 1).flatten
        assert(
          point == RestartPoint(
            ranges.take(i + 1).map(_.length.toLong).sum,
            ranges.take(i + 1).map(Ranges.frames(_).toLong).sum,
            before.length.toLong,
            before.count(_.op == RowOp.PrefixAdd).toLong,
            0,
            0,
            inTransaction = false
          )
        )
      }
    }
  }

  test("the splits of a file have its rows") {
    forAll(cases.flatMap { case (options, rows, frames) =>
      val bytes = RdfBytes.writeFramed(frames.zip(rows), options)
      Ranges.splits(bytes).map(bytes -> _)
    }) { case (bytes, ends) =>
      Seq("true", "false").foreach { namespaces =>
        Ranges.checkParts(JellyRdf, bytes, Map("namespaces" -> namespaces), ends)
      }
    }
  }

  test("with an interval of one byte every frame with rows begins a restart range") {
    check { case (options, rows, _) =>
      val bytes = RdfBytes.write(rows, options.copy(restartInterval = 1))
      assert(Ranges.of(bytes).forall(Ranges.frames(_) <= 1))
    }
  }

  test(
    "a restart point is written at the first frame after an interval, after the end of the graph"
  ) {
    check { case (options, _, bytes) =>
      val graphEnd = if (options.physicalType == PhysicalType.Graphs) 4 else 0
      Ranges.of(bytes).foreach { range =>
        val ends = Ranges.endsOfRows(range).dropRight(1)
        assert(ends.forall(_ < options.restartInterval + graphEnd))
      }
    }
  }

  test("restart points do not change the frames of grouped streams") {
    check { case (options, _, bytes) =>
      whenever(options.logicalType.isGrouped) {
        val frames = RdfBytes.readFramed(bytes).map(_._1)
        assert(frames.distinct.length == Ranges.frames(bytes))
      }
    }
  }

  test("a short, undelimited or interval-free file has no restart points and no index") {
    check { case (options, rows, _) =>
      val off = RdfBytes.write(rows, options.copy(restartInterval = 0))
      assert(RdfBytes.write(rows, options.copy(restartInterval = 1 << 20)).toSeq == off.toSeq)
      assert(Ranges.points(off).isEmpty)
      val one = options.copy(delimited = false)
      assert(
        RdfBytes.write(rows, one).toSeq == RdfBytes.write(rows, one.copy(restartInterval = 0)).toSeq
      )
    }
  }
}
