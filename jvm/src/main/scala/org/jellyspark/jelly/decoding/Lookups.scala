package org.jellyspark.jelly.decoding

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.terms.TermFactory
import org.jellyspark.jelly.{OptionsMessage, ReadOptions, TableSize}
import org.jellyspark.jelly.lookups.{DatatypeTable, EntrySpace, IriTable}

/** The lookup tables of a stream, with the factory that creates terms from their entries, and the
  * check of the sizes of terms.
  */
private[jelly] final class Lookups private[decoding] (
    val iris: IriTable,
    val datatypes: DatatypeTable,
    val factory: TermFactory,
    val sizes: RowSizes
) {

  /** Removes all entries, for another stream with the same options. */
  def restart(): Unit = {
    iris.restart()
    datatypes.restart()
  }
}

private[jelly] object Lookups {

  /** Creates tables of the sizes that a stream's options declare. Their memory grows only with the
    * entries that the stream sets.
    *
    * @param isRestart
    *   whether reading begins at a restart point, where terms must not refer to earlier entries
    * @param announced
    *   the options of the stream
    * @throws MalformedRowException
    *   if a size is above the reader's limit
    */
  def apply(
      announced: OptionsMessage,
      options: ReadOptions,
      isRestart: Boolean,
      factory: TermFactory,
      sizes: RowSizes
  ): Lookups = {
    val names = checked(announced, TableSize.Name, options.maxNameTableSize)
    val prefixes = checked(announced, TableSize.Prefix, options.maxPrefixTableSize)
    val datatypes = checked(announced, TableSize.Datatype, options.maxDatatypeTableSize)
    val space = new EntrySpace(options.rowLimit)
    new Lookups(
      new IriTable(prefixes, names, isRestart, factory, space),
      new DatatypeTable(datatypes, isRestart, factory, space),
      factory,
      sizes
    )
  }

  private def checked(announced: OptionsMessage, bounds: TableSize, max: Int): Int = {
    val size = announced.number(bounds.field)
    val found = Integer.toUnsignedLong(size)
    if (found < bounds.min || found > max) {
      malformed(
        s"a ${bounds.table} table of ${bounds.min} to $max entries (option ${bounds.key})",
        s"a ${bounds.table} table of $found entries"
      )
    }
    size
  }
}
