package org.jellyspark.source

import java.io.{InputStream, OutputStream}

import com.github.luben.zstd.{ZstdInputStream, ZstdOutputStream}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.io.compress._
import org.jellyspark.codec.{OptionParser, OptionValue}

/** A way to compress files: a value of the option `compression`.
  *
  * @param extension
  *   what it adds to a file's name, by which a reader knows it
  */
sealed abstract class Compression(name: String, val extension: String) extends OptionValue(name) {
  private[source] def compress(out: OutputStream, conf: Configuration): OutputStream
}

object Compression {
  val Key = "compression"

  case object None extends Compression("none", "") {
    override def compress(out: OutputStream, conf: Configuration): OutputStream = out
  }

  case object Gzip extends HadoopCompression("gzip", ".gz", classOf[GzipCodec])
  case object Bzip2 extends HadoopCompression("bzip2", ".bz2", classOf[BZip2Codec])
  case object Deflate extends HadoopCompression("deflate", ".deflate", classOf[DeflateCodec])
  case object Lz4 extends HadoopCompression("lz4", ".lz4", classOf[Lz4Codec])
  case object Snappy extends HadoopCompression("snappy", ".snappy", classOf[SnappyCodec])

  /** Not Hadoop's codec, which needs a native library that few machines have: Spark's own. */
  case object Zstd extends Compression("zstd", ".zst") {
    override def compress(out: OutputStream, conf: Configuration): OutputStream =
      new ZstdOutputStream(out)
  }

  sealed abstract class HadoopCompression(
      name: String,
      extension: String,
      codecClass: Class[_ <: CompressionCodec]
  ) extends Compression(name, extension) {
    override private[source] def compress(out: OutputStream, conf: Configuration): OutputStream =
      new CompressionCodecFactory(conf)
        .getCodecByClassName(codecClass.getName)
        .createOutputStream(out)
  }

  private val values = List(None, Gzip, Zstd, Bzip2, Deflate, Lz4, Snappy)

  /** The compression that the options ask for; none by default.
    *
    * @throws org.jellyspark.OptionException
    *   if there is no such one
    */
  def apply(options: Map[String, String]): Compression =
    new OptionParser(options).oneOf(Key, values, None)

  /** Opens a file, decompressed as its extension says. */
  def open(path: Path, conf: Configuration): InputStream = {
    val in = path.getFileSystem(conf).open(path)
    try
      if (path.getName.endsWith(Zstd.extension)) new ZstdInputStream(in)
      else {
        val codec = new CompressionCodecFactory(conf).getCodec(path)
        if (codec == null) in else codec.createInputStream(in)
      }
    catch {
      case e: Throwable =>
        in.close()
        throw e
    }
  }

  /** Makes a new file, compressed. */
  private[source] def create(
      path: Path,
      conf: Configuration,
      compression: Compression
  ): OutputStream = {
    val out = path.getFileSystem(conf).create(path, false)
    try compression.compress(out, conf)
    catch {
      case e: Throwable =>
        out.close()
        throw e
    }
  }
}
