package org.jellyspark.formats.jellyrdf

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.jelly.ProtoSchema.{enumeration, message}

/** Compares the field numbers of Jelly-RDF with `proto/rdf.proto`. */
class JellyRdfFieldsSuite extends AnyFunSuite {

  test("RdfStreamRow") {
    import JellyRdfFields.Kind
    val expected = Map(
      "options" -> Kind.Options,
      "triple" -> Kind.Triple,
      "quad" -> Kind.Quad,
      "graph_start" -> Kind.GraphStart,
      "graph_end" -> Kind.GraphEnd,
      "namespace" -> Kind.Namespace,
      "name" -> Kind.Name,
      "prefix" -> Kind.Prefix,
      "datatype" -> Kind.Datatype
    )
    assert(message("RdfStreamRow") == expected)
    assert(JellyRdfFields.Rows.nameOf == expected.map(_.swap))
  }

  test("RdfStreamOptions") {
    import JellyRdfFields.Options
    val options = message("RdfStreamOptions")
    assert(options("stream_name") == Options.StreamName)
    assert(options("physical_type") == Options.PhysicalType)
    assert(options("logical_type") == Options.LogicalType)
  }

  test("RdfGraphStart and RdfNamespaceDeclaration") {
    import JellyRdfFields.{GraphStart, Namespace}
    val start = Map(
      "g_iri" -> GraphStart.Iri,
      "g_bnode" -> GraphStart.Bnode,
      "g_default_graph" -> GraphStart.DefaultGraph,
      "g_literal" -> GraphStart.Literal
    )
    assert(message("RdfGraphStart") == start)
    val namespace = Map("name" -> Namespace.Name, "value" -> Namespace.Value)
    assert(message("RdfNamespaceDeclaration") == namespace)
  }

  test("physical and logical stream types") {
    val physical = PhysicalType.values.map(t => s"PHYSICAL_STREAM_TYPE_$t" -> t.number).toMap
    val unspecified = "PHYSICAL_STREAM_TYPE_UNSPECIFIED" -> 0
    assert(enumeration("PhysicalStreamType") == physical + unspecified)
    val logical = LogicalType.values.map(t => s"LOGICAL_STREAM_TYPE_$t" -> t.number).toMap
    assert(enumeration("LogicalStreamType") == logical)
  }
}
