package org.jellyspark.formats.jellypatch

import org.jellyspark.core.RowValue
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.WireBytes.{field, number}
import org.jellyspark.jelly.wire.Wire

/** Writes and reads Jelly-Patch in memory, and builds options rows. */
object PatchBytes {

  def write(rows: Seq[RowValue], options: JellyPatchOptions = JellyPatchOptions()): Array[Byte] =
    RowValue.write(rows, JellyPatch.writer(options))

  def writeAsRead(
      rows: Seq[RowValue],
      options: JellyPatchOptions = JellyPatchOptions()
  ): Array[Byte] =
    RowValue.writeAsRead(rows, JellyPatch.writer(options))

  def read(bytes: Array[Byte], options: ReadOptions = ReadOptions()): Seq[RowValue] =
    RowValue.read(bytes, JellyPatch.reader(options))

  val strict: ReadOptions = ReadOptions(strict = true)

  def options(
      stream: StreamType = StreamType.Punctuated,
      statement: StatementType = StatementType.Quads
  ): Array[Byte] = {
    import JellyPatchFields.{Options => Field}
    field(
      JellyPatchFields.Kind.Options,
      number(Field.StatementType, statement.number.toLong),
      number(Field.StreamType, stream.number.toLong),
      number(Wire.Options.MaxNameTableSize, 8),
      number(Wire.Options.MaxPrefixTableSize, 8),
      number(Wire.Options.MaxDatatypeTableSize, 8),
      number(Wire.Options.Version, 1)
    )
  }
}
