package org.jellyspark.sql.session;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.jellyspark.source.SparkVersion;
import scala.runtime.BoxedUnit;

/**
 * Adds the column functions to every session that has the jar. Spark finds this class by a file in
 * {@code META-INF/services}.
 *
 * <p>It does nothing in versions of Spark that the jar is not built for. In Java, because it must
 * load there too, where Scala is another version.
 */
public final class JellySparkExtensionsProvider implements SparkSessionExtensionsProvider {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    if (SparkVersion.isSupported()) JellySparkExtensions.addTo(extensions);
    return BoxedUnit.UNIT;
  }
}
