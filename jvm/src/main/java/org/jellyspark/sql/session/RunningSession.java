package org.jellyspark.sql.session;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.classic.SparkSession;

/**
 * The extensions of a session that was made before this jar was on the class path.
 *
 * <p>In Java, because these methods of Spark are private to its packages in Scala only.
 */
final class RunningSession {
  private RunningSession() {}

  static SparkSessionExtensions extensionsOf(SparkSession session) {
    return session.extensions();
  }

  /** Adds the functions of the session's extensions to the session. */
  static void registerFunctions(SparkSession session) {
    session.extensions().registerFunctions(session.sessionState().functionRegistry());
    session.extensions().registerTableFunctions(session.sessionState().tableFunctionRegistry());
  }
}
