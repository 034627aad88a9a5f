package org.jellyspark.jelly.decoding

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.errors.MalformedRowException.{malformed, noKind, noUtf8}
import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, RowOp}
import org.jellyspark.jelly.wire._
import org.jellyspark.jelly.{OptionsMessage, ReadOptions, TableSize}

/** Decodes the rows of one Jelly stream, in order: as far as a request wants them, and whole where
  * reading is strict.
  *
  * Rows are taken apart as writers write them: their fields in the order of the schema. A row that
  * is not like that is checked by [[WireCheck]] and put in order by [[RowNormalizer]] first; as is
  * one that breaks a rule, so that of two faults the one on the wire is told.
  *
  * @param fields
  *   the numbers of a row's fields
  * @param isRestart
  *   whether reading begins at a restart point, where a stream refers to nothing before
  */
private[jellyspark] abstract class JellyDecoder(
    protected val options: ReadOptions,
    schema: MessageSchema,
    fields: RowFields,
    request: BatchRequest,
    isRestart: Boolean
) {
  import JellyDecoder._
  import Malformed._
  import TermReader.{Graph, Object, Predicate, Subject}

  private[this] val walker = new MessageWalker(schema)
  private[this] val factory = request.terms.newFactory()
  private[this] val filter = request.filter
  private[this] val isFiltered = !filter.columns.isEmpty
  // By the ordinal of the op.
  private[this] val opPasses = RowOp.values.map(passesOp).toArray
  private[this] val passesWithoutTriple =
    List(Column.Subject, Column.Predicate, Column.Object).forall(passesNull)
  private[this] val passesWithoutGraph = passesNull(Column.Graph)
  private[this] var firstOptions: OptionsMessage = _
  private[this] var lookups: Lookups = _
  private[this] val held = new HeldTerms
  private[this] var readers: Array[TermReader] = _
  private[this] var valueReader: TermReader = _
  private[this] var plain: PlainRows = _
  private[this] var dropReader: TermReader = _

  /** Whether terms and texts are read at all, or only of what kind each row is. */
  protected final val readsTerms: Boolean = options.strict || wantsTerms(request)

  private[this] var subject: TermReader = _
  private[this] var predicate: TermReader = _
  private[this] var obj: TermReader = _

  /** Reads graphs. */
  private[jellyspark] final var graph: TermReader = _

  /** The terms of the row that was decoded last, by position; of one that does not have them, those
    * of a row before. Null for the default graph, and for what the request does not want.
    */
  final def terms: Array[AnyRef] = held.terms

  /** Whether the row that was decoded last, no statement, has a graph. */
  final var hasGraph: Boolean = false

  /** The name of the row that was decoded last, if it has one. */
  final var name: AnyRef = _

  /** The value of the row that was decoded last; null if it has none. */
  final var value: AnyRef = _

  /** Whether the row that was decoded last passes the filter. */
  final var isWanted: Boolean = true

  /** A new message of the format's options. */
  protected def newOptions(): OptionsMessage

  /** Takes the first options row; the lookups' sizes are of no concern.
    *
    * @return
    *   what to check terms with; null for nothing
    * @throws MalformedRowException
    *   if the options break the format
    */
  protected def begin(options: OptionsMessage): FeatureCheck

  /** Decodes a row of the format's own; answers what it is for the reader, null for nothing.
    *
    * @param kind
    *   the number of the field that is set
    * @throws MalformedRowException
    *   if it breaks the format
    * @throws NonCanonical
    *   if it is to be looked at closer
    */
  private[jellyspark] def decodeOwn(kind: Int, bytes: Array[Byte], from: Int, to: Int): RowOp

  /** The fields that are statements which are added and deleted, here and now; 0 for none. */
  def plainAdd: Int
  def plainDelete: Int

  /** How many positions the terms of these have. */
  def plainPositions: Int

  /** Takes the end of a frame; answers what it is for the reader, null for nothing. */
  def endFrame(): RowOp

  /** Checks that the stream may end.
    *
    * @throws MalformedRowException
    *   if it may not
    */
  def checkEnd(): Unit

  /** Checks that a restart point may come.
    *
    * @throws MalformedRowException
    *   if it may not
    */
  def checkRestart(): Unit

  /** How many namespaces of Jelly-RDF there were, and whether they are rows for the reader. */
  def namespaces: Long
  def namespacesAreRows: Boolean

  /** Checks that a row has the options that the stream began with.
    *
    * @throws MalformedRowException
    *   if it has not
    */
  final def checkOptions(bytes: Array[Byte], start: Int, length: Int): Unit = {
    val kind = bytes(start) >>> 3
    if (kind == fields.options) decode(bytes, start, length)
    else {
      malformed(
        "the options row first",
        s"a ${fields.nameOf.getOrElse(kind, "row of another kind")} row"
      )
    }
  }

  /** The fast way through rows; null before the options, and where reading is strict. */
  private[jelly] final def plainRows: PlainRows = plain

  /** The bytes of the rows that were decoded are about to go. */
  final def keepTerms(): Unit = if (readers != null) readers.foreach(_.keep())

  /** Rows that come go into a new batch. */
  final def startBatch(): Unit = {
    held.renew()
    if (lookups != null) lookups.iris.renew()
  }

  /** Decodes one row's message.
    *
    * @return
    *   what the row is for the reader; null if it is the stream's own (options, lookup entry)
    * @throws MalformedRowException
    *   if it breaks the format
    */
  final def decode(bytes: Array[Byte], start: Int, length: Int): RowOp = {
    val end = start + length
    if (lookups != null) lookups.iris.mark()
    try {
      val tag = if (length < 2) 0 else bytes(start).toInt
      // A message of under 128 bytes, and nothing else.
      if (tag > 0 && (tag & 7) == Wire.LengthDelimited && bytes(start + 1) == length - 2) {
        decodeKind(tag >>> 3, bytes, start, start + 2, end)
      } else decodeLong(bytes, start, end)
    } catch {
      case _: MalformedRowException | NonCanonical =>
        if (lookups != null) lookups.iris.reset()
        decodeClosely(bytes, start, length)
    }
  }

  private def decodeLong(bytes: Array[Byte], start: Int, end: Int): RowOp = {
    val tag = PackedVarint.read(bytes, start, end)
    val size = PackedVarint.read(bytes, PackedVarint.next(tag), end)
    val from = PackedVarint.next(size)
    val isMessage = (PackedVarint.number(tag) & 7) == Wire.LengthDelimited
    if (!isMessage || PackedVarint.number(size) != end - from) throw NonCanonical
    decodeKind(PackedVarint.number(tag) >>> 3, bytes, start, from, end)
  }

  private def decodeClosely(bytes: Array[Byte], start: Int, length: Int): RowOp = {
    val row = walker.canonicalRow(bytes, start, start + length)
    if (row.length == 0) noKind()
    try decodeLong(row, 0, row.length)
    // The row is sound: it repeats what has not been looked at yet.
    catch { case NonCanonical => noUtf8() }
  }

  /** @param start
    *   where the row begins, of which the field of this kind begins at `from`
    */
  private def decodeKind(kind: Int, bytes: Array[Byte], start: Int, from: Int, to: Int): RowOp = {
    if (kind == fields.options) {
      takeOptions(bytes, start, from, to)
      null
    } else {
      if (firstOptions == null) {
        if (!fields.nameOf.contains(kind)) throw NonCanonical
        malformed("the options row first", s"a ${fields.nameOf(kind)} row")
      }
      if (kind == fields.name || kind == fields.prefix || kind == fields.datatype) {
        if (readsTerms) setEntry(kind, bytes, from, to)
        null
      } else decodeOwn(kind, bytes, from, to)
    }
  }

  /** Options are few: they are always looked at closely. */
  private def takeOptions(bytes: Array[Byte], start: Int, from: Int, to: Int): Unit = {
    walker.checkRow(bytes, start, to)
    val found = newOptions()
    found.read(bytes, from, to)
    if (firstOptions == null) {
      val features = begin(found)
      val nameSize = tableSize(TableSize.Name, found.maxNameTableSize, options.maxNameTableSize)
      val prefixSize =
        tableSize(TableSize.Prefix, found.maxPrefixTableSize, options.maxPrefixTableSize)
      val datatypeSize =
        tableSize(TableSize.Datatype, found.maxDatatypeTableSize, options.maxDatatypeTableSize)
      lookups = new Lookups(
        new IriTable(prefixSize, nameSize, isRestart, factory),
        new DatatypeTable(datatypeSize, isRestart, factory),
        factory
      )
      setReaders(features)
      firstOptions = found
    } else if (found.content != firstOptions.content)
      malformed("the same options as before", "others")
  }

  private def tableSize(bounds: TableSize, size: Int, max: Int): Int = {
    val found = Integer.toUnsignedLong(size)
    if (found < bounds.min || found > max) {
      malformed(s"a ${bounds.table} table of ${bounds.min} to $max entries", s"one of $found")
    }
    size
  }

  private def setReaders(features: FeatureCheck): Unit = {
    def reader(position: Int, column: Column): TermReader = new TermReader(
      position,
      lookups,
      held,
      options.strict || request.columns.contains(column),
      isFiltered && !options.strict,
      AllowedTerms(filter.of(column)),
      features
    )
    subject = reader(Subject, Column.Subject)
    predicate = reader(Predicate, Column.Predicate)
    obj = reader(Object, Column.Object)
    graph = reader(Graph, Column.Graph)
    readers = Array(subject, predicate, obj, graph)
    if (!options.strict) {
      plain = new PlainRows(this, lookups, readers, held, isFiltered, readsTerms, fields)
    }
    valueReader = repeatless(options.strict || request.columns.contains(Column.Value))
    dropReader = repeatless(isWanted = false)
  }

  private def repeatless(isWanted: Boolean): TermReader =
    new TermReader(Object, lookups, new HeldTerms, isWanted, isLazy = false, null, null)

  private def setEntry(kind: Int, bytes: Array[Byte], start: Int, to: Int): Unit = {
    var wireId = 0
    var at = start
    if (at < to && bytes(at) == EntryIdTag) {
      val read = PackedVarint.read(bytes, at + 1, to)
      wireId = PackedVarint.number(read)
      at = PackedVarint.next(read)
    }
    if (at < to) {
      if (bytes(at) != EntryValueTag) throw NonCanonical
      val read = PackedVarint.read(bytes, at + 1, to)
      at = PackedVarint.next(read)
      if (PackedVarint.number(read) != to - at || !Utf8.isValid(bytes, at, to)) throw NonCanonical
    }
    val iris = lookups.iris
    if (kind == fields.name) {
      setName(iris.nameIdOf(wireId), bytes, at, to)
    } else if (kind == fields.prefix) {
      val id = iris.prefixIdOf(wireId)
      if (isFiltered) readers.foreach(_.keepPrefix(id))
      iris.setPrefix(id, bytes, at, to)
    } else {
      val id = lookups.datatypes.idOf(wireId)
      if (isFiltered) readers.foreach(_.keepDatatype(id))
      lookups.datatypes.set(id, bytes, at, to)
    }
  }

  /** Sets a name entry; what readers hold of the one that it replaces is made before. */
  private[jelly] final def setName(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    if (isFiltered) {
      // There are many names: no closure for each.
      var position = 0
      while (position < readers.length) {
        readers(position).keepName(id)
        position += 1
      }
    }
    lookups.iris.setName(id, bytes, from, to)
  }

  /** Reads the terms of a statement, whose fields are numbered as those of RdfTriple and RdfQuad.
    *
    * @param mayHaveGraph
    *   whether the message has fields of a graph
    * @param readsGraph
    *   whether the graph counts; if not, it only must be one
    * @return
    *   whether there is a graph
    */
  protected final def readStatement(
      bytes: Array[Byte],
      start: Int,
      end: Int,
      mayHaveGraph: Boolean,
      readsGraph: Boolean
  ): Boolean = {
    var at = readTerm(subject, SubjectTag, bytes, start, end)
    at = readTerm(predicate, PredicateTag, bytes, at, end)
    at = readTerm(obj, ObjectTag, bytes, at, end)
    val hasGraph = at < end
    if (hasGraph) {
      if (!mayHaveGraph) throw NonCanonical
      readGraph(bytes, at, start, end, readsGraph)
    }
    hasGraph
  }

  /** Reads a position's term, which repeats the last one if the field at `at` is not one of its
    * four.
    *
    * @param firstTag
    *   the tag of the position's first field
    * @return
    *   where the next field begins
    */
  private def readTerm(
      reader: TermReader,
      firstTag: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int
  ): Int = {
    if (at < end) {
      val place = bytes(at) - firstTag
      // Fields that follow each other have tags 8 apart.
      if ((place & ~(3 << 3)) == 0) {
        val read = PackedVarint.read(bytes, at + 1, end)
        val from = PackedVarint.next(read)
        val to = from + PackedVarint.number(read)
        if (to < from || to > end) throw NonCanonical
        reader.read(place >> 3, bytes, from, to)
        return to
      }
    }
    reader.repeat()
    at
  }

  private def readGraph(
      bytes: Array[Byte],
      at: Int,
      start: Int,
      end: Int,
      readsGraph: Boolean
  ): Unit = {
    val tag = PackedVarint.read(bytes, at, end)
    val place = PackedVarint.number(tag) - GraphTag
    if ((place & ~(3 << 3)) != 0) throw NonCanonical
    val length = PackedVarint.read(bytes, PackedVarint.next(tag), end)
    val from = PackedVarint.next(length)
    if (PackedVarint.number(length) != end - from) throw NonCanonical
    if (readsGraph) graph.read(graphKind(place >> 3), bytes, from, end)
    else walker.check(MessageSchema.QuadMessage, bytes, start, end)
  }

  /** Takes a graph that is not there: it repeats the last, and where there was none it is the
    * default graph, but not where the row `requires` one.
    */
  protected final def repeatGraph(requires: Boolean): Unit = if (!graph.isSet) {
    if (requires || isRestart) nothingToRepeat("a graph")
    graph.setDefault()
  }

  /** Reads the value of a row, which may be any term. */
  protected final def readValue(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    valueReader.read(kind, bytes, from, to)
    value = valueReader.term
  }

  /** Reads the name of a row. */
  protected final def readName(bytes: Array[Byte], from: Int, to: Int): Unit = {
    val text = factory.text(bytes, from, to)
    if (text == null) throw NonCanonical
    name = text
  }

  /** Reads a message whose fields, few, are messages and texts, `read` one of them: its number, and
    * from where to before where its content is.
    */
  protected final def readFields(bytes: Array[Byte], start: Int, end: Int)(
      read: (Int, Int, Int) => Unit
  ): Unit = {
    var at = start
    var last = 0
    while (at < end) {
      val tag = bytes(at).toInt
      val field = tag >>> 3
      if ((tag & 7) != Wire.LengthDelimited || field <= last) throw NonCanonical
      val length = PackedVarint.read(bytes, at + 1, end)
      val from = PackedVarint.next(length)
      at = from + PackedVarint.number(length)
      if (at < from || at > end) throw NonCanonical
      read(field, from, at)
      last = field
    }
  }

  /** What stands for a name that is left out. */
  protected final def NoName: AnyRef = factory.text(Array.emptyByteArray, 0, 0)

  /** The kind of term that a graph is, by the place of its field among those of its oneof. */
  protected final def graphKind(place: Int): Int = place match {
    case 2 => TermReader.DefaultGraph
    case 3 => TermReader.Literal
    case _ => place
  }

  /** Reads a term that is dropped; its ids count all the same. */
  protected final def dropTerm(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit =
    dropReader.read(kind, bytes, from, to)

  /** Ends a statement: decides whether it passes the filter, and has its terms made if so. */
  private[jellyspark] final def finishStatement(op: RowOp): RowOp = {
    if (isFiltered) {
      isWanted = opPasses(op.ordinal) &&
        subject.passes && predicate.passes && obj.passes && graph.passes
      if (isWanted) {
        subject.term
        predicate.term
        obj.term
        graph.term
      }
    }
    op
  }

  /** As [[finishStatement]], of a row that has a graph, but no other term of a statement. */
  protected final def finishWithGraph(op: RowOp): RowOp = {
    hasGraph = true
    if (isFiltered) {
      isWanted = opPasses(op.ordinal) && passesWithoutTriple && graph.passes
      if (isWanted) graph.term
    }
    op
  }

  /** As [[finishStatement]], of a row that has no term of a statement. */
  protected final def finishBare(op: RowOp): RowOp = {
    hasGraph = false
    isWanted = opPasses(op.ordinal) && passesWithoutTriple && passesWithoutGraph
    op
  }

  private def passesNull(column: Column): Boolean = {
    val allowed = filter.of(column)
    allowed == null || allowed.nulls
  }

  private def passesOp(op: RowOp): Boolean = {
    val allowed = filter.of(Column.Op)
    allowed == null || allowed.texts.forall(_.contains(op.code))
  }
}

private[jelly] object JellyDecoder {

  /** Whether a row has the terms of a statement. */
  def isStatement(op: RowOp): Boolean = (op eq RowOp.Add) || (op eq RowOp.Delete)

  final val EntryIdTag = Wire.Entry.Id << 3 | Wire.Varint
  final val EntryValueTag = Wire.Entry.Value << 3 | Wire.LengthDelimited

  // The tags of each position's first field.
  final val SubjectTag = 1 << 3 | Wire.LengthDelimited
  final val PredicateTag = 5 << 3 | Wire.LengthDelimited
  final val ObjectTag = 9 << 3 | Wire.LengthDelimited
  final val GraphTag = 13 << 3 | Wire.LengthDelimited

  private def wantsTerms(request: BatchRequest): Boolean =
    (request.columns ++ request.filter.columns.keys).exists {
      case _: Column.TermColumn | _: Column.TextColumn => true
      case _                                           => false
    }
}
