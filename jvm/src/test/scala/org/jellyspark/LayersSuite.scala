package org.jellyspark

import com.tngtech.archunit.ArchConfiguration
import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.base.DescribedPredicate.{describe, not}
import com.tngtech.archunit.core.domain.{JavaClass, JavaClasses}
import com.tngtech.archunit.core.domain.JavaClass.Predicates.{resideInAPackage, resideInAnyPackage}
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import com.tngtech.archunit.library.Architectures.layeredArchitecture
import com.tngtech.archunit.library.dependencies.{SliceAssignment, SliceIdentifier}
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices
import org.scalatest.funsuite.AnyFunSuite

/** Holds the source files to the layers of `ARCHITECTURE.md`: a file may only use files of lower
  * layers and, without circles, of its own. The dependencies are those of the compiled classes, so
  * a constant that the compiler inlines is not one.
  */
class LayersSuite extends AnyFunSuite {
  import LayersSuite._

  test("every file belongs to a layer, and uses only lower layers and its own") {
    val start = layeredArchitecture().consideringOnlyDependenciesInLayers()
    val defined = Layers.flatten.foldLeft(start) { (rule, layer) =>
      rule.layer(layer).definedBy(isIn(layer))
    }
    val lower = Layers.scanLeft(Seq.empty[String])(_ ++ _)
    val rule = Layers.zip(lower).foldLeft(defined) { case (rule, (layers, below)) =>
      layers.foldLeft(rule) { (rule, layer) =>
        val layerRule = rule.whereLayer(layer)
        if (below.isEmpty) layerRule.mayNotAccessAnyLayer()
        else layerRule.mayOnlyAccessLayers(below: _*)
      }
    }
    rule.ensureAllClassesAreContainedInArchitecture().check(classes)
  }

  test("only the layers from `source/files` on use Spark and Hadoop") {
    val below = Layers.flatten.takeWhile(_ != "source/files").map(isIn)
    noClasses()
      .that(below.reduce(_ or _))
      .should()
      .dependOnClassesThat(resideInAnyPackage("org.apache.spark..", "org.apache.hadoop.."))
      .check(classes)
  }

  test("no file uses Jena or Jelly-JVM, which users need not have") {
    noClasses()
      .should()
      .dependOnClassesThat(resideInAnyPackage("org.apache.jena..", "eu.neverblink.."))
      .check(classes)
  }

  test("only the list of data sources and the format itself use a format's classes") {
    val formats = resideInAPackage("org.jellyspark.formats..")
    val list = describe[JavaClass]("are in the list", fileOf(_) == "source/DataSources.scala")
    noClasses()
      .that(not(formats).and(not(list)))
      .should()
      .dependOnClassesThat(formats)
      .check(classes)
  }

  test("files make no circles") {
    slices().assignedFrom(Files).should().beFreeOfCycles().check(classes)
  }
}

private object LayersSuite {

  private val Root = "org.jellyspark"

  /** The layer of the files in no folder, but for those that are there only for their users. */
  private val TopLevel = "top level"
  private val Faces = Map("functions.scala" -> "sql/session", "LogCatalog.scala" -> "sql/session")

  /** Where each layer's files are, lowest first. Layers of one line are at the same height, and do
    * not use each other.
    */
  private val Layers: Seq[Seq[String]] = Seq(
    Seq(TopLevel),
    Seq("core/errors", "core/bytes"),
    Seq("core/terms"),
    Seq("core/rows"),
    Seq("core/formats"),
    Seq("jelly/wire"),
    Seq("jelly"),
    Seq("jelly/frames", "jelly/lookups"),
    Seq("jelly/decoding", "jelly/encoding"),
    Seq("text"),
    Seq(
      "formats/jellypatch",
      "formats/jellyrdf",
      "formats/ntriples",
      "formats/rdfpatch",
      "formats/rdfpatchthrift",
      "formats/sparqlupdate"
    ),
    Seq("source/files"),
    Seq("source"),
    Seq("log/files"),
    Seq("log/entries"),
    Seq("log/index"),
    Seq("log"),
    Seq("sql"),
    Seq("sql/terms"),
    Seq("sql/messages", "sql/digests"),
    Seq("sql/logs"),
    Seq("sql/logs/commits"),
    Seq("sql/session"),
    Seq("bridge")
  )

  private val classes: JavaClasses = {
    ArchConfiguration.get.setResolveMissingDependenciesFromClassPath(false)
    val compiled = classOf[JellySparkException].getProtectionDomain.getCodeSource.getLocation
    new ClassFileImporter().importUrl(compiled)
  }

  private def folderOf(compiled: JavaClass): String =
    compiled.getPackageName.stripPrefix(Root).stripPrefix(".").replace('.', '/')

  /** The path of a class's file below `org/jellyspark`. */
  private def fileOf(compiled: JavaClass): String =
    s"${folderOf(compiled)}/${compiled.getSource.get.getFileName.get}".stripPrefix("/")

  private def layerOf(compiled: JavaClass): String = {
    val folder = folderOf(compiled)
    if (folder.isEmpty) Faces.getOrElse(fileOf(compiled), TopLevel) else folder
  }

  private def isIn(layer: String): DescribedPredicate[JavaClass] =
    describe(s"are in $layer", layerOf(_) == layer)

  /** Each source file is a slice of its own. */
  private object Files extends SliceAssignment {
    override def getIdentifierOf(compiled: JavaClass): SliceIdentifier =
      if (compiled.getSource.isPresent) SliceIdentifier.of(fileOf(compiled))
      else SliceIdentifier.ignore() // a library's

    override def getDescription: String = "source files"
  }
}
