package org.jellyspark.jelly

import org.jellyspark.core.TermFactory

/** A reader's three lookups, and what makes terms of them. */
private[jelly] final class Lookups(
    val iris: IriTable,
    val datatypes: DatatypeTable,
    val factory: TermFactory
)
