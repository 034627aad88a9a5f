package org.jellyspark.source;

import java.util.HashMap;
import java.util.Map;

import org.apache.spark.SparkThrowable;

import org.jellyspark.JellySparkException;

/**
 * An error of this package as one of Spark's: with the condition and SQLSTATE that Spark has for such
 * errors. The cause is the error itself.
 *
 * <p>Spark passes an exception of a task on to the user as it is if it is a {@code SparkThrowable}.
 * PySpark shows its message alone, because it is an {@code IllegalArgumentException}.
 *
 * <p>In Java, because the Scala compiler would add a forwarder for each method of the interface, also
 * for those whose types only later versions of Spark have.
 */
public abstract class ConditionException extends JellySparkException implements SparkThrowable {
  private static final long serialVersionUID = 1L;

  private final String condition;
  private final String sqlState;
  private final Map<String, String> parameters;

  /**
   * @param parameters the parameters that the condition has in Spark, and the attributes of the error
   */
  protected ConditionException(
      String message,
      JellySparkException error,
      String condition,
      String sqlState,
      Map<String, String> parameters) {
    super(message, error);
    this.condition = condition;
    this.sqlState = sqlState;
    this.parameters = new HashMap<>(parameters);
  }

  @Override
  public final String getCondition() {
    return condition;
  }

  @Override
  public final String getSqlState() {
    return sqlState;
  }

  @Override
  public final Map<String, String> getMessageParameters() {
    return parameters;
  }
}
