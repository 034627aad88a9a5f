package org.jellyspark.jena

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.domain.JavaClass.Predicates.{resideInAPackage, resideInAnyPackage}
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import com.tngtech.archunit.library.Architectures.layeredArchitecture
import org.scalatest.funsuite.AnyFunSuite

/** Holds the module to its layers: what users import, then `codecs` and `engine`, and `riot`, which
  * uses `codecs`.
  */
class LayersSuite extends AnyFunSuite {
  private val root = "org.jellyspark.jena"

  private val classes = new ClassFileImporter()
    .importUrl(JenaEncoders.getClass.getProtectionDomain.getCodeSource.getLocation)

  // The names of a class and of one that it uses.
  private val uses: Set[(String, String)] = classes.asScala.flatMap { used =>
    used.getDirectDependenciesFromSelf.asScala
      .map(used.getName -> _.getTargetClass.getBaseComponentType.getName)
  }.toSet

  test("folders use neither what users import nor each other, except that riot uses codecs") {
    layeredArchitecture()
      .consideringOnlyDependenciesInLayers()
      .layer("users")
      .definedBy(root)
      .layer("codecs")
      .definedBy(s"$root.codecs")
      .layer("engine")
      .definedBy(s"$root.engine")
      .layer("riot")
      .definedBy(s"$root.riot")
      .whereLayer("codecs")
      .mayNotAccessAnyLayer()
      .whereLayer("engine")
      .mayNotAccessAnyLayer()
      .whereLayer("riot")
      .mayOnlyAccessLayers("codecs")
      .ensureAllClassesAreContainedInArchitecture()
      .check(classes)
  }

  test("Spark can ask for the name of the data source without Jena") {
    val needed = uses.collect { case (from, to) if from == s"$root.riot.RdfFormatProvider" => to }
    assert(needed.nonEmpty && !needed.exists(_.startsWith("org.apache.jena.")))
  }

  test("the engine uses neither Jena nor Spark") {
    noClasses()
      .that(resideInAPackage(s"$root.engine"))
      .should()
      .dependOnClassesThat(
        resideInAnyPackage(
          "org.apache.jena..",
          "org.apache.spark..",
          "eu.neverblink.jelly.convert.."
        )
      )
      .check(classes)
  }

  test("only the codec of patches and its encoder need jena-rdfpatch") {
    val found = uses.collect {
      case (from, to) if to.startsWith("org.apache.jena.rdfpatch.") => from.takeWhile(_ != '$')
    }
    val files =
      Set("codecs.PatchCodec", "codecs.TermCounter", "codecs.ChangesWriter", "PatchEncoders")
    assert(found == files.map(name => s"$root.$name"))
  }
}
