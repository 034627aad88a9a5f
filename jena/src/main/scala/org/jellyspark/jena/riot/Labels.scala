package org.jellyspark.jena.riot

import java.net.{URI, URISyntaxException}
import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest

/** Labels of the blank nodes of a file.
  *
  * Labels in the file are kept. A node without a label gets one, such as `anon-FILE-7`, that
  * depends only on the path of the file and on how many such nodes come before it. So a file that
  * is read twice, as Spark does when it repeats a task, has the same labels each time, and two
  * files have different ones.
  *
  * @param file
  *   the path of the file, as a URL if it has one
  */
private[riot] final class Labels(file: String) {
  private[this] val prefix = Labels.prefixOf(file)
  private[this] var count = 0L

  /** The label of the next node that has none. */
  def next(): String = {
    val label = numbered(count.toString)
    count += 1
    label
  }

  /** The label of a node without one, to which a parser has given a number. */
  def numbered(number: String): String = prefix + number

  /** The label of a node that has one in the file. */
  def `given`(label: String): String =
    // The file may have labels that were made here. The underscore keeps them apart from those that
    // are made now.
    if (label.startsWith(prefix)) s"${prefix}_${label.substring(prefix.length)}" else label
}

private object Labels {
  private final val HashedBytes = 8

  private def prefixOf(file: String): String = {
    val hash = MessageDigest.getInstance("SHA-256").digest(pathOf(file).getBytes(UTF_8))
    s"anon-${hash.take(HashedBytes).map(byte => f"$byte%02x").mkString}-"
  }

  /** The path as the data source in Python has it: without escapes, and without a scheme if the
    * file is local.
    */
  private def pathOf(file: String): String =
    try {
      val uri = new URI(file)
      if (uri.getPath == null) file
      else if (uri.getScheme == null || uri.getScheme == "file") uri.getPath
      else s"${uri.getScheme}://${Option(uri.getAuthority).getOrElse("")}${uri.getPath}"
    } catch { case _: URISyntaxException => file }
}
