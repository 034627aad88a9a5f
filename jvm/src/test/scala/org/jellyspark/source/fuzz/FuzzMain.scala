package org.jellyspark.source.fuzz

import java.io._
import java.lang.management.ManagementFactory
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

/** Reads files of mutated files, for `tests/fuzz`.
  *
  * Each line of the standard input is the path of a file of cases. Its results go to the path with
  * `.results` appended, five lines for each case: the rows and the end; the same of each part; the
  * same of the rows that are looked for; disagreements between ways of reading; bytes allocated and
  * milliseconds of processor time. Then the path is printed. A case that crashes the JVM is the
  * first without results.
  */
object FuzzMain {
  private val threads =
    ManagementFactory.getThreadMXBean.asInstanceOf[com.sun.management.ThreadMXBean]

  def main(args: Array[String]): Unit = {
    val paths = new BufferedReader(new InputStreamReader(System.in, UTF_8))
    Iterator.continually(paths.readLine()).takeWhile(_ != null).foreach { path =>
      val in = new DataInputStream(new BufferedInputStream(Files.newInputStream(Paths.get(path))))
      val out = Files.newBufferedWriter(Paths.get(path + ".results"), UTF_8)
      (0 until in.readInt()).foreach { _ =>
        val test = FuzzCase.read(in)
        val (allocated, time) = (threads.getCurrentThreadAllocatedBytes, cpuTime)
        val reader = new FuzzReader(test)
        val lines = Seq(
          reader.whole.line,
          reader.parts.map(_.line).mkString(" | "),
          reader.found.fold("")(_.line),
          reader.disagreements.mkString(" | "),
          s"${threads.getCurrentThreadAllocatedBytes - allocated} ${cpuTime - time}"
        )
        lines.foreach(line => out.write(escaped(line) + "\n"))
        out.flush()
      }
      out.close()
      in.close()
      println(path)
    }
  }

  private def cpuTime: Long = threads.getCurrentThreadCpuTime / 1000000

  /** One line, whatever an error quotes. */
  private def escaped(text: String): String =
    text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
}
