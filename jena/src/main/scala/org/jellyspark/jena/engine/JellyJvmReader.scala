package org.jellyspark.jena.engine

import java.io.InputStream
import java.util.ArrayDeque

import scala.util.control.NonFatal

import eu.neverblink.jelly.core.JellyOptions
import eu.neverblink.jelly.core.RdfHandler.AnyStatementHandler
import eu.neverblink.jelly.core.proto.v1.{RdfStreamOptions, RdfStreamRow}

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{CorruptInputException, MalformedRowException}
import org.jellyspark.core.formats.RowReader
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.Term
import org.jellyspark.jelly.ReadOptions

/** Reads the rows of one file with jelly-core, which holds one frame in memory.
  *
  * It accepts everything that jelly-core accepts, which is more than the specification allows.
  *
  * @param namespaces
  *   whether to return namespace declarations as rows
  */
private[engine] final class JellyJvmReader(
    in: InputStream,
    file: String,
    options: ReadOptions,
    namespaces: Boolean
) extends RowReader {
  // Functions that fill in the rows of the current frame that have not been returned yet.
  private[this] val decoded = new ArrayDeque[Row => Unit]
  private[this] val decoder =
    TermConverter.anyStatementDecoder(new Collector, supported)
  private[this] val frames = new FrameInput(in)
  // The error that stopped the decoder in the current frame.
  private[this] var error: MalformedInputException = _
  private[this] var exhausted = false

  override val row: Row = new Row
  row.frame = -1
  row.seq = -1

  override def next(): Boolean = {
    while (decoded.isEmpty && !exhausted) {
      exhausted = error != null
      if (exhausted) throw error
      readFrame()
    }
    val fill = decoded.poll()
    if (fill != null) {
      row.clear()
      row.seq += 1
      fill(row)
    }
    fill != null
  }

  /** Decodes the next frame until its end or an error. */
  private def readFrame(): Unit = {
    val offset = frames.offset
    var rows = -1L // the last row reached in the frame
    try {
      val frame = frames.next()
      exhausted = frame == null
      if (!exhausted) {
        row.frame += 1
        frame.getRows.forEach { (found: RdfStreamRow) =>
          rows += 1
          decoder.ingestRow(found)
        }
      }
    } catch {
      case e: CorruptInputException =>
        fail(offset, rows, MalformedRowException.Undamaged, s"an error: $e")
      // jelly-core and Protobuf throw exceptions of many classes.
      case NonFatal(e) if !frames.hasFailed =>
        e.getCause match {
          case malformed: MalformedRowException => // of TermConverter
            fail(offset, rows, malformed.expected, malformed.found)
          case _ => fail(offset, rows, "what Jelly-JVM reads", s"an error: $e")
        }
    }
  }

  private def fail(offset: Long, row: Long, expected: String, found: String): Unit =
    error = MalformedInputException.inFrame(file, offset, row, expected, found)

  /** The limits for the options of the stream. */
  private def supported: RdfStreamOptions =
    JellyOptions.DEFAULT_SUPPORTED_OPTIONS
      .clone()
      .setMaxNameTableSize(options.maxNameTableSize)
      .setMaxPrefixTableSize(options.maxPrefixTableSize)
      .setMaxDatatypeTableSize(options.maxDatatypeTableSize)

  private final class Collector extends AnyStatementHandler[Term] {
    override def handleTriple(s: Term, p: Term, o: Term): Unit = handleQuad(s, p, o, null)

    override def handleQuad(s: Term, p: Term, o: Term, g: Term): Unit = add { row =>
      row.op = RowOp.Add
      row.subject = s
      row.predicate = p
      row.obj = o
      row.graph = g
    }

    override def handleNamespace(name: String, iri: Term): Unit = if (namespaces) add { row =>
      row.op = RowOp.PrefixAdd
      row.name = name
      row.value = iri
    }

    private def add(fill: Row => Unit): Unit = decoded.add(fill): Unit
  }
}
