package org.jellyspark.source

import org.apache.spark.SPARK_VERSION

import org.jellyspark.JellySparkException

/** The running version of Spark.
  *
  * To find a data source by name, Spark instantiates all data sources of all jars. With a Spark
  * version that this jar does not support, that must not fail, or other formats would stop working.
  * So this object, like the constructors and short names of the data sources, uses only what Scala
  * 2.12 also has.
  */
private[jellyspark] object SparkVersion {
  private final val Needed = 4

  /** Whether this jar supports the running version of Spark. */
  def isSupported: Boolean =
    Integer.parseInt(SPARK_VERSION.substring(0, SPARK_VERSION.indexOf('.'))) >= Needed

  /** Checks that this jar supports the running version of Spark.
    *
    * @throws org.jellyspark.JellySparkException
    *   if Spark is too old; the message says which version is required
    */
  def check(): Unit =
    if (!isSupported) {
      throw new JellySparkException(
        s"jelly-spark needs Spark 4.0 or later, which has Scala 2.13; this is Spark $SPARK_VERSION " +
          s"with Scala ${scala.util.Properties.versionNumberString}"
      )
    }
}
