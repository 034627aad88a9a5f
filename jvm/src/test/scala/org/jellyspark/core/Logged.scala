package org.jellyspark.core

import scala.collection.mutable
import scala.reflect.{classTag, ClassTag}

import org.apache.logging.log4j.LogManager
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property

/** Finds out what a class logs. */
object Logged {

  /** Returns the events that the logger of a class gets while `work` runs. */
  def by[T: ClassTag](work: => Unit): Seq[LogEvent] = {
    val events = mutable.Buffer.empty[LogEvent]
    val appender = new AbstractAppender("test", null, null, false, Property.EMPTY_ARRAY) {
      override def append(event: LogEvent): Unit = events += event.toImmutable
    }
    appender.start()
    val logger = LogManager.getLogger(classTag[T].runtimeClass).asInstanceOf[Logger]
    logger.addAppender(appender)
    try work
    finally logger.removeAppender(appender)
    events.toSeq
  }
}
