package org.jellyspark.core

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

/** Runs tests in a new folder, which is removed with all that is in it. */
object TemporaryFolder {
  def inFolder(test: Path => Unit): Unit = {
    val folder = Files.createTempDirectory("jelly-spark")
    try test(folder)
    finally
      Using.resource(Files.walk(folder)) {
        _.iterator.asScala.toSeq.reverse.foreach(Files.delete)
      }
  }
}
