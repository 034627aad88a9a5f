package org.jellyspark.formats.rdfpatchthrift

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, InputStream}
import java.lang.management.ManagementFactory

import org.scalacheck.Gen

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.CorruptInputException
import org.jellyspark.core.terms.{Iri, Literal}
import org.jellyspark.core.{OneByteStream, PropertySuite, RowValue}

/** Damaged and hostile input is read or is a `MalformedInputException`. */
class ThriftDamageSuite extends PropertySuite {

  private def readAll(in: InputStream): Int = {
    val reader = RdfPatchThrift.reader(strict = false).open(in, "file")
    Iterator.continually(reader.next()).takeWhile(identity).size
  }

  test("input that ends inside a row is an error") {
    forAll(ThriftRows.rows) { rows =>
      val bytes = ThriftRows.write(rows)
      val ends = (0 to rows.length).map(count => ThriftRows.write(rows.take(count)).length)
      for (length <- 0 to bytes.length) {
        val row = ends.lastIndexWhere(_ <= length)
        if (ends(row) == length) assert(ThriftRows.read(bytes.take(length)) == rows.take(row))
        else {
          val error = intercept[MalformedInputException](ThriftRows.read(bytes.take(length)))
          assert(error.place == s"row $row at byte ${ends(row)}")
          assert(error.expected == "the rest of the row")
          assert(error.found == s"the end of the input at byte $length")
        }
      }
    }
  }

  test("changed bytes") {
    val changes = Gen.nonEmptyListOf(Gen.zip(Gen.choose(0, Int.MaxValue), Gen.choose(-128, 127)))
    forAll(ThriftRows.rows, changes, minSuccessful(1000)) { (rows, changes) =>
      val bytes = ThriftRows.write(rows)
      whenever(bytes.nonEmpty) {
        changes.foreach { case (at, byte) => bytes(at % bytes.length) = byte.toByte }
        try readAll(new ByteArrayInputStream(bytes)): Unit
        catch { case _: MalformedInputException => }
      }
    }
  }

  test("random bytes") {
    forAll(Gen.containerOf[Array, Byte](Gen.choose(-128, 127).map(_.toByte)), minSuccessful(1000)) {
      bytes =>
        try readAll(new ByteArrayInputStream(bytes)): Unit
        catch { case _: MalformedInputException => }
    }
  }

  test("no memory is reserved for announced lengths") {
    // A header name of 1 GiB, a list of 2^35 - 1 elements, and one inside the other.
    val hostile = Seq("1c188080808004" + "61" * 100, "79f3ffffffff7f" + "00" * 100)
    for (hex <- hostile) {
      val bytes = hex.grouped(2).map(Integer.parseInt(_, 16).toByte).toArray
      val before = allocated
      intercept[MalformedInputException](readAll(new ByteArrayInputStream(bytes)))
      assert(allocated - before < 1000000)
    }
  }

  private def allocated: Long =
    ManagementFactory.getThreadMXBean
      .asInstanceOf[com.sun.management.ThreadMXBean]
      .getThreadAllocatedBytes(Thread.currentThread.getId)

  test("a stream may return one byte at a time") {
    forAll(ThriftRows.rows) { rows =>
      assert(readAll(OneByteStream(ThriftRows.write(rows))) == rows.length)
    }
  }

  test("many rows") {
    val rows = (1 to 20000).map(i => RowValue.add(Iri(s"urn:$i"), Iri(s"urn:g${i % 7}")))
    assert(ThriftRows.read(ThriftRows.write(rows)) == rows)
  }

  test("damaged compressed input is an error") {
    val in = new InputStream {
      override def read(): Int = throw new CorruptInputException(new Exception("bad block"))
    }
    val error = intercept[MalformedInputException](readAll(in))
    assert(error.getMessage.endsWith("expected undamaged compressed input, found bad block"))
  }

  test("rows are written to the file while more are encoded") {
    val out = new ByteArrayOutputStream
    val writer = RdfPatchThrift.writer(Map.empty[String, String]).open(out)
    val row = RowValue.add(Literal.simple("x" * 10000)).toRow()
    (1 to 100).foreach(_ => writer.write(row))
    assert(out.size > 1500000)
  }
}
