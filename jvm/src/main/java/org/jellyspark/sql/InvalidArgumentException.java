package org.jellyspark.sql;

import java.util.HashMap;
import java.util.Map;

import org.apache.spark.SparkThrowable;

import org.jellyspark.InvalidTermException;

/**
 * An argument of a column function is not a term, or no term can be made of it. It has the condition
 * and SQLSTATE that Spark has for values that its own functions cannot convert.
 *
 * <p>A {@code SparkThrowable}, and in Java, as {@link org.jellyspark.source.ConditionException} is,
 * and for the same reasons.
 */
public final class InvalidArgumentException extends InvalidTermException implements SparkThrowable {
  private static final long serialVersionUID = 1L;

  private final String function;
  private final String value;

  /**
   * @param function name of the function
   * @param value the argument, cut off if it is long
   * @param problem what was expected and what was found
   */
  public InvalidArgumentException(String function, String value, String problem) {
    super(
        function + ": " + problem + "; in " + value
            + " (try_" + function + " returns null instead)",
        null);
    this.function = function;
    this.value = value;
  }

  @Override
  public String getCondition() {
    return "CONVERSION_INVALID_INPUT";
  }

  @Override
  public String getSqlState() {
    return "22018";
  }

  /** The parameters that the condition has in Spark. */
  @Override
  public Map<String, String> getMessageParameters() {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("str", value);
    parameters.put("fmt", "N-Triples");
    parameters.put("targetType", "RDF term");
    parameters.put("suggestion", "`try_" + function + "`");
    return parameters;
  }
}
