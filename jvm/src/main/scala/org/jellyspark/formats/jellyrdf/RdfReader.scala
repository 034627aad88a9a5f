package org.jellyspark.formats.jellyrdf

import java.io.InputStream

import org.jellyspark.jelly.{JellyReader, ReadOptions}

/** Reads the rows of one Jelly-RDF file or stream: statements, and namespaces if they are asked
  * for.
  */
private[jellyrdf] final class RdfReader private (in: InputStream, file: String, decoder: RdfDecoder)
    extends JellyReader(in, file, decoder) {

  def this(in: InputStream, file: String, options: ReadOptions, namespaces: Boolean) =
    this(in, file, new RdfDecoder(options, namespaces))

  private[this] var frame = 0L
  private[this] var seq = 0L

  override protected def number(): Unit = {
    row.frame = frame
    row.seq = seq
    seq += 1
  }

  override protected def endFrame(): Boolean = {
    frame += 1
    false
  }

  override protected def endStream(): Unit = decoder.checkEnd()
}
