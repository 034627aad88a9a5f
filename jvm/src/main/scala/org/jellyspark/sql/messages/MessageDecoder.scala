package org.jellyspark.sql.messages

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types.StructType

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{FileHints, MessageReader}
import org.jellyspark.source.{BatchSchema, MalformedFileException}

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
  @transient private[this] lazy val schema = new BatchSchema(columns, new StructType)
  @transient private[this] lazy val idle = new AtomicReference[MessageReader]

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
      val rows = schema.toArray(reader.read(bytes))
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

  private def newReader(): MessageReader = message.format.messageReader(
    message.options,
    schema.request(message.format, message.options),
    message.function
  )
}
