package org.jellyspark.benchmarks

import java.io.{BufferedInputStream, BufferedOutputStream, FileInputStream, FileOutputStream}
import java.io.{InputStream, OutputStream, PrintStream}

import scala.io.{Codec, Source}
import scala.util.Using
import scala.util.control.NonFatal

/** The peers of the benchmark in a plain JVM. Each line on standard input is a task, its name and
  * arguments parted by tabs; the answer is a line with the seconds that the work took and what it
  * found, or with `error` and a message. `benchmarks/workers/protocol.py` is its like.
  */
object Peers {

  /** What is timed, made ready: it returns what it found. */
  type Work = () => Long

  /** The bytes of each file that are read or written at once. */
  private val BufferSize: Int = 1 << 16

  private val held = new HeldStatements

  private def prepare(task: Seq[String]): Work = task match {
    case Seq("jelly_core_decode", file)   => () => JellyCoreDecode.statements(file)
    case Seq("hold", file)                => () => held.load(file)
    case Seq("release")                   => () => held.release()
    case Seq("jelly_jena_encode", file)   => () => JenaTasks.writeJelly(held, file)
    case Seq("jena_apply", state, log)    => () => JenaTasks.applyLog(state, log)
    case Seq("riot_read", file)           => () => JenaTasks.readTurtle(file)
    case Seq(s"jena_${form}_read", file)  => () => JenaTasks.readPatch(form, file)
    case Seq(s"jena_${form}_write", file) => () => JenaTasks.writePatch(form, held, file)
    case _                                => sys.error(s"no such task: ${task.mkString(" ")}")
  }

  /** Reads a file through a buffer. */
  def read[A](file: String)(use: InputStream => A): A =
    Using.resource(new BufferedInputStream(new FileInputStream(file), BufferSize))(use)

  /** Writes a file through a buffer. */
  def write[A](file: String)(use: OutputStream => A): A =
    Using.resource(new BufferedOutputStream(new FileOutputStream(file), BufferSize))(use)

  def main(args: Array[String]): Unit = {
    val answers = new PrintStream(System.out, true, "UTF-8")
    System.setOut(System.err) // for what libraries print
    for (line <- Source.fromInputStream(System.in)(Codec.UTF8).getLines())
      answers.println(answer(line.split('\t').toSeq))
  }

  private def answer(task: Seq[String]): String =
    try {
      val work = prepare(task)
      val start = System.nanoTime()
      val found = work()
      s"${(System.nanoTime() - start) / 1e9}\t$found"
    } catch {
      case NonFatal(error) => s"error\t${error.toString.replaceAll("\\s+", " ")}"
    }
}
