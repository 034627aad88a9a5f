package org.jellyspark.formats.jellyrdf

import org.jellyspark.MalformedInputException
import org.jellyspark.core.{ByteGenerators, PropertySuite}
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.WireBytes._

/** Damaged input is read or is a `MalformedInputException`. */
class RdfDamageSuite extends PropertySuite {
  import JellyRdfFields.Kind

  private val spo = text(2, "s") ++ text(6, "p") ++ text(10, "o")

  /** Frames with every kind of row that a GRAPHS stream can have. */
  private val frames = Seq(
    Seq(
      RdfBytes.options(3, 4, version = 2, rdfStar = true, generalized = true, name = "é"),
      field(Kind.Prefix, text(2, "http://a/")),
      field(Kind.Name, text(2, "x")),
      field(Kind.Datatype, text(2, "d")),
      field(Kind.Namespace, text(1, "n"), field(2, number(1, 1))),
      field(Kind.GraphStart, field(1, number(2, 1))),
      field(Kind.Triple, spo),
      field(Kind.Triple, field(12, spo), field(7, text(1, "é"), number(3, 1)))
    ),
    Seq(
      field(Kind.Triple, field(11, text(1, "x"), text(2, "en"))),
      field(Kind.GraphEnd),
      field(Kind.GraphStart, field(3)),
      field(Kind.Triple),
      field(Kind.GraphEnd)
    )
  )

  private def tryToRead(bytes: Array[Byte]): Unit =
    Seq(ReadOptions(), RdfBytes.strict).foreach { options =>
      try RdfBytes.read(bytes, options)
      catch { case _: MalformedInputException => }
    }

  test("delimited input that ends inside a frame is an error") {
    val (first, second) = (frame(frames(0): _*), frame(frames(1): _*))
    val bytes = first ++ second
    assert(RdfBytes.read(bytes, RdfBytes.strict).length == 5)
    for (length <- 1 until bytes.length if length != first.length) {
      val error = intercept[MalformedInputException](RdfBytes.read(bytes.take(length)))
      assert(error.offset == (if (length < first.length) 0L else first.length.toLong))
    }
    // In strict mode a GRAPHS stream must not end inside a graph either.
    assertThrows[MalformedInputException](RdfBytes.read(first, RdfBytes.strict))
  }

  test("undelimited input that ends inside a row is an error") {
    val bytes = rows(frames.flatten: _*)
    val ends = frames.flatten.scanLeft(0)((end, row) => end + rows(row).length).toSet
    (0 until bytes.length).foreach { length =>
      val cut = bytes.take(length)
      if (ends(length)) RdfBytes.read(cut)
      else assertThrows[MalformedInputException](RdfBytes.read(cut))
    }
  }

  test("every value of every byte") {
    val bytes = frames.flatMap(rows => frame(rows: _*)).toArray
    for (at <- bytes.indices; value <- 0 to 255) tryToRead(bytes.updated(at, value.toByte))
  }

  test("random changes of random files") {
    val random = new scala.util.Random(1)
    forAll(RdfGenerators.cases, minSuccessful(200)) { case (options, rows) =>
      val bytes = RdfBytes.write(rows, options)
      (1 to 50).foreach { _ =>
        val damaged = ByteGenerators.damaged(bytes, random)
        tryToRead(damaged.take(damaged.length - random.nextInt(2) * random.nextInt(9)))
      }
    }
  }
}
