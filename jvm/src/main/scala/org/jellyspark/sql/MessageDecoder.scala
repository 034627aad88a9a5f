package org.jellyspark.sql

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.apache.spark.sql.types.StructType

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{FileHints, MessageReader, MessageReaderFactory, ReaderFactory}
import org.jellyspark.core.rows.RowFilter
import org.jellyspark.source.{BatchSchema, MalformedFileException, RowFields}

/** Decodes messages to arrays of structs.
  *
  * Tasks of one JVM each have their own, as they deserialize one. On the driver, several threads
  * may fold the same constant at once. So a reader, which keeps its tables for the next message, is
  * taken out while it is used.
  *
  * @param columns
  *   the columns of the structs, some or all of those that the format has
  */
private[sql] final class MessageDecoder(message: MessageFormat, columns: StructType)
    extends Serializable {
  import MessageDecoder._

  @transient private[this] lazy val idle = new AtomicReference[Reader]

  /** Decodes a message.
    *
    * @return
    *   its rows, valid until they are garbage, but not serializable; null if it is malformed and
    *   the mode is PERMISSIVE
    * @throws org.jellyspark.source.MalformedFileException
    *   if it is malformed and the mode is FAILFAST
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
        if (message.isPermissive) null
        else {
          val hint = FileHints.find(bytes.take(FileHints.HeadSize), message.format.shortName)
          throw new MalformedFileException(e.withHint(hint))
        }
    }
  }

  private def newReader(): Reader = {
    val schema = new BatchSchema(columns, new StructType)
    message.format.batchReader(message.options, schema.request(RowFilter.All)) match {
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

  /** Has the rows stay in the columns that the format's reader fills. */
  private final class ColumnReader(reader: MessageReader, schema: BatchSchema) extends Reader {
    override def read(message: Array[Byte]): ArrayData = schema.toArray(reader.read(message))
  }

  /** Copies the rows of a format that is read row by row. */
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
