package org.jellyspark.core.formats

import java.io.OutputStream
import java.util.Arrays

import org.jellyspark.core.errors.RefusedException.refuse

/** A buffer of bytes, written to a file in whole rows.
  *
  * @param out
  *   the file; closed by the caller
  */
private[jellyspark] abstract class RowOutput(out: OutputStream) {
  import RowOutput._

  /** The bytes that have not been written yet: the first `size` ones. */
  protected final var bytes: Array[Byte] = new Array[Byte](FlushSize * 2)
  protected final var size: Int = 0

  /** Ends a row. Writes the buffer to the file once it is large enough. */
  final def endRow(): Unit = if (size >= FlushSize) write()

  /** Writes the buffer to the file, and flushes the file. */
  final def flush(): Unit = {
    write()
    out.flush()
  }

  /** Makes room for `count` more bytes. */
  protected final def reserve(count: Long): Unit =
    if (bytes.length - size < count) {
      val needed = size + count
      if (needed > MaxSize) refuse("a row must be shorter than 2 GiB")
      bytes = Arrays.copyOf(bytes, math.min(math.max(needed, bytes.length * 2L), MaxSize).toInt)
    }

  private def write(): Unit = {
    out.write(bytes, 0, size)
    size = 0
    // Frees the memory after a very long row.
    if (bytes.length > KeptSize) bytes = new Array[Byte](FlushSize * 2)
  }
}

private object RowOutput {
  private final val FlushSize = 1 << 16
  private final val KeptSize = 1 << 22
  private final val MaxSize = Int.MaxValue - 8L // the longest array that HotSpot allocates
}
