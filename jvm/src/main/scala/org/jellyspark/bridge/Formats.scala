package org.jellyspark.bridge

import java.util.ServiceLoader

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.sources.DataSourceRegister

import org.jellyspark.OptionException
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.source.FileSource

/** The formats by name: those of the data sources that are registered with Spark. */
private[bridge] object Formats {
  private lazy val byName: Map[String, RowFormat] =
    ServiceLoader
      .load(classOf[DataSourceRegister], getClass.getClassLoader)
      .stream()
      .iterator()
      .asScala
      .filter(provider => classOf[FileSource].isAssignableFrom(provider.`type`()))
      .map(_.get().asInstanceOf[FileSource].format)
      .map(format => format.shortName -> format)
      .toMap

  /** Finds a format by its short name.
    *
    * @throws org.jellyspark.OptionException
    *   if no format has the name; the message lists the names
    */
  def find(shortName: String): RowFormat = byName.getOrElse(
    shortName,
    throw new OptionException(
      s"format must be one of: ${byName.keys.toSeq.sorted.mkString(", ")}; not '$shortName'"
    )
  )
}
