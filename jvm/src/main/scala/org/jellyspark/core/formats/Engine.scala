package org.jellyspark.core.formats

import java.util.{Locale, ServiceLoader}

import scala.jdk.CollectionConverters._

import org.jellyspark.OptionException

/** Another codec of a format, which users choose with the option `engine`.
  *
  * It reads whole files, from their beginning: it knows nothing of restart points and filters.
  *
  * A jar that brings engines lists their classes, which have a constructor without arguments, in
  * `META-INF/services/org.jellyspark.core.formats.Engine`.
  */
trait Engine extends Serializable {

  /** The value of the option `engine`, such as `jelly-jvm`. */
  def name: String

  /** The short name of the format. */
  def format: String

  /** The names of the format's options that this engine cannot follow. To set one is an error. */
  def missingOptions: Seq[String]

  /** As [[RowFormat.reader]]. The whole file is read. */
  def reader(options: Map[String, String]): ReaderFactory

  /** As [[RowFormat.writer]]. */
  def writer(options: Map[String, String]): WriterFactory
}

object Engine {

  /** The name of the option. */
  val Key = "engine"

  /** The name of the format's own codec, the default. */
  val Native = "native"

  /** The format, with the codec that the option `engine` names.
    *
    * @throws org.jellyspark.OptionException
    *   if there is no such engine for the format, or another option is not for it
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

  /** The names of the engines of a format, the native one first. */
  def namesOf(format: RowFormat): Seq[String] = Native +: enginesOf(format).map(_.name)

  // The jar of an engine may be one that was added to the session later.
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

/** A format with another codec than its own. */
private final class EngineFormat(native: RowFormat, engine: Engine) extends RowFormat {
  import org.jellyspark.core.rows.Column

  override def shortName: String = native.shortName

  override def title: String = native.title

  override def extension: String = native.extension

  override def columns(options: Map[String, String]): Seq[Column] = native.columns(options)

  override def allColumns: Seq[Column] = native.allColumns

  override def optionNames: Seq[String] = native.optionNames

  override def reader(options: Map[String, String]): ReaderFactory = engine.reader(options)

  /** Spark asks for batches if the native codec gives them. */
  override def batchReader(
      options: Map[String, String],
      request: BatchRequest
  ): Option[BatchReaderFactory] =
    native
      .batchReader(Map.empty, request)
      .map(_ => new RowBatchReaderFactory(engine.reader(options), request))

  override def writer(options: Map[String, String]): WriterFactory = engine.writer(options)
}
