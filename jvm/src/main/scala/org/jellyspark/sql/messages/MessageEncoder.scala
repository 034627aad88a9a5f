package org.jellyspark.sql.messages

import java.io.ByteArrayOutputStream
import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types.StructType

import org.jellyspark.UnwritableRowException
import org.jellyspark.source.SparkRowBuilder
import org.jellyspark.sql.UnwritableMessageException

/** Encodes arrays of structs as messages. The writer is kept for the next message, like the reader
  * of a [[MessageDecoder]].
  *
  * @param columns
  *   the columns of the structs, checked by [[MessageFormat.check]]
  */
private[sql] final class MessageEncoder(message: MessageFormat, columns: StructType)
    extends Serializable {
  @transient private[this] lazy val idle = new AtomicReference[Writer]

  /** Encodes the rows of a message.
    *
    * @throws UnwritableMessageException
    *   if a row is null, or the format with its options cannot represent it
    */
  def encode(rows: ArrayData): Array[Byte] = {
    val kept = idle.getAndSet(null)
    val writer = if (kept == null) new Writer else kept
    try {
      val bytes = writer.write(rows)
      idle.set(writer)
      bytes
    } catch {
      case e: UnwritableRowException => throw new UnwritableMessageException(message.function, e)
    }
  }

  private final class Writer {
    private[this] val out = new MessageOutput
    private[this] val builder =
      new SparkRowBuilder(columns, message.format.columns(message.options))
    private[this] val writer = message.format.writer(message.options).open(out)

    def write(rows: ArrayData): Array[Byte] = {
      val size = rows.numElements()
      var i = 0
      while (i < size) {
        if (rows.isNullAt(i)) throw new UnwritableRowException(s"element $i must not be null", null)
        writer.write(builder.read(rows.getStruct(i, columns.length)))
        i += 1
      }
      writer.finish()
      val bytes = out.take()
      writer.restart()
      bytes
    }
  }
}

/** The bytes of the current message. */
private final class MessageOutput extends ByteArrayOutputStream(1 << 10) {

  /** Returns the bytes of the message and begins the next one. */
  def take(): Array[Byte] = {
    val bytes = toByteArray
    reset()
    // Frees the memory after a long message.
    if (buf.length > MessageOutput.KeptSize) buf = new Array[Byte](1 << 10)
    bytes
  }
}

private object MessageOutput {
  private final val KeptSize = 1 << 20
}
