package org.jellyspark.formats.jellyrdf

import org.jellyspark.jelly.wire.{FieldContent, MessageType, RowSchema}

/** The fields of `proto/rdf.proto` that are not shared with Jelly-Patch. */
private[jellyspark] object JellyRdfFields {

  /** The fields of RdfStreamRow. */
  object Kind {
    final val Options = 1
    final val Triple = 2
    final val Quad = 3
    final val GraphStart = 4
    final val GraphEnd = 5
    final val Namespace = 6
    final val Name = 9
    final val Prefix = 10
    final val Datatype = 11
  }

  /** The fields of RdfStreamOptions that are not shared with Jelly-Patch's options. */
  object Options {
    final val StreamName = 1
    final val PhysicalType = 2
    final val LogicalType = 14
  }

  /** The fields of RdfGraphStart. */
  object GraphStart {
    final val Iri = 1
    final val Bnode = 2
    final val DefaultGraph = 3
    final val Literal = 4
  }

  /** The fields of RdfNamespaceDeclaration. */
  object Namespace {
    final val Name = 1
    final val Value = 2
  }

  val Rows: RowSchema = {
    import FieldContent.{Number, Text}
    import MessageType.{Entry, Plain, Quad, Triple, graph}
    val options = MessageType.options(
      Options.StreamName -> Text,
      Options.PhysicalType -> Number,
      Options.LogicalType -> Number
    )
    val namespace =
      new MessageType(Seq(Namespace.Name -> Text, Namespace.Value -> MessageType.Iri))
    new RowSchema(
      options,
      (Kind.Options, "options", options),
      (Kind.Triple, "triple", Triple),
      (Kind.Quad, "quad", Quad),
      (Kind.GraphStart, "graph_start", new MessageType(graph(GraphStart.Iri), oneofFrom = 1)),
      (Kind.GraphEnd, "graph_end", Plain),
      (Kind.Namespace, "namespace", namespace),
      (Kind.Name, "name", Entry),
      (Kind.Prefix, "prefix", Entry),
      (Kind.Datatype, "datatype", Entry)
    )
  }
}
