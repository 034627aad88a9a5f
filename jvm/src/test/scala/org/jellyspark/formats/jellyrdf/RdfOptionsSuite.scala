package org.jellyspark.formats.jellyrdf

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.OptionException
import org.jellyspark.jelly.TermOptions

class RdfOptionsSuite extends AnyFunSuite {

  private def messageFor(options: (String, String)*): String =
    intercept[OptionException](JellyRdfOptions(options.toMap)).getMessage

  test("the defaults are those of the reference's stream writer") {
    val expected = JellyRdfOptions(
      PhysicalType.Quads,
      LogicalType.FlatQuads,
      "",
      TermOptions(4000, 150, 32, rdfStar = true, generalized = true),
      256,
      delimited = true,
      namespaces = false,
      restartInterval = 32 << 20
    )
    assert(JellyRdfOptions(Map.empty[String, String]) == expected)
  }

  test("the default logical type depends on the physical type") {
    PhysicalType.values.zip(Seq("FLAT_TRIPLES", "FLAT_QUADS", "FLAT_QUADS")).foreach {
      case (physical, logical) =>
        val found = JellyRdfOptions(Map("physicalType" -> physical.name))
        assert(found.logicalType.name == logical)
        assert(found == JellyRdfOptions.of(physical))
    }
  }

  test("every option is parsed, with names and values case-insensitive, except for text") {
    val found = JellyRdfOptions(
      Map(
        "PHYSICALTYPE" -> "graphs",
        "logicaltype" -> " Named_Graphs ",
        "streamname" -> " A stream ",
        "maxnametablesize" -> "8",
        "MaxPrefixTableSize" -> "0",
        "maxDatatypeTableSize" -> " 0 ",
        "framesize" -> "1",
        "rdfstar" -> "FALSE",
        "generalized" -> "False",
        "delimited" -> "false",
        "NAMESPACES" -> "True",
        "restartinterval" -> " 0 "
      )
    )
    assert(
      found == JellyRdfOptions(
        PhysicalType.Graphs,
        LogicalType.NamedGraphs,
        " A stream ",
        TermOptions(8, 0, 0, rdfStar = false, generalized = false),
        1,
        delimited = false,
        namespaces = true,
        restartInterval = 0
      )
    )
  }

  test(
    "the base type decides whether a logical type is grouped, and which physical types it fits"
  ) {
    val expected = Map(
      "UNSPECIFIED" -> (("UNSPECIFIED", false, "TRIPLES QUADS GRAPHS")),
      "FLAT_TRIPLES" -> (("FLAT_TRIPLES", false, "TRIPLES")),
      "FLAT_QUADS" -> (("FLAT_QUADS", false, "QUADS GRAPHS")),
      "GRAPHS" -> (("GRAPHS", true, "TRIPLES")),
      "DATASETS" -> (("DATASETS", true, "QUADS GRAPHS")),
      "SUBJECT_GRAPHS" -> (("GRAPHS", true, "TRIPLES")),
      "NAMED_GRAPHS" -> (("DATASETS", true, "QUADS GRAPHS")),
      "TIMESTAMPED_NAMED_GRAPHS" -> (("DATASETS", true, "QUADS GRAPHS"))
    )
    val found = LogicalType.values.map { logical =>
      val physical = PhysicalType.values.filter(logical.fits).mkString(" ")
      logical.name -> ((logical.base.name, logical.isGrouped, physical))
    }
    assert(found.toMap == expected)
  }

  test("a logical type that does not fit the physical type is an error") {
    assert(
      messageFor("physicalType" -> "triples", "logicalType" -> "flat_quads") ==
        "logicalType for physicalType TRIPLES must be one of: UNSPECIFIED, FLAT_TRIPLES, GRAPHS, " +
        "SUBJECT_GRAPHS; not 'FLAT_QUADS'"
    )
    assert(
      messageFor("logicalType" -> "GRAPHS") ==
        "logicalType for physicalType QUADS must be one of: UNSPECIFIED, FLAT_QUADS, DATASETS, NAMED_GRAPHS, " +
        "TIMESTAMPED_NAMED_GRAPHS; not 'GRAPHS'"
    )
    assertThrows[OptionException](JellyRdfOptions(PhysicalType.Triples))
  }

  test("an error names the option, its value and the valid values") {
    Seq("physicalType", "TRIPLES, QUADS, GRAPHS", "UNSPECIFIED").foreach { part =>
      assert(messageFor("physicaltype" -> "UNSPECIFIED").contains(part))
    }
    LogicalType.values.foreach { logical =>
      assert(messageFor("logicalType" -> "").contains(logical.name))
    }
    Seq("namespaces", "delimited", "rdfStar", "generalized").foreach { name =>
      assert(messageFor(name -> "1") == s"$name must be one of: true, false; not '1'")
    }
    Seq("", "x", "0", "2147483648").foreach(value => messageFor("frameSize" -> value))
    assertThrows[OptionException](JellyRdfOptions(frameSize = 0))
    messageFor("restartInterval" -> "-1")
    assertThrows[OptionException](JellyRdfOptions(restartInterval = -1))
    messageFor("maxNameTableSize" -> "7")
  }

  test("the columns, with namespaces and without") {
    val all = "subject predicate object graph name value frame seq"
    assert(JellyRdf.columns(Map("Namespaces" -> "TRUE")).mkString(" ") == all)
    assert(JellyRdf.columns(Map.empty).mkString(" ") == all.replace(" name value", ""))
    assert(JellyRdf.allColumns == JellyRdf.columns(Map("namespaces" -> "true")))
  }

  test("options are checked before a file is opened") {
    assertThrows[OptionException](JellyRdf.writer(Map("frameSize" -> "0")))
    assertThrows[OptionException](JellyRdf.reader(Map("namespaces" -> "yes")))
    assertThrows[OptionException](JellyRdf.reader(Map("maxNameTableSize" -> "7")))
    assertThrows[OptionException](JellyRdf.columns(Map("namespaces" -> "yes")))
  }
}
