package org.jellyspark.jena.riot

import java.io.InputStream
import java.util.TreeMap

import org.apache.jena.graph.{Node, NodeFactory, Triple}
import org.apache.jena.irix.IRIxResolver
import org.apache.jena.riot.{RDFLanguages, RDFParserRegistry, RIOT}
import org.apache.jena.riot.lang.LabelToNode
import org.apache.jena.riot.system.{
  ErrorHandler,
  FactoryRDFCaching,
  ParserProfileStd,
  PrefixMapFactory,
  StreamRDF
}
import org.apache.jena.sparql.core.Quad
import org.apache.jena.sparql.util.Context
import org.apache.jena.sys.JenaSystem

import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.errors.MalformedRowException.{malformed, quoted}
import org.jellyspark.core.terms.{BaseDirection, Iri}
import org.jellyspark.text.TurtleNames

/** A row that the parser has found. */
private[riot] sealed abstract class Found

/** A statement. The graph is null for the default graph. */
private[riot] final class FoundStatement(
    val subject: Node,
    val predicate: Node,
    val obj: Node,
    val graph: Node
) extends Found

/** A prefix, without the colon. */
private[riot] final class FoundPrefix(val name: String, val iri: Iri) extends Found

/** Some rows, one after another.
  *
  * @param offset
  *   how many bytes of the file have been read by then
  */
private[riot] final class Chunk(val rows: Array[Found], val offset: Long)

/** Parses a file with RIOT, and passes on the rows in chunks.
  *
  * @param file
  *   the path of the file
  * @param input
  *   the bytes of the file
  * @param terms
  *   makes nodes of what the file has; whoever gets the chunks makes terms of them
  * @param put
  *   gets the chunks
  */
private[riot] final class RiotParser(
    file: String,
    input: ParserInput,
    syntax: Syntax,
    options: RdfOptions,
    terms: NodeTerms,
    put: Chunk => Unit
) {
  import RiotParser._

  private[this] val chunk = new ChunkBuilder(input, put)

  // Those declared so far, in the order in which they become rows.
  private[this] val prefixes = new TreeMap[String, String]
  // Those that are rows.
  private[this] val passed = new TreeMap[String, String]
  private[this] var hasStarted = false
  // The error that ended parsing. Jena may wrap what it gets.
  private[this] var error: InputError = _

  /** Parses the file.
    *
    * @throws InputError
    *   if the file is malformed; the rows before are passed on first
    */
  def parse(): Unit =
    try {
      initialize()
      val language = RDFLanguages.nameToLang(syntax.jenaName)
      val context = RIOT.getContext.copy()
      val profile = new Profile(context)
      val base = if (options.base.isEmpty) null else options.base
      def read(bytes: InputStream, base: String): Unit =
        RDFParserRegistry
          .getFactory(language)
          .create(language, profile)
          .read(bytes, base, null, Rows, context)
      syntax match {
        case Syntax.JsonLd =>
          JsonLd.configure(context)
          val json = JsonLd.checked(input, Errors)
          val marked = JsonLd.marked(json, options.base)
          terms.marks = marked.marks
          read(marked.json, marked.base)
          if (!hasStarted && !json.isJsonLd)
            fail(new InputError("JSON-LD", "JSON without any of its keywords"))
        case Syntax.RdfXml =>
          val marks = new Marks(Marks.token(XmlTokenSize))
          terms.marks = Some(marks)
          RdfXml.read(input, base, profile, Rows, context, marks, fail(_))
        case _ => read(input, base)
      }
    } catch {
      case _: Exception if input.error != null => throw input.error
      case _: Exception if error != null       => throw error
    } finally chunk.flush()

  /** Settings of the parser. It is strict, so that the last statement of a file that is cut off is
    * an error. It does not check what is no syntax error, such as the number in "x"^^xsd:integer.
    */
  private final class Profile(context: Context)
      extends ParserProfileStd(
        Nodes,
        Errors,
        IRIxResolver.create().noBase().allowRelative(true).build(),
        PrefixMapFactory.create(),
        context,
        false,
        true
      ) {
    // Empty without one.
    private[this] var base = options.base

    // Jena would refuse or change IRIs that N-Triples' grammar allows.
    override def resolveIRI(iri: String, line: Long, column: Long): String =
      if (TurtleNames.isAbsolute(iri)) iri
      else if (iri.startsWith("_:"))
        fail(new InputError("an absolute IRI", quoted(iri), line, column))
      else if (base.isEmpty) fail(relativeIri(line, column))
      else RelativeIri.resolve(iri, base)

    override def createURI(iri: String, line: Long, column: Long): Node =
      Nodes.createURI(resolveIRI(iri, line, column))

    override def setBaseIRI(iri: String): Unit = base = iri

    override def getBaseURI(): String = base
  }

  /** Creates nodes, with our labels for blank nodes. */
  private object Nodes
      extends FactoryRDFCaching(
        FactoryRDFCaching.DftNodeCacheSize,
        LabelToNode.createUseLabelAsGiven()
      ) {
    private[this] val labels = new Labels(file)

    override def createBlankNode(): Node = NodeFactory.createBlankNode(labels.next())

    override def createBlankNode(label: String): Node = NodeFactory.createBlankNode(
      // In JSON-LD, Jena gives all nodes labels of its own, from b0 on.
      if (syntax == Syntax.JsonLd) labels.numbered(label.stripPrefix("b"))
      else {
        checked(terms.checkLabel(label))
        labels.`given`(label)
      }
    )

    override def createURI(iri: String): Node =
      // Jena would make a blank node of such an IRI.
      if (iri.startsWith("_:")) checked(malformed("an absolute IRI", quoted(iri)))
      // Jena's cache has a limit for the number of IRIs, not for their size.
      else if (iri.length > NodeTerms.MaxCachedIri) {
        chunk.addSize(iri.length)
        NodeFactory.createURI(iri)
      } else super.createURI(iri)

    override def createLangLiteral(lex: String, tag: String): Node =
      checked(terms.tagged(lex, tag))

    override def createLangDirLiteral(lex: String, language: String, direction: String): Node =
      createLangLiteral(lex, BaseDirection.join(language, direction))
  }

  private object Rows extends StreamRDF {
    override def start(): Unit = ()

    override def triple(triple: Triple): Unit =
      add(triple.getSubject, triple.getPredicate, triple.getObject, null)

    override def quad(quad: Quad): Unit = {
      val graph = if (quad.isDefaultGraph) null else quad.getGraph
      add(quad.getSubject, quad.getPredicate, quad.getObject, graph)
    }

    override def base(base: String): Unit = ()

    override def prefix(name: String, iri: String): Unit =
      if (options.namespaces) prefixes.put(terms.restored(name), terms.restored(iri)): Unit

    override def finish(): Unit = addPrefixes()

    private def add(subject: Node, predicate: Node, obj: Node, graph: Node): Unit = {
      if (subject.isLiteral)
        fail(new InputError("an IRI or a blank node as the subject", "a literal"))
      if (!hasStarted) {
        hasStarted = true
        addPrefixes()
      }
      chunk.add(new FoundStatement(subject, predicate, obj, graph))
      input.addRow()
    }

    private def addPrefixes(): Unit = prefixes.forEach { (name, iri) =>
      if (passed.put(name, iri) != iri) chunk.add(new FoundPrefix(name, Iri(iri)))
    }
  }

  /** Ends parsing at the first error. Other warnings are about data that can be read. */
  private object Errors extends ErrorHandler {
    override def warning(message: String, line: Long, column: Long): Unit = {
      if (BadCharacter.exists(message.startsWith))
        fail(new InputError("a valid IRI", describe(message), line, column))
    }

    override def error(message: String, line: Long, column: Long): Unit =
      fatal(message, line, column)

    override def fatal(message: String, line: Long, column: Long): Unit = {
      val (expected, found) =
        if (message.startsWith("Relative URI")) (NodeTerms.AbsoluteIri, NodeTerms.RelativeIri)
        else if (syntax == Syntax.JsonLd && JsonLd.isAboutRemoteContext(message))
          (
            "JSON-LD with its contexts in the file, because contexts are not fetched",
            "the IRI of a context: put the context itself in its place"
          )
        else if (syntax == Syntax.RdfXml && RdfXml.isAboutEntities(message))
          RdfXml.Multiplied
        else if (syntax == Syntax.RdfXml && RdfXml.isAboutLevels(message))
          (s"elements nested at most ${RdfXml.MaxLevels} deep", "deeper ones")
        else (s"valid ${syntax.title}", describe(message))
      fail(new InputError(expected, terms.restored(found), math.max(line, 0), math.max(column, 0)))
    }
  }

  private def checked[A](make: => A): A =
    try make
    catch { case e: MalformedRowException => fail(new InputError(e.expected, e.found)) }

  private def fail(found: InputError): Nothing = {
    // Jena may report the first error again, as one of its own.
    if (error == null) error = found
    throw error
  }
}

private object RiotParser {
  private final val MaxMessage = 200 // characters
  private final val XmlTokenSize = 16

  // How warnings about characters begin that IRIs cannot hold without escapes.
  private val BadCharacter = Seq("Bad character in IRI", "Illegal character in IRI")

  /** The error for a relative IRI without a base. */
  private def relativeIri(line: Long, column: Long): InputError = new InputError(
    NodeTerms.AbsoluteIri,
    NodeTerms.RelativeIri,
    line,
    column
  )

  /** Initializes Jena in one thread, and before its classes: they could wait for each other. */
  def initialize(): Unit = synchronized(JenaSystem.init())

  /** Describes an error of a parser, whose message may quote much of the file. */
  def describe(message: String): String =
    s"an error: ${if (message.length > MaxMessage) message.take(MaxMessage) + "…" else message}"
}

/** Collects rows in chunks.
  *
  * A literal is not longer than what the file has for it, but prefixes can make long IRIs of a few
  * bytes.
  *
  * @param put
  *   gets the chunks
  */
private final class ChunkBuilder(input: ParserInput, put: Chunk => Unit) {
  import ChunkBuilder._

  private[this] val rows = new Array[Found](MaxRows)
  private[this] var count = 0
  // Where the input was when the chunk began, and the size of long IRIs since then.
  private[this] var start = 0L
  private[this] var size = 0L

  def add(row: Found): Unit = {
    rows(count) = row
    count += 1
    if (count == MaxRows || size + input.offset - start > MaxSize) flush()
  }

  /** Counts what is not short, and longer than in the file. */
  def addSize(characters: Int): Unit = size += characters

  def flush(): Unit = if (count > 0) {
    val full = new Chunk(java.util.Arrays.copyOf(rows, count), input.offset)
    count = 0
    size = 0
    start = input.offset
    put(full)
  }
}

private object ChunkBuilder {
  private final val MaxRows = 512
  private final val MaxSize = 1L << 20 // bytes
}
