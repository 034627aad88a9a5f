package org.jellyspark.jelly.frames

import scala.collection.mutable

/** The restart points of an output, as it grows.
  *
  * @param interval
  *   the bytes after which there is to be another; 0: never
  */
private[jelly] final class Restarts(interval: Long) {
  private[this] val made = mutable.ArrayBuffer.empty[RestartPoint]
  private[this] var lastOffset = 0L

  /** Whether the next frame that has rows is to begin with a restart point. */
  var isDue: Boolean = false

  def points: Seq[RestartPoint] = made.toSeq

  /** Notes that a frame is about to end at this offset. */
  def endFrameAt(offset: Long): Unit =
    if (interval > 0 && offset - lastOffset >= interval && RestartIndex.hasRoom(made.length)) {
      isDue = true
    }

  def add(point: RestartPoint): Unit = {
    made += point
    lastOffset = point.offset
    isDue = false
  }
}
