package org.jellyspark.log

/** The saved state after a patch.
  *
  * @param position
  *   the position of the patch in the log
  * @param id
  *   the id of the patch
  * @param files
  *   the full paths or URLs of the Jelly-RDF files with the statements
  * @param prefixes
  *   the prefixes
  */
final case class Snapshot(position: Long, id: String, files: Seq[String], prefixes: Seq[Prefix])

/** A prefix of a state.
  *
  * @param graph
  *   the graph that it belongs to; none for the default graph
  * @param name
  *   the name, without colon
  * @param value
  *   the namespace IRI
  */
final case class Prefix(graph: Option[String], name: String, value: String)
