package org.jellyspark.source.files

import java.io.{ByteArrayInputStream, InputStream}
import java.util.Arrays

import org.apache.hadoop.fs.Path
import org.apache.hadoop.util.functional.FutureIO
import org.apache.spark.sql.execution.datasources.PartitionedFile

import org.jellyspark.core.formats.InputFile

/** A file in one of Hadoop's file systems, decompressed if its extension is that of a codec.
  *
  * It opens a file with its length, which saves a request to an object store, and with the expected
  * access pattern.
  *
  * @param file
  *   the split of the file that a task reads
  * @param context
  *   what the tasks of the query share
  */
private[source] final class HadoopInputFile(file: PartitionedFile, context: ReadContext)
    extends InputFile {
  import HadoopInputFile._

  private[this] val path: Path = file.toPath
  private[this] val fileSystem = path.getFileSystem(context.conf)
  private[this] val compression = Compression.of(path)
  private[this] val isCompressed = compression != Compression.Uncompressed
  private[this] val isWholeFile = file.start == 0 && file.length >= file.fileSize
  // The whole content of a small file, after its tail has been read.
  private[this] var content: Array[Byte] = _

  override def name: String = file.urlEncodedPath

  /** The length at planning if Spark passes it, otherwise the current length. */
  override lazy val length: Long =
    if (isCompressed) InputFile.UnknownLength
    else if (file.fileSize > 0) file.fileSize
    else fileSystem.getFileStatus(path).getLen

  override def open(start: Long, end: Long): InputStream =
    new KillableInputStream(openAt(start, end))

  private def openAt(start: Long, end: Long): InputStream =
    if (content != null) new ByteArrayInputStream(content, start.toInt, content.length)
    else if (!isCompressed) openRange(start, end)
    else if (start == 0)
      new DecompressedStream(openBytes(0, file.fileSize), compression.decompress(_, context.conf))
    else
      throw new IllegalArgumentException(
        s"$name is compressed: it can be read only from its start, not from byte $start"
      )

  /** Reads the tail. For a small file that a single task reads, this reads the whole file at once.
    */
  override def tail(size: Int): Array[Byte] =
    if (!isWholeFile || length > SmallFile)
      context.tails.get(TailKey(path, length, file.modificationTime, size))(super.tail(size))
    else {
      if (content == null) content = super.tail(length.toInt)
      Arrays.copyOfRange(content, content.length - size, content.length)
    }

  private def openRange(start: Long, end: Long): InputStream =
    if (file.fileSize <= 0 || end >= file.fileSize) openBytes(start, file.fileSize)
    else new ContinuedStream(openBytes(start, end), start, end, openBytes(_, file.fileSize))

  /** Opens the file. In stores that take `end` for the length of the file, the stream ends there.
    */
  private def openBytes(start: Long, end: Long): InputStream = {
    val policy = if (start == 0 && end == file.fileSize) WholeFile else PartOfFile
    val builder = fileSystem.openFile(path).opt("fs.option.openfile.read.policy", policy)
    if (end > 0) builder.opt("fs.option.openfile.length", end.toString)
    val in = FutureIO.awaitFuture(builder.build())
    try if (start > 0) in.seek(start)
    catch {
      case e: Throwable =>
        in.close()
        throw e
    }
    in
  }
}

private[source] object HadoopInputFile {

  /** The read policies to request, in order of preference. A part is not read with `sequential`,
    * because S3A's `analytics` stream then discards the data it has fetched, which may be more than
    * the part.
    */
  private val WholeFile = "whole-file, sequential, adaptive"
  private val PartOfFile = "adaptive"

  /** The longest file, in bytes, that is held in memory and read in one request instead of tail
    * first.
    */
  private val SmallFile = 128 << 10
}

/** A stream that may end early, and is continued if the reader needs more.
  *
  * @param first
  *   the bytes from `start` on, at least up to `end`
  * @param continue
  *   opens the file at an offset, to read up to the end of the file
  */
private final class ContinuedStream(
    first: InputStream,
    start: Long,
    end: Long,
    continue: Long => InputStream
) extends InputStream {
  private[this] var in = first
  private[this] var pos = start
  private[this] var isContinued = false

  override def read(): Int = {
    val byte = new Array[Byte](1)
    if (read(byte, 0, 1) < 0) -1 else byte(0) & 0xff
  }

  override def read(bytes: Array[Byte], from: Int, count: Int): Int = {
    var read = in.read(bytes, from, count)
    if (read < 0 && pos >= end && !isContinued) {
      isContinued = true
      in.close()
      in = continue(pos)
      read = in.read(bytes, from, count)
    }
    if (read > 0) pos += read
    read
  }

  override def close(): Unit = in.close()
}
