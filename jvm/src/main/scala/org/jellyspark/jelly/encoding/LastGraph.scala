package org.jellyspark.jelly.encoding

/** The graph that a stream had last. */
private[jelly] final class LastGraph {
  import LastGraph._

  private[this] var state = NoGraph

  /** Its text, if it is not the default graph. */
  val term: LastTerm = new LastTerm

  def isDefault: Boolean = state == Default

  /** Whether it is the default graph, or there was no graph yet. */
  def isDefaultOrNone: Boolean = state == Default || state == NoGraph

  /** [[term]] has it now. */
  def setTerm(): Unit = state = Named

  def setDefault(): Unit = {
    state = Default
    term.forget()
  }

  /** Whatever it was, it is to be repeated no more. */
  def forget(): Unit = {
    state = Forgotten
    term.forget()
  }
}

private object LastGraph {
  private final val NoGraph = 0
  private final val Default = 1
  private final val Named = 2
  private final val Forgotten = 3
}
