package org.jellyspark.log.entries

/** What is known about a patch that is to be appended.
  *
  * @param id
  *   the header `id`, a canonical term
  * @param prev
  *   the header `prev`, a canonical term
  * @param statements
  *   whether it has an `A` or `D` row
  * @param prefixes
  *   whether it has a `PA` or `PD` row
  * @param message
  *   the header `message`, a canonical term
  */
final case class NewPatch(
    id: String,
    prev: Option[String],
    statements: Boolean,
    prefixes: Boolean,
    message: Option[String]
)
