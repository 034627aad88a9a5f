package org.jellyspark.jelly.decoding

import java.io.ByteArrayInputStream

import org.jellyspark.core.formats.MessageReader
import org.jellyspark.core.rows.ColumnBatch

/** Reads messages that are Jelly streams, all with the same decoder.
  *
  * @param in
  *   the bytes that `rows` reads
  */
private[jelly] final class JellyMessageReader(
    in: MessageInput,
    rows: RangeReader,
    columns: RequestedColumns
) extends MessageReader {
  import JellyMessageReader._

  // The number of rows to make room for in the next message: those of the last one plus one, so
  // that the end of the message is found before the batch is full.
  private[this] var room = FirstRoom

  override def read(message: Array[Byte]): ColumnBatch = {
    in.open(message)
    rows.restart()
    val batch = rows.newBatch(columns, room)
    while (rows.fill(batch)) batch.extend()
    room = math.min(batch.size + 1, MaxRoom)
    batch.result
  }
}

private object JellyMessageReader {
  private final val FirstRoom = 16
  private final val MaxRoom = ColumnBatch.MaxRows
}

/** The bytes of the current message. */
private[jelly] final class MessageInput extends ByteArrayInputStream(Array.emptyByteArray) {

  /** Begins another message. */
  def open(message: Array[Byte]): Unit = {
    buf = message
    pos = 0
    count = message.length
  }
}
