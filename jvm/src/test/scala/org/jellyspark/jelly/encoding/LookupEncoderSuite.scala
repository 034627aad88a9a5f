package org.jellyspark.jelly.encoding

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.jelly.WireBytes
import org.jellyspark.jelly.frames.FrameWriter
import org.jellyspark.jelly.wire.Wire

/** The lookup of the encoder, compared with a simple model. */
class LookupEncoderSuite extends PropertySuite {

  /** Ids by text, in LRU order. */
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

  private val Field = 9

  /** A lookup, each of whose entries is written in a frame of its own. */
  private final class Tested(maxSize: Int) {
    private val out = new ByteArrayOutputStream
    private val frame = new FrameWriter(out, delimited = true, restartInterval = 0)
    val lookup = new LookupEncoder("name", maxSize, frame, Field)

    def use(text: String): (Int, Option[Int]) = {
      val used = useInRow(text)
      lookup.endRow()
      used
    }

    /** The id, and the one that was written if the entry is new. */
    def useInRow(text: String): (Int, Option[Int]) = {
      val entry = add(text)
      val written = if (frame.rowCount == 0) None else Some(writtenId(text, entry.id))
      assert(written.isEmpty == (out.size == 0))
      out.reset()
      (entry.id, written)
    }

    def add(text: String): LookupEntry = {
      val bytes = s"x${text}yy".getBytes(UTF_8)
      lookup.entry(bytes, 1, bytes.length - 2)
    }

    /** The id in the frame's only row, which must be the entry: 0, or its id. */
    private def writtenId(text: String, id: Int): Int = {
      frame.endFrame()
      val value = WireBytes.text(Wire.Entry.Value, text)
      val withoutId = WireBytes.frame(WireBytes.field(Field, value))
      val withId =
        WireBytes.frame(WireBytes.field(Field, WireBytes.number(Wire.Entry.Id, id.toLong), value))
      val written = out.toByteArray.toSeq
      if (written == withoutId.toSeq) 0
      else {
        assert(written == withId.toSeq)
        id
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

  test("after a restart the lookup is empty, and the first entry is written with its id") {
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

  test("an id has another stamp when its entry was evicted") {
    val tested = new Tested(1)
    def isHere(entry: LookupEntry) = tested.lookup.has(entry.id, entry.stamp)
    val first = tested.add("a")
    assert(isHere(first))
    tested.lookup.endRow()
    val second = tested.add("b")
    assert(!isHere(first) && isHere(second))
    tested.lookup.restart()
    assert(!isHere(second))
  }

  test("an entry that the row uses itself is not evicted") {
    val tested = new Tested(2)
    tested.use("a")
    tested.useInRow("b")
    tested.useInRow("a")
    val error = intercept[RefusedException](tested.useInRow("c"))
    assert(
      error.rule == "the row needs more entries than the name table of 2 can hold: raise maxNameTableSize"
    )
  }
}
