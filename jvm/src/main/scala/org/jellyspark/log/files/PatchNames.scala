package org.jellyspark.log.files

import org.apache.hadoop.fs.Path

import org.jellyspark.LogException
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.source.DataSources
import org.jellyspark.source.files.Compression

/** The names of patch files, and what they say about the files. */
private[log] object PatchNames {
  private val Formats = Set("jelly_patch", "rdf_patch", "rdf_patch_thrift")
  private val Digits = 20

  private val formats: Seq[RowFormat] =
    DataSources.all.filter(source => Formats(source.shortName())).map(_.format)

  /** The format in which patches are appended. */
  val appended: RowFormat = formats.head

  /** Returns the name of the file of an appended patch: its position and the extension. */
  def of(position: Long): String = padded(position) + appended.extension

  /** Returns the position in the name of a file; none if it is not the name of an appended patch.
    */
  def position(name: String): Option[Long] =
    name.stripSuffix(appended.extension).toLongOption.filter(of(_) == name)

  /** Returns the short name of the format of a patch file.
    *
    * @throws org.jellyspark.LogException
    *   if this is not the name of a patch file
    */
  def format(name: String): String = find(name).getOrElse {
    throw new LogException(s"$name does not have the extension of a patch format")
  }

  /** Whether this is the name of a patch file. */
  def isPatch(name: String): Boolean =
    !name.startsWith(".") && !name.startsWith("_") && find(name).isDefined

  private def find(name: String): Option[String] = ofExtension(name)
    .orElse(ofExtension(name.stripSuffix(Compression.of(new Path(s"/$name")).extension)))

  private def ofExtension(name: String): Option[String] =
    formats.find(format => name.endsWith(format.extension)).map(_.shortName)

  /** Returns the digits of a position in the names of files. */
  def padded(position: Long): String = {
    val digits = position.toString
    "0" * (Digits - digits.length) + digits
  }
}
