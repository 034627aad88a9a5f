package org.jellyspark.bridge

import java.io.{BufferedReader, InputStreamReader}
import java.net.URL
import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.sources.DataSourceRegister

import org.jellyspark.OptionException
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.source.FileSource

/** The formats by name, as registered with Spark as data sources. */
private[bridge] object Formats {
  private val registry = s"META-INF/services/${classOf[DataSourceRegister].getName}"

  // A ServiceLoader would also load classes of other jars, and fail if one of those is broken.
  private lazy val byName: Map[String, RowFormat] = {
    val loader = getClass.getClassLoader
    loader
      .getResources(registry)
      .asScala
      .flatMap(linesOf)
      .filter(_.startsWith(s"${classOf[FileSource].getPackageName}."))
      .map(name => loader.loadClass(name).getConstructor().newInstance())
      .collect { case source: FileSource => source.format.shortName -> source.format }
      .toMap
  }

  private def linesOf(file: URL): Seq[String] = {
    val lines = new BufferedReader(new InputStreamReader(file.openStream(), UTF_8))
    try lines.lines().iterator().asScala.map(_.trim).toList
    finally lines.close()
  }

  /** Finds a format by its short name.
    *
    * @throws org.jellyspark.OptionException
    *   if no format has the name; the message lists the valid names
    */
  def find(shortName: String): RowFormat = byName.getOrElse(
    shortName,
    throw new OptionException(
      s"format must be one of: ${byName.keys.toSeq.sorted.mkString(", ")}; not '$shortName'"
    )
  )
}
