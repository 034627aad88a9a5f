package org.jellyspark.source

import org.apache.spark.SPARK_VERSION

import org.jellyspark.JellySparkException

/** The version of Spark that runs.
  *
  * Like the constructors and the short names of data sources, it uses only what Scala 2.12 has too:
  * Spark instantiates all data sources of all jars to find one by its name. With more than that,
  * this jar would break the other formats of a Spark that it is not built for.
  */
private[jellyspark] object SparkVersion {
  private final val Needed = 4

  /** Whether this jar can work here. */
  def isSupported: Boolean =
    Integer.parseInt(SPARK_VERSION.substring(0, SPARK_VERSION.indexOf('.'))) >= Needed

  /** Checks that this jar can work here.
    *
    * @throws org.jellyspark.JellySparkException
    *   if Spark is too old; the message says which version is needed
    */
  def check(): Unit =
    if (!isSupported) {
      throw new JellySparkException(
        s"jelly-spark needs Spark 4.0 or later, which has Scala 2.13; this is Spark $SPARK_VERSION " +
          s"with Scala ${scala.util.Properties.versionNumberString}"
      )
    }
}
