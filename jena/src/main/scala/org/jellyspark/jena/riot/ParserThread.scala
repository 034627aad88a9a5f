package org.jellyspark.jena.riot

import java.util.ArrayDeque

/** Runs a parser that calls back, such as RIOT's, in a thread of its own, and returns what it finds
  * in chunks. Memory is bounded, because the parser waits until its chunks are taken.
  *
  * The thread that takes the chunks also reads the input, one block ahead of the parser: the thread
  * of a Spark task counts the bytes that are read, and ends when Spark kills the task.
  *
  * The queue is made of monitors, rather than the classes of `java.util.concurrent`, because the
  * JVM leaves them even if the parser's stack overflows in the middle of a call.
  *
  * @param name
  *   the name of the thread
  * @param read
  *   reads the next block of the input
  * @param parse
  *   parses; calls `takeBlock` and `put`
  * @tparam B
  *   a block of the input
  * @tparam C
  *   a chunk of what the parser finds
  */
private[riot] final class ParserThread[B <: AnyRef, C <: AnyRef](
    name: String,
    read: () => B,
    parse: ParserThread[B, C] => Unit
) {
  import ParserThread._

  // All fields are guarded by this object's monitor.
  private[this] val chunks = new ArrayDeque[C]
  // The block that was read ahead, or null.
  private[this] var block: B = _
  private[this] var isBlockWanted = true
  private[this] var hasEnded = false
  private[this] var failure: Throwable = _
  private[this] var isStopped = false

  // RIOT's parsers are recursive, so deep nesting needs much stack.
  private[this] val thread = new Thread(null, () => run(), name, StackSize)
  thread.setDaemon(true)
  thread.start()

  /** Returns the next chunk, or null after the last one. Throws what the parser threw, after the
    * chunks before it.
    */
  def next(): C = {
    while (needsBlock()) give(read())
    synchronized {
      val chunk = chunks.poll()
      notifyAll()
      if ((chunk eq null) && failure != null) throw failure
      chunk
    }
  }

  /** Ends the thread, at the latest when the parser needs a block or has found a chunk. Does not
    * wait for that.
    */
  def stop(): Unit = synchronized {
    isStopped = true
    chunks.clear()
    notifyAll()
  }

  /** Returns the next block. Called by the parser. */
  def takeBlock(): B = synchronized {
    while ((block eq null) && !isStopped) wait()
    endIfStopped()
    val taken = block
    block = null.asInstanceOf[B]
    isBlockWanted = true
    notifyAll()
    taken
  }

  /** Passes on a chunk. Called by the parser. */
  def put(chunk: C): Unit = synchronized {
    while (chunks.size == MaxChunks && !isStopped) wait()
    endIfStopped()
    chunks.add(chunk)
    notifyAll()
  }

  /** Waits until the parser needs a block, has found a chunk, or has ended. Returns whether it
    * needs a block.
    */
  private def needsBlock(): Boolean = synchronized {
    while (!isBlockWanted && chunks.isEmpty && !hasEnded) wait()
    isBlockWanted && !hasEnded
  }

  private def give(read: B): Unit = synchronized {
    block = read
    isBlockWanted = false
    notifyAll()
  }

  private def run(): Unit = {
    var thrown: Throwable = null
    try parse(this)
    catch { case e: Throwable => thrown = e }
    synchronized {
      failure = thrown
      hasEnded = true
      notifyAll()
    }
  }

  private def endIfStopped(): Unit = if (isStopped) throw new Stopped
}

private object ParserThread {
  private final val MaxChunks = 4
  private final val StackSize = 16L << 20 // bytes

  /** Ends the parser. Nobody sees it. */
  private final class Stopped extends RuntimeException(null, null, false, false)
}
