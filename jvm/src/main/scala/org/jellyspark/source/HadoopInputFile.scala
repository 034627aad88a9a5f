package org.jellyspark.source

import java.io.InputStream

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.execution.datasources.PartitionedFile

import org.jellyspark.core.formats.InputFile

/** A file in one of Hadoop's file systems, decompressed if its extension is that of a codec. */
private[source] final class HadoopInputFile(file: PartitionedFile, conf: Configuration)
    extends InputFile {
  private[this] val path: Path = file.toPath
  private[this] val isCompressed = Compression.of(path) != Compression.Uncompressed

  override def name: String = file.urlEncodedPath

  /** The length when the query was planned, if Spark passes it on; else the current one. */
  override lazy val length: Long =
    if (isCompressed) InputFile.UnknownLength
    else if (file.fileSize > 0) file.fileSize
    else path.getFileSystem(conf).getFileStatus(path).getLen

  override def open(offset: Long): InputStream = new KillableInputStream(openAt(offset))

  private def openAt(offset: Long): InputStream =
    if (offset == 0) Compression.open(path, conf)
    else {
      if (isCompressed)
        throw new IllegalArgumentException(
          s"$name is compressed: it can be read only from its start, not from byte $offset"
        )
      val in = path.getFileSystem(conf).open(path)
      try in.seek(offset)
      catch {
        case e: Throwable =>
          in.close()
          throw e
      }
      in
    }
}
