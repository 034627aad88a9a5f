package org.jellyspark.jelly.decoding

import org.jellyspark.core.terms.TermFactory

/** A reader's three lookups, and what makes terms of them. */
private[jelly] final class Lookups(
    val iris: IriTable,
    val datatypes: DatatypeTable,
    val factory: TermFactory
)
