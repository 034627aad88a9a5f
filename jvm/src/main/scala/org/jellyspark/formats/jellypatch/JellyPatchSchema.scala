package org.jellyspark.formats.jellypatch

import org.jellyspark.jelly.wire.MessageSchema

/** The messages of Jelly-Patch, as defined in `proto/patch.proto`. */
private[jellypatch] object JellyPatchSchema extends MessageSchema {
  import MessageSchema._
  import JellyPatchFields.{Header, Kind, Namespace}

  private final val NamespaceMessage = FirstOwn
  private final val HeaderMessage = FirstOwn + 1

  override protected def inRow(field: Int): Int = field match {
    case Kind.StatementAdd | Kind.StatementDelete => QuadMessage
    case Kind.Name | Kind.Prefix | Kind.Datatype  => EntryMessage
    case Kind.NamespaceAdd | Kind.NamespaceDelete => NamespaceMessage
    case Kind.Header                              => HeaderMessage
    case Kind.Options                             => OptionsMessage
    case Kind.TransactionStart | Kind.TransactionCommit | Kind.TransactionAbort |
        Kind.Punctuation =>
      PlainMessage
    case _ => Unknown
  }

  override protected def inOwn(message: Int, field: Int): Int =
    if (message == NamespaceMessage) inNamespace(field) else inHeader(field)

  override protected def inOptions(field: Int): Int = Unknown

  override protected def oneofInOwn(message: Int, field: Int): Int =
    math.min(field, if (message == NamespaceMessage) Namespace.GraphIri else Header.Iri)

  private def inNamespace(field: Int): Int = field match {
    case Namespace.Name | Namespace.GraphBnode => Text
    case Namespace.Value | Namespace.GraphIri  => IriMessage
    case Namespace.GraphDefault                => PlainMessage
    case Namespace.GraphLiteral                => LiteralMessage
    case _                                     => Unknown
  }

  private def inHeader(field: Int): Int = field match {
    case Header.Key | Header.Bnode => Text
    case Header.Iri                => IriMessage
    case Header.Literal            => LiteralMessage
    case Header.TripleTerm         => TripleTerm
    case _                         => Unknown
  }
}
