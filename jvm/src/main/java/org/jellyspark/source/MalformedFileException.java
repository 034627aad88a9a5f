package org.jellyspark.source;

import java.util.HashMap;
import java.util.Map;

import org.apache.spark.SparkThrowable;

import org.jellyspark.JellySparkException;
import org.jellyspark.MalformedInputException;

/**
 * Malformed input as an error of Spark's: with the condition and SQLSTATE that Spark has for files
 * that cannot be read. The cause is the error itself, whose message this has too.
 *
 * <p>Spark passes an exception of a task on to the user as it is if it is a {@code SparkThrowable}.
 * PySpark shows its message alone, because it is an {@code IllegalArgumentException}.
 *
 * <p>In Java, because the Scala compiler would add a forwarder for each method of the interface, also
 * for those whose types only later versions of Spark have.
 */
public final class MalformedFileException extends JellySparkException implements SparkThrowable {
  private static final long serialVersionUID = 1L;

  private final MalformedInputException error;

  public MalformedFileException(MalformedInputException error) {
    super(error.getMessage(), error);
    this.error = error;
  }

  @Override
  public String getCondition() {
    return "FAILED_READ_FILE.NO_HINT";
  }

  @Override
  public String getSqlState() {
    return "KD001";
  }

  /** The attributes of the error, as strings; {@code path} is Spark's own parameter. */
  @Override
  public Map<String, String> getMessageParameters() {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("path", error.file());
    parameters.put("place", error.place());
    parameters.put("offset", Long.toString(error.offset()));
    if (error.row() >= 0) parameters.put("row", Long.toString(error.row()));
    parameters.put("expected", error.expected());
    parameters.put("found", error.found());
    if (error.hint() != null) parameters.put("hint", error.hint());
    return parameters;
  }
}
