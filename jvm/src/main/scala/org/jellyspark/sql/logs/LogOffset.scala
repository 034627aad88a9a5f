package org.jellyspark.sql.logs

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.execution.streaming.Offset

/** A place in a log up to which a stream has been read.
  *
  * @param position
  *   the position after the last patch that was read
  * @param id
  *   the id of that patch, which shows whether the log is still the same
  */
private[logs] final case class LogOffset(position: Long, id: String) extends Offset {
  override def json: String = {
    val node = LogOffset.mapper.createObjectNode()
    node.put("position", position).put("id", id).toString
  }
}

private[logs] object LogOffset {
  private val mapper = new ObjectMapper()

  /** Returns an offset that Spark has read from a checkpoint. */
  def of(offset: Offset): LogOffset = offset match {
    case found: LogOffset => found
    case _                =>
      val node = mapper.readTree(offset.json)
      LogOffset(node.get("position").longValue, node.get("id").textValue)
  }
}
