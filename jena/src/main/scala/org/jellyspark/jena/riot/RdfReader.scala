package org.jellyspark.jena.riot

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.formats.RowReader
import org.jellyspark.core.rows.{Row, RowOp, RowSize}

/** Reads the rows of one file with RIOT, which parses it in a thread of its own.
  *
  * Memory is bounded, except for JSON-LD, which Jena reads as a whole, and for long IRIs in
  * RDF/XML, the last of which Jena's parser keeps.
  *
  * @param in
  *   the bytes of the file
  * @param file
  *   the name of the file
  */
private[riot] final class RdfReader(in: InputStream, file: String, options: RdfOptions)
    extends RowReader {
  private[this] val syntax = options.syntaxOf(file)
  // Bytes that the parser had read when it ended; written by its thread.
  @volatile private[this] var lastOffset = 0L
  private[this] val terms = new NodeTerms(syntax, options)
  private[this] val parser = {
    val blocks = new BlockReader(in)
    new ParserThread[Block, Chunk](s"rdf parser of $file", () => blocks.next(), parse)
  }
  private[this] var chunk = new Chunk(Array.empty, 0)
  // The index in the chunk of the next row.
  private[this] var at = 0

  override val row: Row = new Row
  row.seq = -1

  override def next(): Boolean = {
    if (at == chunk.rows.length) nextChunk()
    if (chunk == null) false
    else {
      fill(chunk.rows(at))
      at += 1
      true
    }
  }

  override def close(): Unit = parser.stop()

  private def parse(thread: ParserThread[Block, Chunk]): Unit = {
    val input = new ParserInput(syntax, options, () => thread.takeBlock())
    try new RiotParser(file, input, syntax, options, terms, thread.put).parse()
    finally lastOffset = input.offset
  }

  /** Takes the next chunk; null at the end. */
  private def nextChunk(): Unit =
    try {
      chunk = parser.next()
      at = 0
    } catch {
      case e: InputError         => fail(e, lastOffset)
      case _: StackOverflowError =>
        fail(new InputError("parts that are nested less deep", "too many levels"), lastOffset)
      // RIOT throws exceptions of many classes.
      case e: RuntimeException =>
        val found = RiotParser.describe(e.toString)
        fail(new InputError(s"valid ${syntax.title}", found), lastOffset)
    }

  private def fill(found: Found): Unit = {
    row.clear()
    row.seq += 1
    row.op = RowOp.Add
    try {
      found match {
        case statement: FoundStatement =>
          row.subject = terms.of(statement.subject)
          row.predicate = terms.of(statement.predicate)
          row.obj = terms.of(statement.obj)
          if (statement.graph ne null) row.graph = terms.of(statement.graph)
        case prefix: FoundPrefix =>
          row.op = RowOp.PrefixAdd
          row.name = prefix.name
          row.value = prefix.iri
      }
      RowSize.check(row, 0, options.rowLimit)
    } catch {
      case e: MalformedRowException =>
        row.seq -= 1
        fail(new InputError(e.expected, e.found), chunk.offset)
    }
  }

  private def fail(error: InputError, offset: Long): Nothing = {
    val rows = row.seq + 1
    val place =
      if (error.line > 0) s"line ${error.line}, column ${error.column}"
      else if (rows == 0) "before the first row"
      else s"after row ${rows - 1}"
    throw new MalformedInputException(file, place, offset, rows, error.expected, error.found)
  }
}
