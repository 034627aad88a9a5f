package org.jellyspark.formats.jellypatch

import org.jellyspark.jelly.wire.{FieldContent, MessageType, RowSchema}

/** The fields of `proto/patch.proto`. */
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
  }

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

  val Rows: RowSchema = {
    import FieldContent.{Number, Text}
    import MessageType.{Entry, Plain, Quad, graph, term}
    val options = MessageType.options(Options.StatementType -> Number, Options.StreamType -> Number)
    val namespace = new MessageType(
      Seq(Namespace.Name -> Text, Namespace.Value -> MessageType.Iri) ++ graph(Namespace.GraphIri),
      oneofFrom = Namespace.GraphIri
    )
    val header = new MessageType((Header.Key -> Text) +: term(Header.Iri), oneofFrom = Header.Iri)
    new RowSchema(
      options,
      (Kind.Options, "options", options),
      (Kind.StatementAdd, "statement_add", Quad),
      (Kind.StatementDelete, "statement_delete", Quad),
      (Kind.NamespaceAdd, "namespace_add", namespace),
      (Kind.NamespaceDelete, "namespace_delete", namespace),
      (Kind.TransactionStart, "transaction_start", Plain),
      (Kind.TransactionCommit, "transaction_commit", Plain),
      (Kind.TransactionAbort, "transaction_abort", Plain),
      (Kind.Name, "name", Entry),
      (Kind.Prefix, "prefix", Entry),
      (Kind.Datatype, "datatype", Entry),
      (Kind.Header, "header", header),
      (Kind.Punctuation, "punctuation", Plain)
    )
  }
}
