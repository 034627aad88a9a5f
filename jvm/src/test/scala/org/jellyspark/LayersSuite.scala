package org.jellyspark

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.ArchConfiguration
import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.importer.ClassFileImporter
import org.scalatest.Assertion
import org.scalatest.funsuite.AnyFunSuite

/** Holds the source files to the layers of `ARCHITECTURE.md`: a file may only use files of lower
  * layers and, without circles, of its own. The dependencies are those of the compiled classes, so
  * a constant that the compiler inlines is not one.
  */
class LayersSuite extends AnyFunSuite {
  import LayersSuite._

  test("every file belongs to a layer") {
    val outside = files.filter(layerOf(_) == NoLayer)
    assert(files.nonEmpty && outside.isEmpty)
  }

  test("no layer uses a layer above it") {
    assertNone(arrows.filter(arrow => layerOf(arrow.from) < layerOf(arrow.to)))
  }

  test("layers at the same height do not use each other") {
    assertNone(arrows.filter { arrow =>
      layerOf(arrow.from) == layerOf(arrow.to) && roomOf(arrow.from) != roomOf(arrow.to)
    })
  }

  test("only the layers from `source` on use Spark and Hadoop") {
    val source = heightOf("source/files")
    assertNone(foreignArrows.filter { arrow =>
      layerOf(arrow.from) < source && isOfSpark(arrow.to)
    })
  }

  test("no file uses Jena or Jelly-JVM, which users need not have") {
    assertNone(foreignArrows.filter { arrow =>
      arrow.to.startsWith("org.apache.jena.") || arrow.to.startsWith("eu.neverblink.")
    })
  }

  test("only the list of data sources and the format itself use a format's classes") {
    assertNone(arrows.filter { arrow =>
      arrow.to.startsWith("formats/") && roomOf(arrow.from) != roomOf(arrow.to) &&
      arrow.from != "source/DataSources.scala"
    })
  }

  test("files make no circles") {
    val circles = stronglyConnected(files, arrows)
    assert(
      circles.isEmpty,
      circles
        .map { circle =>
          arrows.filter(arrow => circle(arrow.from) && circle(arrow.to)).mkString("\n  ")
        }
        .mkString("\ncircles:\n  ", "\n\n  ", "\n")
    )
  }

  test("circles are found in a graph that has them") {
    val arrows = Set("a" -> "b", "b" -> "c", "c" -> "a", "c" -> "d", "d" -> "e", "f" -> "f").map {
      case (from, to) => Arrow(from, to)
    }
    assert(stronglyConnected(Set("a", "b", "c", "d", "e", "f"), arrows) == Set(Set("a", "b", "c")))
  }

  private def assertNone(forbidden: Set[Arrow]): Assertion =
    assert(forbidden.isEmpty, forbidden.toSeq.map(_.toString).sorted.mkString("\n", "\n", "\n"))
}

private object LayersSuite {

  /** A file that uses another, or a class of a library. Files are named by their paths below
    * `org/jellyspark`.
    */
  final case class Arrow(from: String, to: String) {
    override def toString: String = s"$from -> $to"
  }

  val NoLayer: Int = -1

  private val Root = "org.jellyspark"

  /** Where each layer's files are, lowest first. Layers of one line are at the same height. The
    * folder "" is the root; a file of it can be a layer of its own.
    */
  private val Layers: Seq[Seq[String]] = Seq(
    Seq(""),
    Seq("core/errors", "core/bytes"),
    Seq("core/terms"),
    Seq("core/rows"),
    Seq("core/formats"),
    Seq("jelly/wire"),
    Seq("jelly"),
    Seq("jelly/frames"),
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
    Seq("log"),
    Seq("sql"),
    Seq("sql/terms"),
    Seq("sql/messages"),
    Seq("sql/logs"),
    Seq("sql/session", "functions.scala", "LogCatalog.scala"),
    Seq("bridge")
  )

  private val classes: Seq[JavaClass] = {
    ArchConfiguration.get.setResolveMissingDependenciesFromClassPath(false)
    val compiled = classOf[JellySparkException].getProtectionDomain.getCodeSource.getLocation
    new ClassFileImporter().importUrl(compiled).asScala.toSeq
  }

  private val fileOf: Map[JavaClass, String] = classes.map { compiled =>
    val folder = compiled.getPackageName.stripPrefix(Root).stripPrefix(".").replace('.', '/')
    val name = compiled.getSource.get.getFileName.get
    compiled -> (if (folder.isEmpty) name else s"$folder/$name")
  }.toMap

  val files: Set[String] = fileOf.values.toSet

  private val uses: Set[(String, JavaClass)] = classes.flatMap { compiled =>
    compiled.getDirectDependenciesFromSelf.asScala
      .map(dependency => fileOf(compiled) -> dependency.getTargetClass.getBaseComponentType)
  }.toSet

  /** Between the files. */
  val arrows: Set[Arrow] = uses.collect {
    case (from, to) if fileOf.contains(to) && fileOf(to) != from => Arrow(from, fileOf(to))
  }

  /** From the files to the classes of libraries. */
  val foreignArrows: Set[Arrow] = uses.collect {
    case (from, to) if !fileOf.contains(to) => Arrow(from, to.getName)
  }

  /** The folder of a file. The Scala face of the column functions is at the root, for its users. */
  def roomOf(file: String): String =
    if (file == "functions.scala") "sql" else file.substring(0, math.max(file.lastIndexOf('/'), 0))

  def heightOf(room: String): Int = Layers.indexWhere(_.contains(room))

  /** The height of a file's layer, from 0 up, or [[NoLayer]]. */
  def layerOf(file: String): Int = math.max(heightOf(file), heightOf(roomOf(file)))

  def isOfSpark(name: String): Boolean =
    name.startsWith("org.apache.spark.") || name.startsWith("org.apache.hadoop.")

  /** The sets of at least two nodes each of which reaches every other (strongly connected
    * components).
    */
  def stronglyConnected(nodes: Set[String], arrows: Set[Arrow]): Set[Set[String]] = {
    val next = arrows.groupMap(_.from)(_.to).withDefaultValue(Set.empty)
    def reach(seen: Set[String], edge: Set[String]): Set[String] =
      if (edge.isEmpty) seen else reach(seen ++ edge, edge.flatMap(next) -- seen -- edge)
    val reached = nodes.map(node => node -> reach(Set.empty, next(node))).toMap
    nodes
      .map(node => reached(node).filter(other => reached(other)(node)) + node)
      .filter(_.size > 1)
  }
}
