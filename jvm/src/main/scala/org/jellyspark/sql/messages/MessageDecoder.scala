package org.jellyspark.sql.messages

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.apache.spark.sql.types.StructType

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{FileHints, MessageReader, MessageReaderFactory, ReaderFactory}
import org.jellyspark.source.{BatchSchema, MalformedFileException, RowFields}

/** Decodes messages to arrays of structs.
  *
  * On executors, each task deserializes its own decoder. On the driver, several threads may fold
  * the same constant at once. So a thread takes the cached reader out while it uses it, because the
  * reader keeps its tables for the next message.
  *
  * @param columns
  *   the columns of the structs, some or all of those of the format
  */
private[sql] final class MessageDecoder(message: MessageFormat, columns: StructType)
    extends Serializable {
  import MessageDecoder._

  @transient private[this] lazy val idle = new AtomicReference[Reader]

  /** Decodes a message.
    *
    * @return
    *   its rows, which are not serializable; null if the message is malformed and the mode is
    *   PERMISSIVE
    * @throws org.jellyspark.source.MalformedFileException
    *   if the message is malformed and the mode is FAILFAST
    */
  def decode(bytes: Array[Byte]): ArrayData = {
    val kept = idle.getAndSet(null)
    val reader = if (kept == null) newReader() else kept
    try {
      val rows = reader.read(bytes)
      idle.set(reader)
      rows
    } catch {
      case e: MalformedInputException =>
        idle.set(reader)
        if (message.isPermissive) null
        else {
          val hint = FileHints.find(bytes.take(FileHints.HeadSize), message.format.shortName)
          throw new MalformedFileException(e.withHint(hint))
        }
    }
  }

  private def newReader(): Reader = {
    val schema = new BatchSchema(columns, new StructType)
    message.format.batchReader(message.options, schema.request(message.format, message.options)) match {
      case Some(factory: MessageReaderFactory) =>
        new ColumnReader(factory.openMessages(message.function), schema)
      case _ => new RowsReader(message.format.reader(message.options), message.function, columns)
    }
  }
}

private object MessageDecoder {

  private sealed abstract class Reader {
    def read(message: Array[Byte]): ArrayData
  }

  /** Leaves the rows in the columns that the format's reader fills. */
  private final class ColumnReader(reader: MessageReader, schema: BatchSchema) extends Reader {
    override def read(message: Array[Byte]): ArrayData = schema.toArray(reader.read(message))
  }

  /** Copies the rows of a format whose reader reads row by row. */
  private final class RowsReader(factory: ReaderFactory, name: String, columns: StructType)
      extends Reader {
    private[this] val fields = new RowFields(columns, corruptColumn = null)

    override def read(message: Array[Byte]): ArrayData = {
      val reader = factory.openMessage(message, name)
      val rows = Array.newBuilder[Any]
      while (reader.next()) {
        val values = new Array[Any](columns.length)
        fields.copy(reader.row, malformedText = null, values)
        rows += new GenericInternalRow(values)
      }
      new GenericArrayData(rows.result())
    }
  }
}
