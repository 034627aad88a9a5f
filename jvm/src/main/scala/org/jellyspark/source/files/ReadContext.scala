package org.jellyspark.source.files

import java.util.{LinkedHashMap => JavaLinkedHashMap, Map => JavaMap}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.util.SerializableConfiguration

/** The state that the tasks of a query share. Spark sends it to each executor once. */
private[source] final class ReadContext(configuration: SerializableConfiguration)
    extends Serializable {
  def conf: Configuration = configuration.value

  /** The tails of files that several tasks read. Each executor has its own cache. */
  @transient lazy val tails: TailCache = new TailCache
}

/** Identifies the last `size` bytes of a file, as it was when the query was planned. */
private[source] final case class TailKey(path: Path, length: Long, modified: Long, size: Int)

/** A cache of file tails, so that the tasks of an executor read each of them only once. It evicts
  * the least recently used tails, and holds 16 MiB at most.
  */
private[source] final class TailCache {
  import TailCache._

  private[this] val tails = new JavaLinkedHashMap[TailKey, Tail](16, 0.75f, true) {
    override def removeEldestEntry(eldest: JavaMap.Entry[TailKey, Tail]): Boolean = size > MaxTails
  }

  /** Returns a tail, reading it if it is not cached. Other tasks that need it wait. */
  def get(key: TailKey)(read: => Array[Byte]): Array[Byte] =
    if (key.size > MaxSize) read
    else tails.synchronized(tails.computeIfAbsent(key, _ => new Tail)).get(() => read)
}

private[source] object TailCache {
  private val MaxTails = 16
  private val MaxSize = 1 << 20

  private final class Tail {
    private[this] var bytes: Array[Byte] = _

    def get(read: () => Array[Byte]): Array[Byte] = synchronized {
      if (bytes == null) bytes = read()
      bytes
    }
  }
}
