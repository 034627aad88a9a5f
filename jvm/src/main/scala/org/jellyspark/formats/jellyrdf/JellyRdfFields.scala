package org.jellyspark.formats.jellyrdf

import org.jellyspark.jelly.wire.RowFields

/** The field numbers of `proto/rdf.proto` that are not shared with Jelly-Patch. */
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

    val names: Map[Int, String] = Map(
      Options -> "options",
      Triple -> "triple",
      Quad -> "quad",
      GraphStart -> "graph_start",
      GraphEnd -> "graph_end",
      Namespace -> "namespace",
      Name -> "name",
      Prefix -> "prefix",
      Datatype -> "datatype"
    )
  }

  val Rows: RowFields = RowFields(
    Kind.Options,
    Kind.Name,
    Kind.Prefix,
    Kind.Datatype,
    Kind.names
  )

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
}
