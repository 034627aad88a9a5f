package org.jellyspark.formats.jellypatch

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.decoding.{DecoderFactory, JellyFormat}

/** The Jelly-Patch format: RDF Patch in Jelly's binary form. */
object JellyPatch extends JellyFormat {
  override def shortName: String = "jelly_patch"

  override def title: String = "Jelly-Patch"

  override def extension: String = ".jellyp"

  override def columns(options: Map[String, String]): Seq[Column] = Column.ofPatches

  override val optionNames: Seq[String] = (JellyPatchOptions.Keys ++ ReadOptions.Keys).distinct

  override protected def decoders(options: Map[String, String]): DecoderFactory =
    decoders(ReadOptions.parse(new OptionParser(options)))

  private def decoders(options: ReadOptions): DecoderFactory =
    new JellyPatchDecoder(options, _, _)

  /** Creates a factory of readers with parsed options. */
  def reader(options: ReadOptions): ReaderFactory = reader(decoders(options))

  override def writer(options: Map[String, String]): WriterFactory = writer(
    JellyPatchOptions(options)
  )

  /** Creates a factory of writers with parsed options. */
  def writer(options: JellyPatchOptions): WriterFactory =
    out => new PatchWriter(new JellyPatchEncoder(out, options))
}
