package org.jellyspark.source.files

import java.io.{
  BufferedInputStream,
  BufferedOutputStream,
  FilterInputStream,
  InputStream,
  OutputStream
}

import com.github.luben.zstd.ZstdOutputStream
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.io.compress._

import org.jellyspark.core.formats.{OptionParser, OptionValue}

/** A compression codec: a value of the option `compression`.
  *
  * @param extension
  *   the suffix of compressed files, with the dot, by which readers recognize the codec
  */
sealed abstract class Compression(name: String, val extension: String) extends OptionValue(name) {
  private[source] def compress(out: OutputStream, conf: Configuration): OutputStream

  private[source] def decompress(in: InputStream, conf: Configuration): InputStream
}

object Compression {
  val Key = "compression"

  case object Uncompressed extends Compression("none", "") {
    override def compress(out: OutputStream, conf: Configuration): OutputStream = out

    override def decompress(in: InputStream, conf: Configuration): InputStream = in
  }

  /** A codec implemented by Hadoop. */
  sealed abstract class HadoopCompression(
      name: String,
      extension: String,
      codecClass: Class[_ <: CompressionCodec]
  ) extends Compression(name, extension) {
    override def compress(out: OutputStream, conf: Configuration): OutputStream =
      codec(conf).createOutputStream(out)

    override def decompress(in: InputStream, conf: Configuration): InputStream =
      codec(conf).createInputStream(in)

    protected def codec(conf: Configuration): CompressionCodec =
      new CompressionCodecFactory(conf).getCodecByClassName(codecClass.getName)
  }

  /** gzip, also with zero bytes after it, which Hadoop's reader takes for damage. */
  case object Gzip extends HadoopCompression("gzip", ".gz", classOf[GzipCodec]) {
    override def decompress(in: InputStream, conf: Configuration): InputStream = {
      val gzip = codec(conf)
      val members = new PaddedMembers(gzip.createDecompressor())
      new FilterInputStream(gzip.createInputStream(in, members)) {
        override def close(): Unit =
          try super.close()
          finally members.end()
      }
    }
  }

  case object Deflate extends HadoopCompression("deflate", ".deflate", classOf[DeflateCodec])

  /** A codec that uses Hadoop's block format. `BlockInputStream` reads it, because Hadoop's reader
    * does not detect truncated files.
    */
  sealed abstract class BlockCompression(
      name: String,
      extension: String,
      codecClass: Class[_ <: CompressionCodec]
  ) extends HadoopCompression(name, extension, codecClass) {
    override def decompress(in: InputStream, conf: Configuration): InputStream =
      new BlockInputStream(in, codec(conf).createDecompressor())
  }

  case object Lz4 extends BlockCompression("lz4", ".lz4", classOf[Lz4Codec])
  case object Snappy extends BlockCompression("snappy", ".snappy", classOf[SnappyCodec])

  /** bzip2. Commons Compress reads it, because Hadoop's reader does not detect files whose last
    * bytes are missing. Both libraries access the file byte by byte, so they get buffered streams.
    */
  case object Bzip2 extends HadoopCompression("bzip2", ".bz2", classOf[BZip2Codec]) {
    override def compress(out: OutputStream, conf: Configuration): OutputStream =
      super.compress(new BufferedOutputStream(out, BufferSize), conf)

    override def decompress(in: InputStream, conf: Configuration): InputStream =
      new BZip2CompressorInputStream(new BufferedInputStream(in, BufferSize), true)

    private final val BufferSize = 1 << 16
  }

  /** Zstandard, with zstd-jni, because Hadoop's codec needs a native library that few machines
    * have.
    */
  case object Zstd extends Compression("zstd", ".zst") {
    override def compress(out: OutputStream, conf: Configuration): OutputStream =
      new ZstdOutputStream(out).setChecksum(true)

    override def decompress(in: InputStream, conf: Configuration): InputStream =
      new ZstdSource(in)
  }

  private val values = List(Uncompressed, Gzip, Zstd, Bzip2, Deflate, Lz4, Snappy)

  /** Returns the codec that the option `compression` names; [[Uncompressed]] by default.
    *
    * @throws org.jellyspark.OptionException
    *   if there is no codec of that name
    */
  def apply(options: Map[String, String]): Compression =
    new OptionParser(options).oneOf(Key, values, Uncompressed)

  /** Returns the codec of a file, chosen by its extension. */
  def of(path: Path): Compression =
    values
      .filter(_ != Uncompressed)
      .find(compression => path.getName.endsWith(compression.extension))
      .getOrElse(Uncompressed)

  /** Creates a file and compresses what is written to it. Fails if the file exists. */
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
