package org.jellyspark.core.errors

import java.io.IOException

/** Thrown if a stream that transforms other bytes, such as a decompressor, finds them damaged. Any
  * other `IOException` means that the bytes could not be read.
  */
final class CorruptInputException(cause: Exception)
    extends IOException(Option(cause.getMessage).getOrElse(cause.toString), cause)
