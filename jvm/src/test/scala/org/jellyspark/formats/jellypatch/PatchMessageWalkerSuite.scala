package org.jellyspark.formats.jellypatch

import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.{PropertySuite, TermGenerators}
import org.jellyspark.jelly.WireBytes._
import org.jellyspark.jelly.wire.{MessageWalker, Wire}

class PatchMessageWalkerSuite extends PropertySuite {
  import JellyPatchFields.{Header, Kind, Namespace}

  private def accepts(row: Array[Byte]): Boolean =
    try {
      new MessageWalker(JellyPatchFields.Rows).checkRow(row, 0, row.length)
      true
    } catch { case _: MalformedRowException => false }

  /** Rows with these bytes as a text, one row for each field that holds text. */
  private def rowsWith(bytes: Array[Byte]): Seq[Array[Byte]] = {
    def literals(number: Int) = Seq(1, 2).map(part => field(number, field(part, bytes)))
    val triples = (Seq(2, 6, 10).map(field(_, bytes)) ++ Seq(3, 7, 11).flatMap(literals))
      .flatMap(term => Seq(4, 8, 12).map(field(_, term)))
    val quads =
      Seq(2, 6, 10, 14).map(field(_, bytes)) ++ Seq(3, 7, 11, 16).flatMap(literals) ++ triples
    val namespaces =
      Seq(Namespace.Name, Namespace.GraphBnode).map(field(_, bytes)) ++ literals(
        Namespace.GraphLiteral
      )
    val headers = Seq(Header.Key, Header.Bnode).map(field(_, bytes)) ++ literals(Header.Literal) ++
      triples.map(triple => field(Header.TripleTerm, triple))
    Seq(Kind.Name, Kind.Prefix, Kind.Datatype).map(field(_, field(Wire.Entry.Value, bytes))) ++
      Seq(Kind.StatementAdd, Kind.StatementDelete).flatMap(row => quads.map(field(row, _))) ++
      Seq(Kind.NamespaceAdd, Kind.NamespaceDelete).flatMap(row => namespaces.map(field(row, _))) ++
      headers.map(field(Kind.Header, _))
  }

  test("text that is not UTF-8 is an error in every field") {
    rowsWith(hex("ff")).foreach(row => assert(!accepts(row), row.toList))
    rowsWith("é😀\ufffd".getBytes("UTF-8")).foreach(row => assert(accepts(row), row.toList))
  }

  test("valid text is accepted in every field") {
    forAll(TermGenerators.text)(value => assert(accepts(field(Kind.Name, text(2, value)))))
  }

  test("text is valid if Java's decoder accepts it") {
    val bytes = Seq(0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
      0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff).map(_.toByte)
    def isUtf8(text: Array[Byte]) =
      try {
        java.nio.charset.StandardCharsets.UTF_8.newDecoder.decode(java.nio.ByteBuffer.wrap(text))
        true
      } catch { case _: java.nio.charset.CharacterCodingException => false }
    for (a <- bytes; b <- bytes; c <- bytes; tail <- Seq("", "80")) {
      val text = Array(a, b, c) ++ hex(tail)
      assert(accepts(field(Kind.Name, field(2, text))) == isUtf8(text), text.toList)
    }
  }

  test("unknown fields are not checked") {
    assert(accepts(field(Kind.TransactionStart, field(1, hex("ff"))) ++ field(20, hex("ff"))))
  }

  test("tags and lengths have at most 32 bits and five bytes") {
    val tx = field(Kind.TransactionStart)
    assert(accepts(tx ++ hex("a2818000 00"))) // padded
    Seq(
      "a28180808000 00",
      "a28180801000",
      "a201 8080808010",
      "a201 808080808000",
      "a201 ffffffff0f",
      "0000",
      "0200"
    )
      .foreach(bytes => assert(!accepts(tx ++ hex(bytes)), bytes))
    assert(accepts(tx ++ hex("a001 ffffffffffffffffff01"))) // a number
    assert(!accepts(tx ++ hex("a001 ffffffffffffffffffff01")))
  }

  test("a field that ends after its message is an error in every message") {
    Seq("a201", "a20101", "a001", "a001ff", "a50101", "a10101").map(hex).foreach { bytes =>
      val plain = Seq(Kind.Options, Kind.TransactionStart, Kind.Punctuation).map(field(_, bytes))
      val inner = Seq(1, 15, 3, 4).map(kind => field(Kind.StatementAdd, field(kind, bytes)))
      (bytes +: (plain ++ inner)).foreach(row => assert(!accepts(row), row.toList))
    }
  }

  test("at most 63 triple terms can be nested") {
    def nested(depth: Int) = (2 to depth).foldLeft(field(12))((inner, _) => field(12, inner))
    assert(accepts(field(Kind.StatementAdd, nested(63))))
    assert(!accepts(field(Kind.StatementAdd, nested(64))))
    assert(accepts(field(Kind.Header, field(Header.TripleTerm, nested(62)))))
    assert(!accepts(field(Kind.Header, field(Header.TripleTerm, nested(63)))))
  }

  test("messages and groups can be nested 100 deep together") {
    def groups(depth: Int) = hex("a301" * depth + "a401" * depth)
    def deepest(row: Array[Byte] => Array[Byte]) =
      (0 to 102).takeWhile(depth => accepts(row(groups(depth)))).last
    assert(deepest(identity) == 100)
    assert(deepest(field(Kind.Options, _)) == 99)
    assert(deepest(field(Kind.StatementAdd, _)) == 99)
    assert(deepest(inner => field(Kind.StatementAdd, field(1, inner))) == 98)
    def nested(depth: Int, inner: Array[Byte]) =
      (1 to depth).foldLeft(inner)((message, _) => field(12, message))
    assert(deepest(inner => field(Kind.StatementAdd, nested(63, inner))) == 36)
    assert(canonical(groups(100) ++ field(Kind.Punctuation)) == field(Kind.Punctuation).toSeq)
  }

  private def canonical(row: Array[Byte]): Seq[Byte] =
    new MessageWalker(JellyPatchFields.Rows).canonicalRow(row, 0, row.length).toSeq

  test("a row is rewritten with its fields in order, each once, and no unknown ones") {
    val (subject, obj) = (text(2, "s"), text(10, "o"))
    val predicate = field(5, number(1, 3), number(2, 4))
    val expected = field(Kind.StatementAdd, subject, predicate, obj).toSeq
    assert(canonical(expected.toArray) == expected)
    val shuffled = field(Kind.StatementAdd, obj, predicate, text(2, "other"), subject)
    assert(canonical(shuffled) == expected)
    val unknown = text(20, "x") ++ number(2, 7)
    assert(
      canonical(unknown ++ field(Kind.StatementAdd, unknown, subject, predicate, obj)) == expected
    )
    val split = field(Kind.StatementAdd, subject, obj) ++
      field(Kind.StatementAdd, field(5, number(2, 9)), field(5, number(1, 3))) ++
      field(Kind.StatementAdd, field(5, number(2, 4)))
    assert(canonical(split) == expected)
  }

  test("of a oneof, the last field counts, and is not merged with one before the other") {
    val first = field(Kind.StatementAdd, text(2, "s"))
    val last = field(Kind.StatementAdd, text(6, "p"))
    assert(canonical(first ++ field(Kind.Punctuation) ++ last) == last.toSeq)
    assert(canonical(first ++ field(Kind.Punctuation)) == field(Kind.Punctuation).toSeq)
    assert(canonical(text(20, "unknown")).isEmpty)
  }

  test("numbers are cut to 32 bits, and stay where they are 0") {
    def iri(id: Long) = field(Kind.StatementAdd, field(1, number(2, id)))
    assert(canonical(iri((1L << 32) + 5)) == iri(5).toSeq)
    assert(canonical(iri(0)) == iri(0).toSeq)
  }

  test("options stay as they are, in one piece") {
    val (some, others) = (number(9, 8) ++ number(1, 2), number(20, 1) ++ number(1, 1))
    val split = field(Kind.Options, some) ++ field(Kind.Options, others)
    assert(canonical(split) == field(Kind.Options, some, others).toSeq)
  }

  test("a message in many parts takes time in proportion to its length") {
    val part = field(Kind.StatementAdd, field(5, number(2, 1)))
    val row = Array.fill(200000)(part).flatten
    val start = System.nanoTime()
    assert(canonical(row) == part.toSeq)
    // It takes some ten milliseconds; joining the parts one by one would take a minute.
    assert(System.nanoTime() - start < 10e9)
  }
}
