package org.jellyspark.formats.jellypatch

import org.jellyspark.jelly.wire.RowFields

/** The field numbers of `proto/patch.proto`. */
private[jellyspark] object JellyPatchFields {

  /** The fields of RdfPatchRow. */
  object Kind {
    final val Options = 1
    final val StatementAdd = 2
    final val StatementDelete = 3
    final val NamespaceAdd = 4
    final val NamespaceDelete = 5
    final val TransactionStart = 6
    final val TransactionCommit = 7
    final val TransactionAbort = 8
    final val Name = 11
    final val Prefix = 12
    final val Datatype = 13
    final val Header = 14
    final val Punctuation = 15

    val names: Map[Int, String] = Map(
      Options -> "options",
      StatementAdd -> "statement_add",
      StatementDelete -> "statement_delete",
      NamespaceAdd -> "namespace_add",
      NamespaceDelete -> "namespace_delete",
      TransactionStart -> "transaction_start",
      TransactionCommit -> "transaction_commit",
      TransactionAbort -> "transaction_abort",
      Name -> "name",
      Prefix -> "prefix",
      Datatype -> "datatype",
      Header -> "header",
      Punctuation -> "punctuation"
    )
  }

  val Rows: RowFields = RowFields(
    Kind.Options,
    Kind.Name,
    Kind.Prefix,
    Kind.Datatype,
    Kind.names
  )

  /** The fields of RdfPatchOptions that are not shared with Jelly-RDF's options. */
  object Options {
    final val StatementType = 1
    final val StreamType = 2
  }

  /** The fields of RdfPatchNamespace. */
  object Namespace {
    final val Name = 1
    final val Value = 2
    final val GraphIri = 3
    final val GraphBnode = 4
    final val GraphDefault = 5
    final val GraphLiteral = 6
  }

  /** The fields of RdfPatchHeader. */
  object Header {
    final val Key = 1
    final val Iri = 2
    final val Bnode = 3
    final val Literal = 4
    final val TripleTerm = 5
  }
}
