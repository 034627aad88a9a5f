package org.jellyspark.formats.rdfpatchthrift

import org.jellyspark.core.rows.RowOp

/** The field ids and codes of Jena's schema `BinaryRDF.thrift`. */
private[rdfpatchthrift] object ThriftSchema {

  /** RDF_Patch_Row, a union. */
  object PatchRow {
    final val Header = 1
    final val DataAdd = 2
    final val DataDel = 3
    final val PrefixAdd = 4
    final val PrefixDel = 5
    final val Txn = 6
  }

  /** Patch_Header. */
  object Header {
    final val Name = 1
    final val Value = 2
  }

  /** Patch_Data_Add and Patch_Data_Del; RDF_Triple has the same ids, without `G`. */
  object Statement {
    final val S = 1
    final val P = 2
    final val O = 3
    final val G = 4
  }

  /** Patch_Prefix_Add; Patch_Prefix_Del has the same ids, without `IriStr`. */
  object Prefix {
    final val GraphNode = 1
    final val Name = 2
    final val IriStr = 3
  }

  /** RDF_Term, a union. */
  object Term {
    final val Iri = 1
    final val Bnode = 2
    final val Literal = 3
    final val PrefixName = 4
    final val Variable = 5
    final val Any = 6
    final val Undefined = 7
    final val Repeat = 8
    final val TripleTerm = 9
    final val ValInteger = 10
    final val ValDouble = 11
    final val ValDecimal = 12
  }

  /** The only field of RDF_IRI and RDF_BNode. */
  final val Text = 1

  /** RDF_Literal. */
  object Literal {
    final val Lex = 1
    final val Langtag = 2
    final val Datatype = 3
    final val DtPrefix = 4
    final val BaseDirection = 5
  }

  /** The ops of rows without content, indexed by their codes in PatchTxn, where `END` is called
    * SEGMENT.
    */
  val transactionOps: IndexedSeq[RowOp] = IndexedSeq(
    RowOp.TransactionStart,
    RowOp.TransactionCommit,
    RowOp.TransactionAbort,
    RowOp.End
  )
}
