package org.jellyspark.sql.messages

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.formats.jellypatch.JellyPatch
import org.jellyspark.source.TermColumnType

final class MessageDecoderSuite extends AnyFunSuite {
  import MessageDecoderSuite._

  test("one reader serves good and malformed messages") {
    val format = new CountingFormat
    val message =
      MessageFormat("from_test", format, Map.empty, TermColumnType.AsString, isPermissive = true)
    val decoder = new MessageDecoder(message, message.schema)
    val good = encode("A", "<a:s>", "<a:p>", "\"o\"")
    val other = encode("D", "<b:s>", "<b:p>", "<b:o>")
    (1 to 20).foreach { _ =>
      val notUtf8 = good.map(b => if (b == 'o') 0xff.toByte else b)
      Seq(good.dropRight(1), "hello world".getBytes, notUtf8).foreach { malformed =>
        assert(decoder.decode(malformed) == null)
        assert(subjects(decoder, good) == Seq("<a:s>"))
        assert(subjects(decoder, other) == Seq("<b:s>"))
      }
    }
    assert(format.opened == 1)
  }
}

private object MessageDecoderSuite {
  private val columns =
    StructType.fromDDL("op string, subject string, predicate string, object string")

  /** Jelly-Patch, which counts the readers that are opened. */
  private final class CountingFormat extends RowFormat {
    var opened = 0

    override def shortName: String = JellyPatch.shortName
    override def title: String = JellyPatch.title
    override def extension: String = JellyPatch.extension
    override def columns(options: Map[String, String]): Seq[Column] = JellyPatch.columns(options)
    override def optionNames: Seq[String] = JellyPatch.optionNames
    override def reader(options: Map[String, String]): ReaderFactory = JellyPatch.reader(options)
    override def writer(options: Map[String, String]): WriterFactory = JellyPatch.writer(options)

    override def messageReader(
        options: Map[String, String],
        request: BatchRequest,
        name: String
    ): MessageReader = {
      opened += 1
      JellyPatch.messageReader(options, request, name)
    }
  }

  private def encode(values: String*): Array[Byte] = {
    val options = Map("delimited" -> "false", "restartInterval" -> "0")
    val message =
      MessageFormat("to_test", JellyPatch, options, TermColumnType.AsString, isPermissive = false)
    val row = InternalRow(values.map(UTF8String.fromString): _*)
    new MessageEncoder(message, columns).encode(new GenericArrayData(Array(row)))
  }

  private def subjects(decoder: MessageDecoder, message: Array[Byte]): Seq[String] = {
    val rows = decoder.decode(message)
    (0 until rows.numElements()).map(rows.getStruct(_, Column.ofPatches.length).getString(1))
  }
}
