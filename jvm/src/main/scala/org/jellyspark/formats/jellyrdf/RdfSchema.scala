package org.jellyspark.formats.jellyrdf

import org.jellyspark.jelly.MessageSchema

/** The messages of Jelly-RDF. */
private[jellyrdf] object RdfSchema extends MessageSchema {
  import MessageSchema._
  import RdfWire.{GraphStart, Kind, Namespace, Options}

  private final val OptionsMessage = FirstOwn
  private final val GraphStartMessage = FirstOwn + 1
  private final val NamespaceMessage = FirstOwn + 2

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

  override protected def inOwn(message: Int, field: Int): Int = message match {
    case OptionsMessage    => if (field == Options.StreamName) Text else Unknown
    case GraphStartMessage => inGraphStart(field)
    case _                 => inNamespace(field)
  }

  private def inGraphStart(field: Int): Int = field match {
    case GraphStart.Iri | GraphStart.DefaultGraph => PlainMessage
    case GraphStart.Bnode                         => Text
    case GraphStart.Literal                       => LiteralMessage
    case _                                        => Unknown
  }

  private def inNamespace(field: Int): Int = field match {
    case Namespace.Name  => Text
    case Namespace.Value => PlainMessage
    case _               => Unknown
  }
}
