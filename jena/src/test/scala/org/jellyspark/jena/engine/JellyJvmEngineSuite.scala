package org.jellyspark.jena.engine

import java.nio.charset.StandardCharsets.ISO_8859_1
import java.nio.file.{Files, Path}

import org.apache.spark.sql.{DataFrame, Row}

import org.jellyspark.jena.SparkSuite

class JellyJvmEngineSuite extends SparkSuite {
  private def statements: DataFrame = spark
    .range(0, 3000, 1, 1)
    .selectExpr(
      "concat('<https://example.org/s', id div 5, '>') AS subject",
      "concat('<https://example.org/p#', id % 7, '>') AS predicate",
      """CASE id % 6
        |  WHEN 0 THEN concat('_:b', id)
        |  WHEN 1 THEN concat('"', id, '"^^<http://www.w3.org/2001/XMLSchema#integer>')
        |  WHEN 2 THEN '"straße"@DE'
        |  WHEN 3 THEN '<<( _:b <https://example.org/p> "a\\nb" )>>'
        |  WHEN 4 THEN '"كوب"@ar--rtl'
        |  ELSE '"text"'
        |END AS object""".stripMargin,
      "IF(id % 4 = 0, NULL, concat('<https://example.org/g', id div 100, '>')) AS graph",
      "id div 70 AS frame"
    )

  /** Writes statements with an engine, in one file, and returns its path. */
  private def write(engine: String, options: Map[String, String]): Path = {
    val target = folder.resolve(s"$engine-${options.hashCode}")
    val rows =
      if (options.get("physicalType").contains("TRIPLES")) statements.drop("graph") else statements
    rows.write.format("jelly_rdf").option("engine", engine).options(options).save(target.toString)
    Files.list(target).filter(_.getFileName.toString.startsWith("part-")).findFirst().get
  }

  private def read(engine: String, path: Path, options: (String, String)*): Seq[Row] = spark.read
    .format("jelly_rdf")
    .option("engine", engine)
    .options(options.toMap)
    .load(path.toString)
    .collect()
    .toSeq

  private val streams = for {
    physical <- Seq("TRIPLES", "QUADS", "GRAPHS")
    logical = Seq(if (physical == "TRIPLES") "GRAPHS" else "DATASETS")
    options <- Seq(Map.empty[String, String], Map("logicalType" -> logical.head))
  } yield options + ("physicalType" -> physical)

  test("both engines write the same bytes, and read the same rows") {
    streams.foreach { options =>
      val (native, other) = (write("native", options), write("jelly-jvm", options))
      assert(Files.readAllBytes(native).sameElements(Files.readAllBytes(other)), options)
      val rows = read("native", native)
      assert(rows.length == 3000 && rows == read("Jelly-JVM", native), options)
      assert(
        read("native", native, "terms" -> "struct") == read(
          "jelly-jvm",
          native,
          "terms" -> "struct"
        )
      )
    }
  }

  private lazy val quads = write("native", Map("frameSize" -> "100"))

  test("queries get the columns and rows that they ask for") {
    def query(engine: String): Seq[Any] = {
      val read = spark.read.format("jelly_rdf").option("engine", engine).load(quads.toString)
      Seq(
        read
          .where("predicate = '<https://example.org/p#3>'")
          .select("seq", "object")
          .collect()
          .toSeq,
        read.where("graph IS NULL").count(),
        read.count(),
        read.selectExpr("max(frame)").head()
      )
    }
    assert(query("native") == query("jelly-jvm"))
  }

  test("namespaces are rows, where they are asked for") {
    val target = folder.resolve("namespaces").toString
    spark
      .sql(
        """SELECT * FROM VALUES
          |  (NULL, NULL, NULL, NULL, 'ex', '<https://example.org/>'),
          |  ('<urn:s>', '<urn:p>', '<urn:o>', NULL, NULL, NULL)
          |  AS rows(subject, predicate, object, graph, name, value)""".stripMargin
      )
      .drop("graph")
      .coalesce(1)
      .write
      .format("jelly_rdf")
      .option("engine", "jelly-jvm")
      .option("namespaces", "true")
      .save(target)
    def read(engine: String, namespaces: String): Seq[Row] = spark.read
      .format("jelly_rdf")
      .option("engine", engine)
      .option("namespaces", namespaces)
      .load(target)
      .collect()
      .toSeq
    assert(
      read("native", "true").length == 2 && read("native", "true") == read("jelly-jvm", "true")
    )
    assert(
      read("native", "false").length == 1 && read("native", "false") == read("jelly-jvm", "false")
    )
  }

  test("files in other forms are read") {
    val undelimited = write("jelly-jvm", Map("delimited" -> "false"))
    assert(read("native", undelimited) == read("jelly-jvm", undelimited))
    val compressed = write("jelly-jvm", Map("compression" -> "gzip"))
    assert(read("native", compressed) == read("jelly-jvm", compressed))
    val restarts = write("native", Map("restartInterval" -> "5000"))
    assert(read("native", restarts) == read("jelly-jvm", restarts))
  }

  test("a malformed file is an error, after the rows before it") {
    val bytes = Files.readAllBytes(quads)
    val broken = folder.resolve("broken.jelly")
    val middle = bytes.length / 2
    Files.write(broken, bytes.take(middle) ++ Array.fill(200)(0xff.toByte) ++ bytes.drop(middle))
    val message = intercept[Exception](read("jelly-jvm", broken)).getMessage
    assert(message.contains("broken.jelly: frame at byte ") && message.contains("Jelly-JVM"))
    val kept = read("jelly-jvm", broken, "mode" -> "DROPMALFORMED")
    assert(kept.length > 1000 && read("native", quads).startsWith(kept))
  }

  test("a base direction that is not allowed is an error in both engines") {
    val bytes = new String(Files.readAllBytes(quads), ISO_8859_1).replace("ar--rtl", "ar--RTL")
    val broken = Files.write(folder.resolve("directions.jelly"), bytes.getBytes(ISO_8859_1))
    Seq("native", "jelly-jvm").foreach { engine =>
      val message = intercept[Exception](read(engine, broken)).getMessage
      assert(message.contains("expected a base direction, --ltr or --rtl, found 'ar--RTL'"))
    }
  }

  test("an engine that is not there is an error that lists those that are") {
    def message(format: String, options: (String, String)*): String = intercept[Exception] {
      spark.read.format(format).options(options.toMap).load(quads.toString).count()
    }.getMessage
    assert(
      message("jelly_rdf", "engine" -> "fast")
        .startsWith("engine for jelly_rdf must be one of: native, jelly-jvm; not 'fast'")
    )
    assert(
      message("jelly_patch", "engine" -> "jelly-jvm")
        .startsWith("engine for jelly_patch must be one of: native; not 'jelly-jvm'")
    )
    assert(
      message("jelly_rdf", "engine" -> "jelly-jvm", "strict" -> "true") ==
        "the engine jelly-jvm has no option strict: remove it"
    )
  }

  test("what Jelly-JVM cannot write is an error with the row") {
    def message(sql: String, options: (String, String)*): String = {
      val target = folder.resolve(s"refused-${options.hashCode}").toString
      val rows = spark.sql(sql).write.format("jelly_rdf").option("engine", "jelly-jvm")
      val error = intercept[Exception](rows.options(options.toMap).save(target))
      Iterator.iterate(error: Throwable)(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString
    }
    val quad = "SELECT '<urn:s>' subject, '<urn:p>' predicate, '<urn:o>' object, '<urn:g>' graph"
    assert(message(quad, "physicalType" -> "TRIPLES").contains("a stream of triples cannot hold"))
    val mixed = quad + ", 'x' name, '<urn:x>' value"
    assert(message(mixed, "namespaces" -> "true").contains("a statement or a namespace, not both"))
    val typed = quad.replace("<urn:o>", "\"1\"^^<urn:d>")
    assert(message(typed, "maxDatatypeTableSize" -> "0").contains("Jelly-JVM: "))
  }
}
