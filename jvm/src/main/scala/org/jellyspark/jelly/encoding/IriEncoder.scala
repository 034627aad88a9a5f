package org.jellyspark.jelly.encoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.terms.Iri
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.FrameWriter
import org.jellyspark.jelly.wire.{RowFields, Wire, WireOutput}

/** Encodes the IRIs of one stream, in their order.
  *
  * @param frame
  *   where new entries of the lookups are written
  * @param fields
  *   the fields of their rows
  */
private[jelly] final class IriEncoder(options: TermOptions, frame: FrameWriter, fields: RowFields) {
  private[this] val names =
    new LookupWriter("name", options.maxNameTableSize, frame, fields.name)
  private[this] val prefixes =
    new LookupWriter("prefix", options.maxPrefixTableSize, frame, fields.prefix)
  private[this] val known = new IriCache(options.maxNameTableSize, prefixes, names)
  private[this] val hasPrefixes = options.maxPrefixTableSize > 0
  private[this] var lastPrefixId = 0
  // The id of a name that 0 stands for; 0 where it stands for none.
  private[this] var nextNameId = 1

  /** The row is complete whose IRIs were encoded. */
  def endRow(): Unit = {
    names.endRow()
    prefixes.endRow()
  }

  /** As [[TermEncoder.restart]]. */
  def restart(): Unit = {
    names.restart()
    prefixes.restart()
    lastPrefixId = 0
    nextNameId = 0
  }

  /** Puts a field that is the IRI of a text, if that is the IRI's canonical text, and has no
    * escapes; sets `last` to it then.
    *
    * @return
    *   whether it was put
    */
  def putPlain(
      bytes: Array[Byte],
      from: Int,
      length: Int,
      field: Int,
      last: LastTerm,
      out: WireOutput
  ): Boolean = {
    val hash = ByteHash.of(bytes, from, from + length)
    val iri = known.find(bytes, from, from + length, hash)
    if (iri ne null) {
      use(iri, field, out)
      last.share(iri.text)
      true
    } else {
      val end = from + length - 1
      bytes(end) == '>' && {
        val prefix = knownPrefix(last.prefix, bytes, from + 1, end)
        val isPlain = (prefix ne null) || IriText.isPlain(bytes, from + 1, end)
        if (isPlain) {
          addPlain(Arrays.copyOfRange(bytes, from, end + 1), hash, prefix, field, last, out)
        }
        isPlain
      }
    }
  }

  /** Puts a field that is any IRI. */
  def put(iri: Iri, field: Int, out: WireOutput): Unit = {
    val text = iri.utf8
    val hash = ByteHash.of(text, 0, text.length)
    val found = known.find(text, 0, text.length, hash)
    if (found ne null) use(found, field, out)
    else {
      val value = iri.value.getBytes(UTF_8)
      val split = nameStart(value, 0, value.length)
      val prefix = prefixOf(value, 0, split)
      add(text, hash, prefix, names.entry(value, split, value.length), field, out)
    }
  }

  /** A plain IRI that is not known.
    *
    * @param knownPrefix
    *   null if it is not known
    */
  private def addPlain(
      text: Array[Byte],
      hash: Int,
      knownPrefix: LookupEntry,
      field: Int,
      last: LastTerm,
      out: WireOutput
  ): Unit = {
    val end = text.length - 1
    if (knownPrefix ne null) {
      prefixes.use(knownPrefix.id)
      val name = names.entry(text, 1 + knownPrefix.bytes.length, end)
      add(text, hash, knownPrefix, name, field, out)
    } else {
      val split = nameStart(text, 1, end)
      val prefix = prefixOf(text, 1, split)
      if (split > 1) last.prefix = prefix
      add(text, hash, prefix, names.entry(text, split, end), field, out)
    }
    last.share(text)
  }

  private def add(
      text: Array[Byte],
      hash: Int,
      prefix: LookupEntry,
      name: LookupEntry,
      field: Int,
      out: WireOutput
  ): Unit = {
    val iri =
      if (prefix eq null) new CachedIri(text, 0, 0, name.id, name.stamp)
      else new CachedIri(text, prefix.id, prefix.stamp, name.id, name.stamp)
    known.put(iri, hash)
    putMessage(iri, field, out)
  }

  private def use(iri: CachedIri, field: Int, out: WireOutput): Unit = {
    if (hasPrefixes) prefixes.use(iri.prefixId)
    names.use(iri.nameId)
    putMessage(iri, field, out)
  }

  /** The prefix of a plain IRI, if it is the one that is given (which may be null), and the rest is
    * known to be its name; else null.
    */
  private def knownPrefix(
      prefix: LookupEntry,
      bytes: Array[Byte],
      from: Int,
      to: Int
  ): LookupEntry = {
    val isIt = (prefix ne null) && prefixes.isHere(prefix.id, prefix.stamp) && {
      val start = from + prefix.bytes.length
      start <= to && Arrays.equals(prefix.bytes, 0, start - from, bytes, from, start) &&
      IriText.isPlainName(bytes, start, to)
    }
    if (isIt) prefix else null
  }

  private def nameStart(iri: Array[Byte], from: Int, to: Int): Int =
    if (hasPrefixes) IriText.nameStart(iri, from, to) else from

  /** The prefix from `from` to before `to`; null where there are no prefixes. */
  private def prefixOf(iri: Array[Byte], from: Int, to: Int): LookupEntry =
    if (hasPrefixes) prefixes.entry(iri, from, to) else null

  private def putMessage(iri: CachedIri, field: Int, out: WireOutput): Unit = {
    var prefixId = 0
    if (hasPrefixes && iri.prefixId != lastPrefixId) {
      prefixId = iri.prefixId
      lastPrefixId = prefixId
    }
    val nameId = if (iri.nameId == nextNameId) 0 else iri.nameId
    nextNameId = iri.nameId + 1
    val length = WireOutput.sizeOfNumber(Wire.Iri.PrefixId, prefixId) +
      WireOutput.sizeOfNumber(Wire.Iri.NameId, nameId)
    out.begin(field, length)
    out.number(Wire.Iri.PrefixId, prefixId)
    out.number(Wire.Iri.NameId, nameId)
  }
}
