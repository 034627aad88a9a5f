package org.jellyspark.benchmarks

import java.io.PrintStream

import scala.io.{Codec, Source}
import scala.util.control.NonFatal

import org.apache.jena.riot.{Lang, RDFParser}
import org.apache.jena.riot.system.StreamRDFLib

/** The peers of the benchmark in a plain JVM. Each line on standard input is a task, its name and
  * arguments parted by tabs; the answer is a line with the seconds that the work took and what it
  * found, or with `error` and a message. `benchmarks/workers/protocol.py` is its like.
  */
object Peers {

  /** What is timed, made ready: it returns what it found. */
  type Work = () => Long

  /** The bytes of each file that are read or written at once. */
  val BufferSize: Int = 1 << 16

  private val held = new HeldStatements

  private def prepare(task: Seq[String]): Work = task match {
    case Seq("jelly_core_decode", file)   => () => JellyCoreDecode.statements(file)
    case Seq("hold", file)                => () => held.load(file)
    case Seq("release")                   => () => held.release()
    case Seq("jelly_jena_encode", file)   => () => JellyJenaEncode.write(held, file)
    case Seq("jena_apply", state, log)    => () => JenaApply.statements(state, log)
    case Seq("riot_read", file)           => () => riotStatements(file)
    case Seq(s"jena_${form}_read", file)  => () => JenaPatch.named(form).read(file)
    case Seq(s"jena_${form}_write", file) => () => JenaPatch.named(form).write(held, file)
    case _                                => sys.error(s"no such task: ${task.mkString(" ")}")
  }

  /** Reads a file of Turtle with RIOT, and returns how many statements it has. */
  private def riotStatements(file: String): Long = {
    val counter = StreamRDFLib.count()
    RDFParser.source(file).forceLang(Lang.TURTLE).parse(counter)
    counter.count
  }

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
