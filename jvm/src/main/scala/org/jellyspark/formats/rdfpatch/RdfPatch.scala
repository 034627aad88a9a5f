package org.jellyspark.formats.rdfpatch

import java.io.InputStream

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.text.{TextInput, TextOutput}

/** The RDF Patch format in its text form. */
object RdfPatch extends RowFormat {
  override def shortName: String = "rdf_patch"

  override def title: String = "RDF Patch"

  override def extension: String = ".rdfp"

  override def columns(options: Map[String, String]): Seq[Column] = Column.ofPatches

  override def canSkipRows: Boolean = true

  override def canSplit: Boolean = true

  override def skipsToParts: Boolean = true

  override val optionNames: Seq[String] = RdfPatchOptions.StyleKey +: RowFormat.ReadKeys

  override def partOf(split: FilePart, length: Long): FilePart = TextParts.in(split, length)

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    reader(RowFormat.strict(parser), RowFormat.rowLimit(parser))
  }

  /** Creates a factory of readers.
    *
    * @param strict
    *   as in `RdfPatchReader`
    */
  def reader(strict: Boolean, rowLimit: RowLimit = RowLimit.Default): ReaderFactory =
    new TextReaderFactory(strict, rowLimit)

  override def writer(options: Map[String, String]): WriterFactory =
    writer(RdfPatchOptions(options))

  /** Creates a factory of writers with parsed options. */
  def writer(options: RdfPatchOptions): WriterFactory = { out =>
    val text = new TextOutput(out)
    new PatchWriter(options.style match {
      case Style.Jena => new JenaStyleEncoder(text)
      case Style.V1   => new V1Encoder(text)
    })
  }
}

private final class TextReaderFactory(strict: Boolean, rowLimit: RowLimit) extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader =
    new RdfPatchReader(new TextInput(in, rowLimit), file, strict, rowLimit, part)

  override def openMessage(message: Array[Byte], name: String): RowReader = {
    val text = TextInput.of(message, rowLimit)
    new RdfPatchReader(text, name, strict, rowLimit, FilePart.Whole)
  }
}
