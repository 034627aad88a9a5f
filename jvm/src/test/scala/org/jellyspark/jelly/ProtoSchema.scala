package org.jellyspark.jelly

import java.nio.file.{Files, Path}

/** The schemas in `proto/`, to compare field numbers with. */
object ProtoSchema {
  val text: String = read("patch.proto") + read("rdf.proto")

  private def read(name: String): String = Files.readString(Path.of("proto", name))

  /** The numbers of a message's fields, by name. */
  def message(name: String): Map[String, Int] = numbers("message", name)

  /** The numbers of an enum's values, by name. */
  def enumeration(name: String): Map[String, Int] = numbers("enum", name)

  private def numbers(kind: String, name: String): Map[String, Int] = {
    val body = s"(?ms)^$kind $name \\{(.*?)^\\}".r
      .findFirstMatchIn(text)
      .getOrElse(throw new NoSuchElementException(s"$kind $name"))
      .group(1)
    """(?m)^\s*(?:[\w.<>, ]+ )?(\w+) = (\d+);""".r
      .findAllMatchIn(body)
      .map(field => field.group(1) -> field.group(2).toInt)
      .toMap
  }
}
