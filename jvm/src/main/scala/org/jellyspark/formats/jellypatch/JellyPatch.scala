package org.jellyspark.formats.jellypatch

import java.io.{InputStream, OutputStream}

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.decoding.{
  FormatDecoder,
  JellyBatchReaderFactory,
  JellyReader,
  RangeReader
}
import org.jellyspark.jelly.frames.FrameReader

/** The Jelly-Patch format: RDF Patch in Jelly's binary form. */
object JellyPatch extends RowFormat {
  override def shortName: String = "jelly_patch"

  override def title: String = "Jelly-Patch"

  override def extension: String = ".jellyp"

  override def canSplit: Boolean = true

  override def columns(options: Map[String, String]): Seq[Column] = Column.ofPatches

  override val optionNames: Seq[String] = (JellyPatchOptions.Keys ++ ReadOptions.Keys).distinct

  override def reader(options: Map[String, String]): ReaderFactory =
    reader(ReadOptions.parse(new OptionParser(options)))

  /** Creates a factory of readers with parsed options. */
  def reader(options: ReadOptions): ReaderFactory = new PatchReaderFactory(options)

  override def batchReader(
      options: Map[String, String],
      request: BatchRequest
  ): JellyBatchReaderFactory =
    new PatchBatchReaderFactory(ReadOptions.parse(new OptionParser(options)), request)

  override def messageReader(
      options: Map[String, String],
      request: BatchRequest,
      name: String
  ): MessageReader = batchReader(options, request).openMessages(name)

  override def writer(options: Map[String, String]): WriterFactory = writer(
    JellyPatchOptions(options)
  )

  /** Creates a factory of writers with parsed options. */
  def writer(options: JellyPatchOptions): WriterFactory = new PatchWriterFactory(options)
}

private final class PatchReaderFactory(options: ReadOptions) extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader = {
    val decoder = new JellyPatchDecoder(options, JellyReader.request(Column.ofPatches))
    val frames = new FrameReader(in, file, longestRow = options.rowLimit)
    new JellyReader(new RangeReader(frames, decoder, options.strict))
  }
}

private final class PatchBatchReaderFactory(options: ReadOptions, request: BatchRequest)
    extends JellyBatchReaderFactory(options, request) {
  override def newDecoder(isRestart: Boolean): FormatDecoder =
    new JellyPatchDecoder(options, request, isRestart)

  override def strictTransactions: Boolean = options.strict
}

private final class PatchWriterFactory(options: JellyPatchOptions) extends WriterFactory {
  override def open(out: OutputStream): RowWriter = new PatchWriter(
    new JellyPatchEncoder(out, options)
  )
}
