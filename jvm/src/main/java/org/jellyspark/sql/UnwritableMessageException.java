package org.jellyspark.sql;

import java.util.HashMap;
import java.util.Map;

import org.apache.spark.SparkThrowable;

import org.jellyspark.JellySparkException;
import org.jellyspark.UnwritableRowException;

/**
 * A row that a message cannot hold as an error of Spark's: with the condition and SQLSTATE that Spark
 * has for arguments that are not valid. The cause is the error of the format's writer.
 *
 * <p>Spark passes an exception of a task on to the user as it is if it is a {@code SparkThrowable}.
 *
 * <p>In Java, as {@link org.jellyspark.source.MalformedFileException} is, and for the same reason.
 */
public final class UnwritableMessageException extends JellySparkException
    implements SparkThrowable {
  private static final long serialVersionUID = 1L;

  private final String function;
  private final UnwritableRowException error;

  /**
   * @param function name of the function
   * @param error the rule that the row breaks, and the row
   */
  public UnwritableMessageException(String function, UnwritableRowException error) {
    super(function + ": " + error.getMessage(), error);
    this.function = function;
    this.error = error;
  }

  @Override
  public String getCondition() {
    return "INVALID_PARAMETER_VALUE";
  }

  @Override
  public String getSqlState() {
    return "22023";
  }

  /** The attributes of the error; {@code parameter} and {@code functionName} are Spark's own. */
  @Override
  public Map<String, String> getMessageParameters() {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("parameter", "`rows`");
    parameters.put("functionName", "`" + function + "`");
    parameters.put("rule", error.rule());
    if (error.row() != null) parameters.put("row", error.row());
    return parameters;
  }
}
