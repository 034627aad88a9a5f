package org.jellyspark.jena

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.importer.ClassFileImporter
import org.scalatest.funsuite.AnyFunSuite

/** Holds the module to its layers: what users import, then `codecs` and `engine`, and `riot`, which
  * uses `codecs`.
  */
class LayersSuite extends AnyFunSuite {
  private val root = "org.jellyspark.jena"

  // The names of a class and of one that it uses.
  private val uses: Set[(String, String)] = {
    val compiled = JenaEncoders.getClass.getProtectionDomain.getCodeSource.getLocation
    new ClassFileImporter()
      .importUrl(compiled)
      .asScala
      .flatMap { used =>
        used.getDirectDependenciesFromSelf.asScala
          .map(used.getName -> _.getTargetClass.getBaseComponentType.getName)
      }
      .toSet
  }

  private def in(folder: String)(use: (String, String)): Boolean =
    use._1.startsWith(s"$root.$folder.")

  // What each folder uses of this module, apart from itself.
  private val below: Map[String, Set[String]] =
    Map("codecs" -> Set.empty, "engine" -> Set.empty, "riot" -> Set("codecs"))

  test("folders use neither what users import nor each other, except that riot uses codecs") {
    val above = uses.filter { case (from, to) =>
      val room = below.keys.find(folder => from.startsWith(s"$root.$folder."))
      room.exists { folder =>
        val allowed = below(folder) + folder
        to.startsWith(s"$root.") && !allowed.exists(other => to.startsWith(s"$root.$other."))
      }
    }
    assert(uses.nonEmpty && above.isEmpty)
  }

  test("Spark can ask for the name of the data source without Jena") {
    val needed = uses.collect { case (from, to) if from == s"$root.riot.RdfFormatProvider" => to }
    assert(needed.nonEmpty && !needed.exists(_.startsWith("org.apache.jena.")))
  }

  test("the engine uses neither Jena nor Spark") {
    val foreign = uses.filter(in("engine")).filter { case (_, to) =>
      Seq("org.apache.jena.", "org.apache.spark.", "eu.neverblink.jelly.convert.")
        .exists(to.startsWith)
    }
    assert(foreign.isEmpty)
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
