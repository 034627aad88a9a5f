package org.jellyspark.formats.jellyrdf

import org.jellyspark.jelly.wire.MessageSchema

/** The messages of Jelly-RDF, as defined in `proto/rdf.proto`. */
private[jellyrdf] object JellyRdfSchema extends MessageSchema {
  import MessageSchema._
  import JellyRdfFields.{GraphStart, Kind, Namespace, Options}

  private final val GraphStartMessage = FirstOwn
  private final val NamespaceMessage = FirstOwn + 1

  override protected def inRow(field: Int): Int = field match {
    case Kind.Triple                             => TripleMessage
    case Kind.Quad                               => QuadMessage
    case Kind.Name | Kind.Prefix | Kind.Datatype => EntryMessage
    case Kind.GraphStart                         => GraphStartMessage
    case Kind.GraphEnd                           => PlainMessage
    case Kind.Namespace                          => NamespaceMessage
    case Kind.Options                            => OptionsMessage
    case _                                       => Unknown
  }

  override protected def inOptions(field: Int): Int =
    if (field == Options.StreamName) Text else Unknown

  override protected def inOwn(message: Int, field: Int): Int =
    if (message == GraphStartMessage) inGraphStart(field) else inNamespace(field)

  override protected def oneofInOwn(message: Int, field: Int): Int =
    if (message == GraphStartMessage) GraphStart.Iri else field

  private def inGraphStart(field: Int): Int = field match {
    case GraphStart.Iri          => IriMessage
    case GraphStart.Bnode        => Text
    case GraphStart.DefaultGraph => PlainMessage
    case GraphStart.Literal      => LiteralMessage
    case _                       => Unknown
  }

  private def inNamespace(field: Int): Int = field match {
    case Namespace.Name  => Text
    case Namespace.Value => IriMessage
    case _               => Unknown
  }
}
