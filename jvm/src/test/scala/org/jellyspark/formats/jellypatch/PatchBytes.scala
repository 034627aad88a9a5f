package org.jellyspark.formats.jellypatch

import org.jellyspark.core.RowValue
import org.jellyspark.jelly.ReadOptions

/** Rows to Jelly-Patch and back, in memory. */
object PatchBytes {

  def write(rows: Seq[RowValue], options: PatchOptions = PatchOptions()): Array[Byte] =
    RowValue.write(rows, JellyPatch.writer(options))

  def writeAsRead(rows: Seq[RowValue], options: PatchOptions = PatchOptions()): Array[Byte] =
    RowValue.writeAsRead(rows, JellyPatch.writer(options))

  def read(bytes: Array[Byte], options: ReadOptions = ReadOptions()): Seq[RowValue] =
    RowValue.read(bytes, JellyPatch.reader(options))

  val strict: ReadOptions = ReadOptions(strict = true)
}
