package org.jellyspark.formats.jellypatch

import org.jellyspark.jelly._

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** The field numbers of the code are those of the schemas. */
class WireSuite extends AnyFunSuite {

  private val schema = read("patch.proto") + read("rdf.proto")

  private def read(name: String): String = Files.readString(Path.of("proto", name))

  /** The numbers of a message's or an enum's fields, by name. */
  private def fields(kind: String, message: String): Map[String, Int] = {
    val body = s"(?ms)^$kind $message \\{(.*?)^\\}".r
      .findFirstMatchIn(schema)
      .fold(fail(s"no $kind $message"))(_.group(1))
    """(?m)^\s*(?:[\w.]+ )?(\w+) = (\d+);""".r
      .findAllMatchIn(body)
      .map(field => field.group(1) -> field.group(2).toInt)
      .toMap
  }

  test("RdfPatchFrame and RdfPatchRow") {
    import PatchWire.Kind
    assert(schema.contains(s"repeated RdfPatchRow rows = ${Wire.FrameRows};"))
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
    assert(fields("message", "RdfPatchRow") == expected)
    expected.foreach { case (name, number) => assert(Kind.name(number) == name) }
  }

  test("RdfPatchOptions") {
    import PatchWire.Options
    val expected = Map(
      "statement_type" -> Options.StatementType,
      "stream_type" -> Options.StreamType,
      "generalized_statements" -> Options.Generalized,
      "rdf_star" -> Options.RdfStar,
      "max_name_table_size" -> Options.MaxNameTableSize,
      "max_prefix_table_size" -> Options.MaxPrefixTableSize,
      "max_datatype_table_size" -> Options.MaxDatatypeTableSize,
      "version" -> Options.Version
    )
    assert(fields("message", "RdfPatchOptions") == expected)
  }

  test("RdfPatchNamespace and RdfPatchHeader") {
    import PatchWire.{Header, Namespace}
    val namespace = Map(
      "name" -> Namespace.Name,
      "value" -> Namespace.Value,
      "g_iri" -> Namespace.GraphIri,
      "g_bnode" -> Namespace.GraphBnode,
      "g_default_graph" -> Namespace.GraphDefault,
      "g_literal" -> Namespace.GraphLiteral
    )
    assert(fields("message", "RdfPatchNamespace") == namespace)
    val header = Map(
      "key" -> Header.Key,
      "h_iri" -> Header.Iri,
      "h_bnode" -> Header.Bnode,
      "h_literal" -> Header.Literal,
      "h_triple_term" -> Header.TripleTerm
    )
    assert(fields("message", "RdfPatchHeader") == header)
  }

  test("the entries of the three lookups") {
    val expected = Map("id" -> Wire.Entry.Id, "value" -> Wire.Entry.Value)
    Seq("RdfNameEntry", "RdfPrefixEntry", "RdfDatatypeEntry")
      .foreach(message => assert(fields("message", message) == expected))
  }

  test("the types of streams and statements") {
    val streams = StreamType.values.map(t => s"PATCH_STREAM_TYPE_$t" -> t.number).toMap
    assert(fields("enum", "PatchStreamType") == streams + ("PATCH_STREAM_TYPE_UNSPECIFIED" -> 0))
    val statements = StatementType.values.map(t => s"PATCH_STATEMENT_TYPE_$t" -> t.number).toMap
    assert(
      fields("enum", "PatchStatementType") == statements + ("PATCH_STATEMENT_TYPE_UNSPECIFIED" -> 0)
    )
  }
}
