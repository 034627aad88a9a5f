package org.jellyspark.formats.jellypatch

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.OptionException
import org.jellyspark.core.formats.OptionParser
import org.jellyspark.jelly.{ReadOptions, TermOptions}

class PatchOptionsSuite extends AnyFunSuite {

  private def messageFor(options: (String, String)*): String =
    intercept[OptionException](JellyPatchOptions(options.toMap)).getMessage

  private def readOptions(options: (String, String)*): ReadOptions =
    ReadOptions.parse(new OptionParser(options.toMap))

  test("the defaults are those of the reference's writer") {
    val expected =
      JellyPatchOptions(
        StreamType.Punctuated,
        StatementType.Quads,
        TermOptions(4000, 150, 32, rdfStar = true, generalized = true),
        512,
        delimited = true,
        restartInterval = 32 << 20
      )
    assert(JellyPatchOptions(Map.empty[String, String]) == expected)
    assert(readOptions() == ReadOptions(4096, 1024, 256, strict = false))
  }

  test("every option is parsed, with names and values case-insensitive") {
    val found = JellyPatchOptions(
      Map(
        "STREAMTYPE" -> "frame",
        "statementtype" -> "Triples",
        "maxnametablesize" -> "8",
        "MaxPrefixTableSize" -> "0",
        "maxDatatypeTableSize" -> " 0 ",
        "framesize" -> "1",
        "rdfstar" -> "FALSE",
        "generalized" -> "False",
        "delimited" -> "false",
        "restartinterval" -> "9223372036854775807"
      )
    )
    assert(
      found == JellyPatchOptions(
        StreamType.Frame,
        StatementType.Triples,
        TermOptions(8, 0, 0, rdfStar = false, generalized = false),
        1,
        delimited = false,
        restartInterval = Long.MaxValue
      )
    )
  }

  test("options for reading") {
    val options = Map("maxNameTableSize" -> "9", "maxprefixtablesize" -> "1", "STRICT" -> "True")
    assert(readOptions(options.toSeq: _*) == ReadOptions(9, 1, 256, strict = true))
    assertThrows[OptionException](readOptions("strict" -> "yes"))
    assertThrows[OptionException](readOptions("maxNameTableSize" -> "7"))
  }

  test("other names are ignored") {
    assert(JellyPatchOptions(Map("compression" -> "gzip")) == JellyPatchOptions())
  }

  test("an error names the option, its value and the valid values") {
    val message = messageFor("streamtype" -> "graph")
    Seq("streamType", "PUNCTUATED", "FRAME", "FLAT", "graph").foreach(part =>
      assert(message.contains(part))
    )
    Seq("QUADS", "TRIPLES").foreach(part =>
      assert(messageFor("statementType" -> "").contains(part))
    )
    Seq("true", "false", "1").foreach(part => assert(messageFor("rdfStar" -> "1").contains(part)))
  }

  test("sizes have a minimum") {
    Seq(
      "maxNameTableSize" -> "7",
      "maxPrefixTableSize" -> "-1",
      "maxDatatypeTableSize" -> "-1",
      "frameSize" -> "0",
      "restartInterval" -> "-1"
    )
      .foreach { case (name, value) =>
        val message = messageFor(name -> value)
        assert(message.contains(name) && message.contains((value.toInt + 1).toString))
      }
    Seq("", "x", "1.5", "2147483648").foreach(value => messageFor("frameSize" -> value))
    Seq("", "x", "1.5", "9223372036854775808").foreach { value =>
      assert(
        messageFor("restartInterval" -> value) ==
          s"restartInterval must be a whole number from 0 to 9223372036854775807; not '$value'"
      )
    }
  }

  test("sizes are also checked in the constructor") {
    assert(
      intercept[OptionException](
        JellyPatchOptions(terms = TermOptions(maxNameTableSize = 7))
      ).getMessage ==
        "maxNameTableSize must be a whole number from 8 to 1048576; not '7'"
    )
    intercept[OptionException](JellyPatchOptions(terms = TermOptions(maxDatatypeTableSize = -1)))
    intercept[OptionException](JellyPatchOptions(frameSize = 0))
    intercept[OptionException](JellyPatchOptions(restartInterval = -1))
  }
}
