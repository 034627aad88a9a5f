package org.jellyspark.formats.jellypatch

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.jelly.ProtoSchema.{enumeration, message}

/** Compares the field numbers of Jelly-Patch with `proto/patch.proto`. */
class JellyPatchFieldsSuite extends AnyFunSuite {

  test("RdfPatchRow") {
    import JellyPatchFields.Kind
    val expected = Map(
      "options" -> Kind.Options,
      "statement_add" -> Kind.StatementAdd,
      "statement_delete" -> Kind.StatementDelete,
      "namespace_add" -> Kind.NamespaceAdd,
      "namespace_delete" -> Kind.NamespaceDelete,
      "transaction_start" -> Kind.TransactionStart,
      "transaction_commit" -> Kind.TransactionCommit,
      "transaction_abort" -> Kind.TransactionAbort,
      "name" -> Kind.Name,
      "prefix" -> Kind.Prefix,
      "datatype" -> Kind.Datatype,
      "header" -> Kind.Header,
      "punctuation" -> Kind.Punctuation
    )
    assert(message("RdfPatchRow") == expected)
    assert(JellyPatchFields.Rows.nameOf == expected.map(_.swap))
  }

  test("RdfPatchOptions") {
    import JellyPatchFields.Options
    val options = message("RdfPatchOptions")
    assert(options("statement_type") == Options.StatementType)
    assert(options("stream_type") == Options.StreamType)
  }

  test("RdfPatchNamespace and RdfPatchHeader") {
    import JellyPatchFields.{Header, Namespace}
    val namespace = Map(
      "name" -> Namespace.Name,
      "value" -> Namespace.Value,
      "g_iri" -> Namespace.GraphIri,
      "g_bnode" -> Namespace.GraphBnode,
      "g_default_graph" -> Namespace.GraphDefault,
      "g_literal" -> Namespace.GraphLiteral
    )
    assert(message("RdfPatchNamespace") == namespace)
    val header = Map(
      "key" -> Header.Key,
      "h_iri" -> Header.Iri,
      "h_bnode" -> Header.Bnode,
      "h_literal" -> Header.Literal,
      "h_triple_term" -> Header.TripleTerm
    )
    assert(message("RdfPatchHeader") == header)
  }

  test("stream types and statement types") {
    val streams = StreamType.values.map(t => s"PATCH_STREAM_TYPE_$t" -> t.number).toMap
    assert(enumeration("PatchStreamType") == streams + ("PATCH_STREAM_TYPE_UNSPECIFIED" -> 0))
    val statements = StatementType.values.map(t => s"PATCH_STATEMENT_TYPE_$t" -> t.number).toMap
    assert(
      enumeration("PatchStatementType") == statements + ("PATCH_STATEMENT_TYPE_UNSPECIFIED" -> 0)
    )
  }
}
