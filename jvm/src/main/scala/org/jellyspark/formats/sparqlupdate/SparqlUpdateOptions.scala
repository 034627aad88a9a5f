package org.jellyspark.formats.sparqlupdate

import org.jellyspark.OptionException
import org.jellyspark.core.formats.OptionParser
import org.jellyspark.core.terms.NTriplesChars
import org.jellyspark.text.TurtleNames

/** The options for writing SPARQL Update.
  *
  * @param batchSize
  *   the largest number of statements in an operation
  * @param skolemBase
  *   the beginning of the IRIs that replace blank nodes; empty to refuse blank nodes
  */
final case class SparqlUpdateOptions(
    batchSize: Int = SparqlUpdateOptions.DefaultBatchSize,
    skolemBase: String = ""
)

object SparqlUpdateOptions {
  val BatchSizeKey = "batchSize"
  val SkolemBaseKey = "skolemBase"

  val Keys: Seq[String] = Seq(BatchSizeKey, SkolemBaseKey)

  val DefaultBatchSize = 1000

  /** Parses the options of a write. Names are case-insensitive. Unknown names are ignored.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  def apply(options: Map[String, String]): SparqlUpdateOptions = {
    val parser = new OptionParser(options)
    val base = parser.text(SkolemBaseKey, "")
    if (!(base.isEmpty || (TurtleNames.isAbsolute(base) && base.forall(NTriplesChars.isIriChar))))
      throw new OptionException(s"$SkolemBaseKey must be an absolute IRI, not '$base'")
    SparqlUpdateOptions(parser.within(BatchSizeKey, 1, Int.MaxValue, DefaultBatchSize), base)
  }
}
