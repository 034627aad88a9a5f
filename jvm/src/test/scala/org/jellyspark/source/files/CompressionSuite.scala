package org.jellyspark.source.files

import java.io._

import scala.util.Random

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.errors.CorruptInputException

/** Counts the calls with which the codecs read and write the bytes of a file. */
class CompressionSuite extends AnyFunSuite {
  private val conf = new Configuration

  // Half of the bytes are random, so that the compressed file is long, too.
  private val content = {
    val random = new Random(1)
    Array.fill(1 << 18)((if (random.nextBoolean()) random.nextInt() else 0).toByte)
  }

  private final class CountingOutput extends ByteArrayOutputStream {
    var calls = 0

    override def write(byte: Int): Unit = {
      calls += 1
      super.write(byte)
    }

    override def write(bytes: Array[Byte], start: Int, length: Int): Unit = {
      calls += 1
      super.write(bytes, start, length)
    }
  }

  private final class CountingInput(in: InputStream) extends FilterInputStream(in) {
    var calls = 0

    override def read(): Int = {
      calls += 1
      super.read()
    }

    override def read(bytes: Array[Byte], start: Int, length: Int): Int = {
      calls += 1
      super.read(bytes, start, length)
    }
  }

  private def written(compression: Compression): CountingOutput = {
    val file = new CountingOutput
    val out = compression.compress(file, conf)
    // In pieces, as writers do.
    content.grouped(1 << 13).foreach(out.write)
    out.close()
    file
  }

  private val compressions =
    List("gzip", "zstd", "bzip2", "deflate", "lz4", "snappy").map(name =>
      Compression(Map(Compression.Key -> name))
    )

  compressions.foreach { compression =>
    test(s"$compression reads and writes many bytes at a time") {
      val file = written(compression)
      val in = new CountingInput(new ByteArrayInputStream(file.toByteArray))
      val read = new DecompressedStream(in, compression.decompress(_, conf))
      val bytes = new Array[Byte](1 << 16)
      assert(read.read(bytes, 0, 0) == 0)
      val found = new ByteArrayOutputStream
      Iterator.continually(read.read(bytes)).takeWhile(_ >= 0).foreach(found.write(bytes, 0, _))
      read.close()
      assert(found.toByteArray.sameElements(content))
      assert(file.calls <= file.size / 2048)
      assert(in.calls <= file.size / 2048)
    }

    test(s"$compression: a damaged file comes to an end") {
      val file = written(compression).toByteArray
      val random = new Random(2)
      val bytes = new Array[Byte](1 << 16)
      (0 until 8).foreach { _ =>
        val damaged = file.clone
        damaged(random.nextInt(file.length)) = random.nextInt().toByte
        val in = new ByteArrayInputStream(damaged)
        val read = new DecompressedStream(in, compression.decompress(_, conf))
        try while (read.read(bytes) >= 0) {}
        catch { case _: CorruptInputException => }
        finally read.close()
      }
    }
  }

  List("gzip", "zstd", "bzip2").foreach { name =>
    test(s"$name: a file that ends within any of its parts is damaged") {
      val compression = Compression(Map(Compression.Key -> name))
      val part = new ByteArrayOutputStream
      val out = compression.compress(part, conf)
      out.write("TX .".getBytes)
      out.close()
      val parts = part.toByteArray ++ part.toByteArray
      def read(bytes: Array[Byte]) =
        new DecompressedStream(new ByteArrayInputStream(bytes), compression.decompress(_, conf))
          .readAllBytes()
      assert(new String(read(parts)) == "TX .TX .")
      assert(read(parts.take(part.size)).length == 4)
      (1 until part.size).foreach { kept =>
        withClue(kept)(
          intercept[CorruptInputException](read(parts.take(part.size + kept)))
        )
      }
    }
  }

  test("gzip: zero bytes after a member are padding, and other bytes are damage") {
    val part = written(Compression.Gzip).toByteArray
    def read(bytes: Array[Byte]) = {
      val in = new ByteArrayInputStream(bytes)
      new DecompressedStream(in, Compression.Gzip.decompress(_, conf)).readAllBytes()
    }
    List(1, 10, 1 << 12, 1 << 17).foreach { size =>
      val padding = new Array[Byte](size)
      assert(read(part ++ padding).sameElements(content))
      assert(read(part ++ padding ++ part ++ padding).sameElements(content ++ content))
      assert(intercept[CorruptInputException](read(part ++ padding :+ 1.toByte)) != null)
    }
    assert(intercept[CorruptInputException](read(0.toByte +: part)) != null)
  }
}
