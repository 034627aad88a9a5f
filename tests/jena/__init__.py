"""The second jar, jelly-spark-jena.jar: Jelly-JVM's own code in Spark; and Jena 6."""
