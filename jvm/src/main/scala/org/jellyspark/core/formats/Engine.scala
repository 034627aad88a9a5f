package org.jellyspark.core.formats

import java.util.{Locale, ServiceLoader}

import scala.jdk.CollectionConverters._

import org.jellyspark.OptionException

/** An alternative codec of a format, chosen with the option `engine`.
  *
  * It reads whole files from the beginning, and does not support restart points or filters.
  *
  * A jar with engines lists their classes, each with a constructor without arguments, in
  * `META-INF/services/org.jellyspark.core.formats.Engine`.
  */
trait Engine extends Serializable {

  /** The value of the option `engine`, such as `jelly-jvm`. */
  def name: String

  /** The short name of the format. */
  def format: String

  /** The names of the format's options that this engine does not support. Setting one is an error.
    */
  def missingOptions: Seq[String]

  /** Like [[RowFormat.reader]], but always reads the whole file. */
  def reader(options: Map[String, String]): ReaderFactory

  /** Like [[RowFormat.writer]]. */
  def writer(options: Map[String, String]): WriterFactory
}

object Engine {

  /** The name of the option. */
  val Key = "engine"

  /** The name of the format's own codec, which is the default. */
  val Native = "native"

  /** Returns the format with the engine that the option `engine` names.
    *
    * @throws org.jellyspark.OptionException
    *   if the format has no such engine, or the engine does not support another option that is set
    */
  def choose(format: RowFormat, options: Map[String, String]): RowFormat = {
    val name = new OptionParser(options).text(Key, Native).trim
    if (isSame(name, Native)) format
    else {
      val found = enginesOf(format)
      val engine = found.find(engine => isSame(engine.name, name)).getOrElse {
        val names = (Native +: found.map(_.name)).mkString(", ")
        throw new OptionException(
          s"$Key for ${format.shortName} must be one of: $names; not '$name' " +
            "(the engine jelly-jvm, for jelly_rdf, comes with jelly-spark-jena.jar)"
        )
      }
      options.keys
        .find(option => engine.missingOptions.exists(isSame(_, option)))
        .foreach { option =>
          throw new OptionException(s"the engine ${engine.name} has no option $option: remove it")
        }
      new EngineFormat(format, engine)
    }
  }

  /** The names of a format's engines, the native one first. */
  def namesOf(format: RowFormat): Seq[String] = Native +: enginesOf(format).map(_.name)

  // Looked up each time, because the jar of an engine may be added to the session later.
  private def enginesOf(format: RowFormat): Seq[Engine] =
    ServiceLoader
      .load(classOf[Engine], Thread.currentThread.getContextClassLoader)
      .asScala
      .filter(_.format == format.shortName)
      .toSeq
      .sortBy(_.name)

  private def isSame(name: String, other: String): Boolean =
    name.toLowerCase(Locale.ROOT) == other.toLowerCase(Locale.ROOT)
}

/** A format with an engine other than its own codec. */
private final class EngineFormat(native: RowFormat, engine: Engine) extends RowFormat {
  import org.jellyspark.core.rows.Column

  override def shortName: String = native.shortName

  override def title: String = native.title

  override def extension: String = native.extension

  override def columns(options: Map[String, String]): Seq[Column] = native.columns(options)

  override def allColumns: Seq[Column] = native.allColumns

  override def optionNames: Seq[String] = native.optionNames

  override def reader(options: Map[String, String]): ReaderFactory = engine.reader(options)

  override def writer(options: Map[String, String]): WriterFactory = engine.writer(options)
}
