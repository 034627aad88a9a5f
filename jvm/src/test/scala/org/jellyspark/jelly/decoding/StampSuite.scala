package org.jellyspark.jelly.decoding

import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.errors.{MalformedRowException, RowLimit}
import org.jellyspark.core.rows.AllowedValues
import org.jellyspark.core.terms.{Iri, TermValues}
import org.jellyspark.jelly.lookups.{DatatypeTable, EntrySpace, IriTable}

/** What is known of an IRI by its stamp, after more changes of lookup entries than 32 bits count.
  */
class StampSuite extends AnyFunSuite {
  private val factory = TermValues.newFactory(RowLimit.Default)
  private val space = new EntrySpace(RowLimit.Default)

  private val MaxVersion = Int.MaxValue - 20L

  private def tableAfter(changes: Long, isRestart: Boolean = false): IriTable =
    new IriTable(8, 8, isRestart, factory, space, changes, math.min(changes + 1, MaxVersion).toInt)

  private def setName(iris: IriTable, id: Int, name: String): Unit = {
    val utf8 = name.getBytes(UTF_8)
    iris.setName(id, utf8, 0, utf8.length)
  }

  private def setPrefix(iris: IriTable, id: Int, prefix: String): Unit = {
    val utf8 = prefix.getBytes(UTF_8)
    iris.setPrefix(id, utf8, 0, utf8.length)
  }

  private val boundaries = List(20L, Int.MaxValue.toLong, 2L * Int.MaxValue, Long.MaxValue / 2)

  test("a filter decides on each IRI alike, however many entries were set before") {
    boundaries.foreach { boundary =>
      val iris = tableAfter(boundary - 20)
      val lookups = new Lookups(
        iris,
        new DatatypeTable(8, isRestart = false, factory, space),
        factory,
        new RowSizes(RowLimit.Default)
      )
      val allowed = AllowedTerms(AllowedValues(nulls = false, Some(Set("<http://x/yes>"))))
      val reader = new TermReader(
        Position.Predicate,
        lookups,
        new HeldTerms,
        isWanted = false,
        isLazy = false,
        allowed,
        null
      )
      setPrefix(iris, 1, "http://x/")
      (0 until 50).foreach { i =>
        val name = if (i % 3 == 0) "yes" else s"no$i"
        setName(iris, 1 + i % 2, name)
        if (i % 5 == 0) setPrefix(iris, 1, "http://x/")
        // The message of an IRI: the ids of its prefix and its name.
        val message = Array[Byte](8, 1, 16, (1 + i % 2).toByte)
        (1 to 2).foreach { _ =>
          reader.read(TermKind.Iri, message, 0, message.length)
          assert(reader.passes == (name == "yes"), s"at $boundary, change $i")
        }
      }
    }
  }

  test("an IRI is that of its entries, however many prefixes were set before") {
    boundaries.foreach { boundary =>
      val iris = tableAfter(boundary - 20)
      setName(iris, 1, "name")
      (0 until 50).foreach { i =>
        setPrefix(iris, 1, s"http://x/$i/")
        assert(iris.referred(1, 1) == Iri(s"http://x/$i/name"), s"at $boundary, change $i")
      }
    }
  }

  test("ids of 2^31 and more are named as they stand in the file, also after a restart point") {
    val big = Int.MinValue // 2^31 as an unsigned number
    val found = for (isRestart <- List(false, true)) yield {
      val iris = tableAfter(0, isRestart)
      setPrefix(iris, 1, "http://x/")
      setName(iris, 1, "name")
      List((big, 1), (1, big), (1, big + 1)).map { case (prefix, name) =>
        intercept[MalformedRowException](iris.refer(prefix, name)).found
      }
    }
    assert(found.distinct == List(List("id 2147483648", "id 2147483648", "id 2147483649")))
  }
}
