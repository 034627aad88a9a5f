package org.jellyspark.core.errors

import java.io.IOException

/** A stream that transforms other bytes, such as a decompressor, found them damaged. Any other
  * `IOException` means that they could not be read.
  */
final class CorruptInputException(cause: Exception)
    extends IOException(Option(cause.getMessage).getOrElse(cause.toString), cause)
