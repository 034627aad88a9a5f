package org.jellyspark.source

import java.io.{ByteArrayInputStream, InputStream}
import java.util.Arrays

import org.apache.hadoop.fs.Path
import org.apache.hadoop.util.functional.FutureIO
import org.apache.spark.sql.execution.datasources.PartitionedFile

import org.jellyspark.core.formats.InputFile

/** A file in one of Hadoop's file systems, decompressed if its extension is that of a codec.
  *
  * Object stores are told its length, so that they need not be asked for it, and what will be read.
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
  // The whole content of a small file, once its tail was read.
  private[this] var content: Array[Byte] = _

  override def name: String = file.urlEncodedPath

  /** The length when the query was planned, if Spark passes it on; else the current one. */
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

  /** Of a small file that one task reads, the tail is read with all the rest. */
  override def tail(size: Int): Array[Byte] =
    if (!isWholeFile)
      context.tails.get(TailKey(path, length, file.modificationTime, size))(super.tail(size))
    else if (length > SmallFile) super.tail(size)
    else {
      if (content == null) content = super.tail(length.toInt)
      Arrays.copyOfRange(content, content.length - size, content.length)
    }

  private def openRange(start: Long, end: Long): InputStream =
    if (file.fileSize <= 0 || end >= file.fileSize) openBytes(start, file.fileSize)
    else new ContinuedStream(openBytes(start, end), start, end, openBytes(_, file.fileSize))

  /** Opens the file. Where a store takes `end` for its length, the stream ends there. */
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

  /** The policies that a store may take, the best one first. After `sequential`, S3A's stream of
    * the type `analytics` forgets what it has fetched, which may be more than a part.
    */
  private val WholeFile = "whole-file, sequential, adaptive"
  private val PartOfFile = "adaptive"

  /** The longest file that is read in one go, and held in memory, rather than its tail first. */
  private val SmallFile = 128 << 10
}

/** A stream that ends early, and is continued where the reader wants more.
  *
  * @param first
  *   the bytes from `start` on, at least those before `end`
  * @param continue
  *   opens the file at an offset, up to its end
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
