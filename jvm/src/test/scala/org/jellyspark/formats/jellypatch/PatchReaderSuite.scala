package org.jellyspark.formats.jellypatch

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.MalformedInputException
import org.jellyspark.core.OneByteStream
import org.jellyspark.core.terms.{DefaultGraph, Iri}
import org.jellyspark.formats.jellypatch.PatchBytes.{options, read, strict}
import org.jellyspark.jelly.WireBytes._

/** Reading Jelly-Patch, beyond the parity cases. */
class PatchReaderSuite extends AnyFunSuite {
  import JellyPatchFields.Kind

  private val bnodes = text(2, "s") ++ text(6, "p") ++ text(10, "o")
  private def add(parts: Array[Byte]*): Array[Byte] = field(Kind.StatementAdd, parts: _*)
  private val tx = field(Kind.TransactionStart)
  private val tc = field(Kind.TransactionCommit)

  private def codes(bytes: Array[Byte]): String = read(bytes).map(_.op.code).mkString(" ")

  /** Asserts that the rows are an error in strict mode only. */
  private def onlyStrict(bytes: Array[Byte]): Unit = {
    assertThrows[MalformedInputException](read(bytes, strict))
    read(bytes)
    ()
  }

  test("a FRAME stream has an END after every frame from the options row on") {
    val frameOptions = options(StreamType.Frame)
    val bytes = frame() ++ frame(frameOptions, add(bnodes)) ++ frame() ++ frame(tx)
    assert(codes(bytes) == "A END END TX END")
    assert(codes(rows(frameOptions, add(bnodes))) == "A END")
  }

  test("a FLAT stream has no END") {
    assert(codes(frame(options(StreamType.Flat), add(bnodes)) ++ frame(add())) == "A A")
  }

  test("rules that are checked in strict mode only") {
    onlyStrict(frame(options(), tc))
    onlyStrict(frame(options(), tx))
    onlyStrict(frame(options(), tx, tx, tc))
    onlyStrict(frame(options(), tx, field(Kind.Punctuation), tc))
    onlyStrict(frame(options(StreamType.Frame), tx) ++ frame(tc))
    onlyStrict(frame(options(), add(bnodes)))
    onlyStrict(frame(options(statement = StatementType.Triples), add(bnodes, text(14, "g"))))
    read(frame(options(), tx, tc, field(Kind.Punctuation)), strict)
  }

  test("the graph of a statement in a TRIPLES stream is not decoded, but must be a valid message") {
    val triples = options(statement = StatementType.Triples)
    val noSuchName = field(13, number(2, 7))
    assert(read(frame(triples, add(bnodes, noSuchName))).map(_.graph) == Seq(DefaultGraph))
    assertThrows[MalformedInputException](read(frame(triples, add(bnodes, field(14, hex("ff"))))))
  }

  test("replacing a lookup entry does not change earlier terms") {
    val name = (id: Int, value: String) => field(Kind.Name, number(1, id.toLong), text(2, value))
    val iri = field(9, number(2, 1))
    val bytes = frame(options(), name(1, "a"), add(bnodes, iri), name(1, "b"), add(), add(iri))
    assert(read(bytes).map(_.obj) == Seq(Iri("a"), Iri("a"), Iri("b")))
  }

  test("the rows before an error are returned") {
    val reader = JellyPatch
      .reader(Map.empty[String, String])
      .open(OneByteStream(frame(options(), tx, field(20))), "file")
    assert(reader.next())
    val error = intercept[MalformedInputException](reader.next())
    assert((error.offset, error.row) == ((0L, 2)))
  }

  test("damaged input is read or is a MalformedInputException") {
    val random = new scala.util.Random(1)
    val rich = frame(
      options(),
      field(Kind.Prefix, text(2, "http://a/")),
      field(Kind.Name, text(2, "x")),
      field(Kind.Datatype, text(2, "d")),
      add(bnodes),
      add(field(12, bnodes), field(11, text(1, "é"), number(3, 1)), field(13)),
      field(Kind.Header, text(1, "k"), field(2)),
      field(Kind.NamespaceAdd, text(1, "n"), field(2, number(2, 1))),
      tx,
      tc
    )
    (1 to 20000).foreach { _ =>
      val bytes = rich.clone()
      (0 to random.nextInt(3)).foreach(_ =>
        bytes(random.nextInt(bytes.length)) = random.nextInt(256).toByte
      )
      try read(bytes.take(bytes.length - random.nextInt(2) * random.nextInt(bytes.length)))
      catch { case _: MalformedInputException => }
    }
  }
}
