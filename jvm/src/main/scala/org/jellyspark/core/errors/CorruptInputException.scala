package org.jellyspark.core.errors

import java.io.IOException

/** What a stream throws where the bytes that it makes its own of are damaged, not out of reach. */
final class CorruptInputException(cause: Exception)
    extends IOException(Option(cause.getMessage).getOrElse(cause.toString), cause)
