package org.jellyspark.formats.rdfpatchthrift

import org.jellyspark.core.errors.MalformedRowException.{malformed, noKind}
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms._

/** Decodes rows from the structs of Jena's schema.
  *
  * It is stricter than Jena's reader. The following are errors here: a field whose type differs
  * from the schema (Jena skips the field), a repeated field (Jena takes the last one), and a union
  * with more than one field (Jena treats the rest as another row).
  */
private[rdfpatchthrift] final class ThriftDecoder(in: CompactProtocolReader, rowLimit: RowLimit) {
  import ThriftDecoder._
  import ThriftSchema.{Header, Literal => LiteralField, PatchRow, Prefix, Statement, Text}
  import ThriftSchema.{Term => TermField}

  private[this] val iris = new TermCache[Iri]
  private[this] val blankNodes = new TermCache[BlankNode]
  private[this] val tripleSize = new TripleTermSize(rowLimit)

  /** Reads the next row, except for its ordinals.
    *
    * @param row
    *   receives the content of the row
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if the bytes are not a row
    */
  def decode(row: Row): Unit = {
    row.clear()
    tripleSize.startRow()
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      last match {
        case PatchRow.Header    => header(row)
        case PatchRow.DataAdd   => statement("dataAdd", RowOp.Add, row)
        case PatchRow.DataDel   => statement("dataDel", RowOp.Delete, row)
        case PatchRow.PrefixAdd => prefix("prefixAdd", RowOp.PrefixAdd, row)
        case PatchRow.PrefixDel => prefix("prefixDel", RowOp.PrefixDelete, row)
        case PatchRow.Txn       => transaction(row)
        case _                  => in.skipField()
      }
    }
    if (row.op == null) noKind()
  }

  /** Begins the field of a row. */
  private def begin(name: String, kind: Int, row: Row, op: RowOp): Unit = {
    beginOne(name, kind, row.op, "row")
    row.op = op
  }

  private def transaction(row: Row): Unit = {
    begin("txn", CompactProtocol.I32, row, null)
    val code = in.i32()
    val ops = ThriftSchema.transactionOps
    if (code < 0 || code >= ops.length) {
      malformed("a transaction code from 0 to 3", s"code $code")
    }
    row.op = ops(code.toInt)
  }

  private def statement(name: String, op: RowOp, row: Row): Unit = {
    begin(name, CompactProtocol.Struct, row, op)
    var graph: Term = null
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      last match {
        case Statement.S => row.subject = term("s", row.subject, 0)
        case Statement.P => row.predicate = term("p", row.predicate, 0)
        case Statement.O => row.obj = term("o", row.obj, 0)
        case Statement.G =>
          graph = term("g", graph, 0)
          row.graph = JenaDefaultGraph.resolve(graph)
        case _ => in.skipField()
      }
    }
    require(row.subject, "a subject", "subject")
    require(row.predicate, "a predicate", "predicate")
    require(row.obj, "an object", "object")
  }

  private def header(row: Row): Unit = {
    begin("header", CompactProtocol.Struct, row, RowOp.Header)
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      last match {
        case Header.Name  => row.name = text("name", row.name)
        case Header.Value => row.value = term("value", row.value, 0)
        case _            => in.skipField()
      }
    }
    require(row.name, "the name of the header", "name")
    require(row.value, "the value of the header", "value")
  }

  /** Reads the prefix of a `PA` or `PD`. Only a `PA` has an IRI. */
  private def prefix(name: String, op: RowOp, row: Row): Unit = {
    begin(name, CompactProtocol.Struct, row, op)
    var graph: Term = null
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      last match {
        case Prefix.GraphNode =>
          graph = term("graphNode", graph, 0)
          row.graph = JenaDefaultGraph.resolve(graph)
        case Prefix.Name                            => row.name = text("prefix", row.name)
        case Prefix.IriStr if op == RowOp.PrefixAdd => row.value = iriText("iriStr", row.value)
        case _                                      => in.skipField()
      }
    }
    require(row.name, "the name of the prefix", "name")
    if (op == RowOp.PrefixAdd) require(row.value, "the IRI of the prefix", "IRI")
  }

  /** Reads the term in the current field.
    *
    * @param name
    *   the name of the field
    * @param before
    *   the previous value of the field; null if the field is not repeated
    * @param depth
    *   the number of triple terms around the term
    */
  private def term(name: String, before: Term, depth: Int): Term = {
    beginField(name, CompactProtocol.Struct, before)
    var found: Term = null
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      last match {
        case TermField.Iri        => found = iri(found)
        case TermField.Bnode      => found = blankNode(found)
        case TermField.Literal    => found = literal(found)
        case TermField.TripleTerm => found = triple(found, depth)
        case TermField.PrefixName => noTerm("prefixName", found, "a prefixed name")
        case TermField.Variable   => noTerm("variable", found, "a variable")
        case TermField.Any        => noTerm("any", found, "ANY")
        case TermField.Undefined  => noTerm("undefined", found, "UNDEF")
        case TermField.Repeat     => noTerm("repeat", found, "REPEAT")
        case TermField.ValInteger =>
          noTerm("valInteger", found, "an integer in binary form", CompactProtocol.I64)
        case TermField.ValDouble =>
          noTerm("valDouble", found, "a double in binary form", CompactProtocol.Double)
        case TermField.ValDecimal => noTerm("valDecimal", found, "a decimal in binary form")
        case _                    => in.skipField()
      }
    }
    if (found == null) malformed("a term of a known kind", "a term without a known field")
    if (depth > 0 && !found.isInstanceOf[TripleTerm]) tripleSize.add(found.size)
    found
  }

  /** Begins a field of the union of terms.
    *
    * @param found
    *   the term in its previous field; null if this is the first one
    */
  private def beginTerm(name: String, found: Term, kind: Int = CompactProtocol.Struct): Unit =
    beginOne(name, kind, found, "term")

  /** Refuses a kind of term that rows cannot contain. Jena does not read it in patches either. */
  private def noTerm(
      name: String,
      found: Term,
      what: String,
      kind: Int = CompactProtocol.Struct
  ): Unit = {
    beginTerm(name, found, kind)
    malformed("an IRI, a blank node, a literal or a triple", what)
  }

  private def iri(found: Term): Iri = {
    beginTerm("iri", found)
    var iri: Iri = null
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      if (last == Text) iri = iriText("iri", iri) else in.skipField()
    }
    require(iri, "the text of the IRI", "text")
    iri
  }

  private def blankNode(found: Term): BlankNode = {
    beginTerm("bnode", found)
    var node: BlankNode = null
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      if (last == Text) {
        beginText("label", node)
        node = cached(blankNodes, BlankNode)
      } else in.skipField()
    }
    require(node, "the label of the blank node", "label")
    node
  }

  private def literal(found: Term): Literal = {
    beginTerm("literal", found)
    var lex: String = null
    var tag: String = null
    var datatype: Iri = null
    var direction: String = null
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      last match {
        case LiteralField.Lex      => lex = text("lex", lex)
        case LiteralField.Langtag  => tag = text("langtag", tag)
        case LiteralField.Datatype => datatype = iriText("datatype", datatype)
        case LiteralField.DtPrefix =>
          in.checkType("dtPrefix", CompactProtocol.Struct)
          malformed("the IRI of a datatype", "a prefixed name")
        case LiteralField.BaseDirection => direction = text("baseDirection", direction)
        case _                          => in.skipField()
      }
    }
    require(lex, "the lexical form of the literal", "lexical form")
    val hasDirection = direction != null && !direction.isEmpty
    if (hasDirection || (tag != null && !tag.isEmpty)) {
      tagged(
        lex,
        BaseDirection.join(if (tag == null) "" else tag, if (hasDirection) direction else null),
        datatype
      )
    } else if (datatype != null) Literal.typed(lex, datatype.value)
    else Literal.simple(lex)
  }

  /** Returns a literal with a language tag. `datatype` is null if it has none in the file. */
  private def tagged(lex: String, tag: String, datatype: Iri): Literal = {
    BaseDirection.check(tag)
    if (datatype != null && datatype.value != Literal.datatypeOf(tag)) {
      if (datatype.value == Literal.RdfDirLangString) {
        malformed(
          "a base direction in a literal of rdf:dirLangString",
          "none: Jena 6.0 leaves it out when it writes such a literal"
        )
      }
      malformed("a language tag or a datatype", "a language tag and a datatype")
    }
    Literal.tagged(lex, tag)
  }

  private def triple(found: Term, depth: Int): TripleTerm = {
    beginTerm("tripleTerm", found)
    if (depth == TripleTerm.MaxDepth) TripleTerm.tooDeep()
    var subject, predicate, obj: Term = null
    var last = 0
    while (in.nextField(last)) {
      last = in.fieldId
      last match {
        case Statement.S => subject = term("S", subject, depth + 1)
        case Statement.P => predicate = term("P", predicate, depth + 1)
        case Statement.O => obj = term("O", obj, depth + 1)
        case _           => in.skipField()
      }
    }
    TripleTerm.checkPresent(subject, "subject")
    TripleTerm.checkPresent(predicate, "predicate")
    TripleTerm.checkPresent(obj, "object")
    TripleTerm(subject, predicate, obj)
  }

  private def text(name: String, before: String): String = {
    beginField(name, CompactProtocol.String, before)
    in.string()
  }

  /** Reads an IRI from a string field without a struct around it. */
  private def iriText(name: String, before: Term): Iri = {
    beginText(name, before)
    cached(iris, Iri)
  }

  /** Returns the term for the string that was just read, from a cache or newly created. */
  private def cached[T <: Term](terms: TermCache[T], make: String => T): T = {
    val before = terms.find(in.stringBytes, in.stringStart, in.stringLength)
    if (before != null) before
    else {
      val made = make(in.text())
      terms.put(in.stringBytes, in.stringStart, in.stringLength, made, made.sizeBound)
      made
    }
  }

  /** Reads the bytes of a string field. */
  private def beginText(name: String, before: AnyRef): Unit = {
    beginField(name, CompactProtocol.String, before)
    in.readString()
  }

  /** Checks that the current field of a struct has the correct type and is not repeated. */
  private def beginField(name: String, kind: Int, before: AnyRef): Unit = {
    in.checkType(name, kind)
    if (before != null) malformed(s"field $name once", s"field $name twice")
  }

  /** Checks that the current field of a union has the correct type and is the only one. */
  private def beginOne(name: String, kind: Int, before: AnyRef, what: String): Unit = {
    in.checkType(name, kind)
    if (before != null) malformed(s"a $what of one kind", s"a $what of two kinds")
  }
}

private object ThriftDecoder {
  private def require(value: AnyRef, expected: String, missing: String): Unit =
    if (value == null) malformed(expected, s"no $missing")
}
