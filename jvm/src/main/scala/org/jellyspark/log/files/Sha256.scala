package org.jellyspark.log.files

import java.io.{InputStream, OutputStream}
import java.security.{DigestInputStream, MessageDigest}
import java.util.HexFormat

/** SHA-256 digests in hex. */
private[log] object Sha256 {

  /** Returns a stream that computes the digest of what is read from it, see [[ofAll]]. */
  def stream(in: InputStream): DigestInputStream =
    new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))

  /** Reads the rest of a stream, and returns the digest of all its bytes. */
  def ofAll(in: DigestInputStream): String = {
    in.transferTo(OutputStream.nullOutputStream())
    HexFormat.of().formatHex(in.getMessageDigest.digest())
  }

  /** Returns the digest of some bytes. */
  def of(bytes: Array[Byte]): String =
    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
}
