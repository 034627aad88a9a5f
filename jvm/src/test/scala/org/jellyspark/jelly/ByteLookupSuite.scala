package org.jellyspark.jelly

import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite
import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.jelly.encoding.{ByteLookup, LookupEntry}

/** Compares the encoder's lookup table with a simple implementation. */
class ByteLookupSuite extends PropertySuite {

  /** Ids by text, the least recently used first. */
  private final class Model(maxSize: Int) {
    private val ids = mutable.LinkedHashMap.empty[String, Int]
    private var lastEvicted = -1

    /** The id, and the one to write if the entry is new. */
    def use(text: String): (Int, Option[Int]) = {
      val known = ids.remove(text)
      val (id, written) = known match {
        case Some(id)                => (id, None)
        case _ if ids.size < maxSize => (ids.size + 1, Some(0))
        case _                       =>
          val (oldest, id) = ids.head
          ids.remove(oldest)
          val isNext = id == lastEvicted + 1
          lastEvicted = id
          (id, Some(if (isNext) 0 else id))
      }
      ids(text) = id
      (id, written)
    }
  }

  private final class Tested(maxSize: Int) {
    val lookup = new ByteLookup("name", maxSize)
    private var row = 0L

    def use(text: String): (Int, Option[Int]) = {
      row += 1
      useInRow(text, row)
    }

    def useInRow(text: String, row: Long): (Int, Option[Int]) = {
      val bytes = s"x${text}yy".getBytes(UTF_8)
      val (from, to) = (1, bytes.length - 2)
      val hash = ByteHash.of(bytes, from, to)
      val found = lookup.find(bytes, from, to, hash)
      if (found != null) {
        lookup.use(found.id, row)
        (found.id, None)
      } else {
        val added = lookup.add(bytes.slice(from, to), hash, row)
        (added.id, Some(lookup.wireId))
      }
    }
  }

  private val uses: Gen[(Int, List[String])] = for {
    size <- Gen.oneOf(1, 2, 8, 70, 300)
    length <- Gen.oneOf(10, 1000)
    texts <- Gen.listOfN(
      length,
      Gen.choose(0, size * 3 / 2).map(n => "a long name, so long " * (n % 2) + n)
    )
  } yield (size, texts)

  test("the least recently used entry is evicted") {
    forAll(uses) { case (size, texts) =>
      val (model, tested) = (new Model(size), new Tested(size))
      texts.foreach(text => assert(tested.use(text) == model.use(text)))
    }
  }

  test("a restart empties the table, and the first entry is written with its id") {
    forAll(uses) { case (size, texts) =>
      val (model, tested) = (new Model(size), new Tested(size))
      texts.foreach(tested.use)
      tested.lookup.restart()
      texts.take(1).foreach { text =>
        assert(tested.use(text) == ((1, Some(1))))
        model.use(text)
      }
      texts.drop(1).foreach(text => assert(tested.use(text) == model.use(text)))
    }
  }

  test("an evicted entry is reported as such") {
    val lookup = new ByteLookup("name", 1)
    val first = lookup.add("a".getBytes, 1, 1)
    def isHere(entry: LookupEntry) = lookup.isHere(entry.id, entry.stamp)
    assert(isHere(first))
    val second = lookup.add("b".getBytes, 2, 2)
    assert(!isHere(first) && isHere(second))
    lookup.restart()
    assert(!isHere(second))
  }

  test("a row cannot evict entries that it uses itself") {
    val tested = new Tested(2)
    tested.useInRow("a", 1)
    tested.useInRow("b", 2)
    tested.useInRow("a", 2)
    val error = intercept[RefusedException](tested.useInRow("c", 2))
    assert(error.rule == "the row needs more entries at once than the name table of 2 holds")
  }

  test("byte strings that differ in one byte rarely have the same hash") {
    forAll(Gen.choose(1, 40), Gen.choose(0, 39), Gen.choose(1, 255)) { (length, place, change) =>
      val bytes = Array.tabulate(length)(i => (i * 7).toByte)
      val other = bytes.clone
      other(place % length) = (other(place % length) ^ change).toByte
      assert(ByteHash.of(bytes, 0, length) != ByteHash.of(other, 0, length))
      assert(ByteHash.of(0.toByte +: bytes, 1, length + 1) == ByteHash.of(bytes, 0, length))
    }
    // As the table uses them.
    val places = (0 until 4096).map { n =>
      val name = s"<http://example.org/product/$n>".getBytes
      ByteHash.of(name, 0, name.length) & 0x1fff
    }
    assert(places.distinct.size > 2900)
  }
}
