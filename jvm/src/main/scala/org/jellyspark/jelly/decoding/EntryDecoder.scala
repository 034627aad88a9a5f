package org.jellyspark.jelly.decoding

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.jelly.wire.{NonCanonical, PackedVarint, RowSchema, Tag}

/** Decodes the entries of the lookup tables.
  *
  * A held IRI or literal may not have been created yet, see [[TermReader]]. Before an entry that it
  * refers to is replaced, it is created from the old entry.
  *
  * @param readers
  *   the readers that hold terms
  * @param isFiltered
  *   whether rows are filtered; only then are there terms that have not been created
  */
private[jelly] final class EntryDecoder(
    lookups: Lookups,
    readers: Array[TermReader],
    isFiltered: Boolean,
    fields: RowSchema
) {
  private[this] val iris = lookups.iris
  private[this] val datatypes = lookups.datatypes

  /** Sets the entry of a message.
    *
    * @param kind
    *   the field of the row that contains the message
    * @throws MalformedRowException
    *   if the table has no such entry
    * @throws NonCanonical
    *   if the message is not in canonical form
    */
  def decode(kind: Int, bytes: Array[Byte], start: Int, to: Int): Unit = {
    var encodedId = 0
    var at = start
    if (at < to && bytes(at) == Tag.EntryId) {
      val read = PackedVarint.read(bytes, at + 1, to)
      encodedId = PackedVarint.number(read)
      at = PackedVarint.next(read)
    }
    if (at < to) {
      if (bytes(at) != Tag.EntryValue) throw NonCanonical
      val read = PackedVarint.read(bytes, at + 1, to)
      at = PackedVarint.next(read)
      if (PackedVarint.number(read) != to - at || !Utf8.isValid(bytes, at, to)) throw NonCanonical
    }
    if (kind == fields.name) {
      setName(iris.names.idOf(encodedId), bytes, at, to)
    } else if (kind == fields.prefix) {
      val id = iris.prefixes.idOf(encodedId)
      if (isFiltered) readers.foreach(_.keepPrefix(id))
      iris.setPrefix(id, bytes, at, to)
    } else {
      val id = datatypes.entries.idOf(encodedId)
      if (isFiltered) readers.foreach(_.keepDatatype(id))
      datatypes.set(id, bytes, at, to)
    }
  }

  /** Sets a name entry, whose value must be valid UTF-8. */
  def setName(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    if (isFiltered) {
      // A loop, because a closure per name would be slow.
      var position = 0
      while (position < readers.length) {
        readers(position).keepName(id)
        position += 1
      }
    }
    iris.setName(id, bytes, from, to)
  }
}
