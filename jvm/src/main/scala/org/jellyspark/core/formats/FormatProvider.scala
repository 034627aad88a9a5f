package org.jellyspark.core.formats

import java.util.ServiceLoader

/** A format whose codec is in another jar, and needs libraries of the user.
  *
  * The jar lists a class, with a constructor without arguments, in
  * `META-INF/services/org.jellyspark.core.formats.FormatProvider`.
  *
  * Spark asks all data sources for their names before it uses one, so classes that extend this one
  * must load without the libraries, and in Spark 3.5, which has Scala 2.12.
  */
trait FormatProvider {

  /** The short name of the format. */
  def name: String

  /** Whether the libraries are on the class path. */
  def isUsable: Boolean

  /** The format. Needs the libraries. */
  def format: RowFormat
}

object FormatProvider {

  /** Returns the provider of a format; null if no provider of it is usable. */
  def find(name: String): FormatProvider = {
    // Looked up each time, because a jar may be added to the session later.
    val providers = ServiceLoader
      .load(classOf[FormatProvider], Thread.currentThread.getContextClassLoader)
      .iterator
    while (providers.hasNext) {
      val provider = providers.next()
      if (provider.name == name && provider.isUsable) return provider
    }
    null
  }
}
