package org.jellyspark.sql

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.{DataFrame, Dataset}
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.TemporaryFolder.inFolder

/** Datasets of the formats' rows, with a real session and real files. */
class DatasetSuite extends AnyFunSuite with LocalSession {
  import DatasetSuite._
  import PatchOperation._

  private val operations: Seq[PatchOperation] = Seq(
    Header("id", Iri("urn:uuid:1")),
    TransactionBegin,
    PrefixAdd("ex", Iri("http://example.org/")),
    Delete(cup, price, Literal("8.50")),
    Add(cup, price, Literal("9.20"), Some(BlankNode("g"))),
    Add(
      TripleTerm(cup, price, Literal.tagged("\u0643\u0648\u0628", "ar", "rtl")),
      price,
      Literal.tagged("Tasse \"\u00e9\"", "de")
    ),
    PrefixDelete("ex"),
    TransactionCommit,
    End
  )

  // As a reader returns them.
  private val rows: Seq[PatchRow] = operations.zipWithIndex.map { case (operation, i) =>
    val inTransaction = Option.when(i >= 1 && i <= 7)(0L)
    operation.toRow.copy(patch = Some(0L), tx = inTransaction, seq = Some(i.toLong))
  }

  for (format <- Seq("jelly_patch", "rdf_patch", "rdf_patch_thrift")) {
    test(s"rows and operations of $format are written and read") {
      inFolder { folder =>
        val (typed, path) = (folder.resolve("rows"), folder.resolve("operations"))
        // With the encoders of the companions: nothing is imported.
        spark.createDataset(rows).coalesce(1).write.format(format).save(typed.toString)
        spark.createDataset(operations).coalesce(1).write.format(format).save(path.toString)
        assert(bytes(typed) sameElements bytes(path))

        val loaded = load(format, typed)
        assert(loaded.as[PatchRow].collect().toSeq == rows)
        assert(loaded.as[PatchOperation].collect().toSeq == operations)
        assert(loaded.as(PatchRowBean.encoder).collect().map(_.toRow).toSeq == rows)
      }
    }
  }

  test("encoders of spark.implicits give the same rows") {
    val session = spark
    import session.implicits._
    inFolder { folder =>
      rows.toDS().coalesce(1).write.format("jelly_patch").save(s"$folder/log")
      val log = load("jelly_patch", folder.resolve("log"))
      val typed: Dataset[PatchRow] = log.as[PatchRow]
      assert(typed.map(_.copy(tx = None)).collect().toSeq == rows.map(_.copy(tx = None)))
      val prices = log.as[PatchOperation].flatMap {
        case Add(Iri(subject), Iri(price.value), Literal(text, _, None, _), _) =>
          Some(subject -> text)
        case _ => None
      }
      assert(prices.collect().toSeq == Seq(cup.value -> "9.20"))
    }
  }

  test("statements of patches and of RDF data are the same class") {
    val added = Seq(Statement("<s>", "<p>", "\"1\""), Statement("<s>", "<p>", "\"2\"", Some("_:g")))
    inFolder { folder =>
      spark.createDataset(added).coalesce(1).write.format("jelly_rdf").save(s"$folder/data")
      val data = load("jelly_rdf", folder.resolve("data"))
      assert(data.as[Statement].collect().toSeq == added)
      assert(data.as(StatementBean.encoder).collect().map(_.toStatement).toSeq == added)

      val patch = data.selectExpr("'A' AS op", "subject", "predicate", "object", "graph")
      patch.coalesce(1).write.format("jelly_patch").save(s"$folder/patch")
      val changes = load("jelly_patch", folder.resolve("patch")).where("op = 'A'").as[Statement]
      assert(changes.collect().toSeq == added)
      changes
        .map(identity[Statement](_))
        .coalesce(1)
        .write
        .format("jelly_rdf")
        .save(s"$folder/copy")
      assert(bytes(folder.resolve("copy")) sameElements bytes(folder.resolve("data")))

      val objects = changes.map(statement => Term.parse(statement.`object`))
      assert(objects.collect().toSeq == Seq(Literal("1"), Literal("2")))
      val graphs = load("jelly_patch", folder.resolve("patch")).select("graph").as[Term]
      assert(graphs.collect().toSeq == Seq(null, BlankNode("g")))
    }
  }

  test("rows of RDF data have namespaces and frames") {
    val data = Seq(
      RdfRow(name = Some("ex"), value = Some("<http://example.org/>")),
      RdfRow(Some("<s>"), Some("<p>"), Some("<o>"))
    )
    val numbered = data.zipWithIndex.map { case (row, i) =>
      row.copy(frame = Some(0L), seq = Some(i.toLong))
    }
    inFolder { folder =>
      val writer = spark.createDataset(data).coalesce(1).write.format("jelly_rdf")
      writer.option("namespaces", true).save(s"$folder/data")
      val reader = spark.read.format("jelly_rdf").option("namespaces", true)
      val found = reader.load(s"$folder/data")
      assert(found.as[RdfRow].collect().toSeq == numbered)
      assert(found.as(RdfRowBean.encoder).collect().map(_.toRow).toSeq == numbered)
    }
  }

  test("every row that a reader returns has an operation, and the operation has the row") {
    Seq(
      ("jelly_patch", "tests/cases", ".jellyp"),
      ("rdf_patch", "tests/cases_text", ".rdfp"),
      ("rdf_patch_thrift", "tests/cases_thrift", ".trp")
    ).foreach { case (format, folder, extension) =>
      val files = filesIn(Path.of(folder)).map(_.toString).filter(_.endsWith(extension))
      val found = spark.read.format(format).load(files: _*).as[PatchRow].collect()
      assert(found.map(_.op).toSet.size > 5)
      found.foreach { row =>
        assert(of(row).toRow == row.copy(patch = None, tx = None, seq = None))
      }
    }
  }

  test("a row that is not an operation fails the query with its rule") {
    val broken = spark.createDataset(Seq(PatchRow("A", Some("<s>")))).as[PatchOperation]
    val error = intercept[Exception](broken.collect())
    val causes = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null)
    val rules = causes.collect { case e: UnwritableRowException => e.rule }.toSeq
    assert(rules == Seq("A and D need a subject, a predicate and an object"))
  }

  test("Java has the same: beans, operations and their encoders") {
    inFolder { folder =>
      assert(JavaDatasets.writeAndRead(spark, folder.toString).asScala == Seq("9.20"))
    }
  }

  private def load(format: String, path: Path): DataFrame =
    spark.read.format(format).load(path.toString)
}

private object DatasetSuite {
  private val cup = Iri("http://example.org/cup")
  private val price = Iri("http://example.org/price")

  def filesIn(folder: Path): Seq[Path] =
    Using.resource(Files.list(folder))(_.iterator.asScala.toSeq.sorted)

  /** The bytes of the only part file in a folder. */
  def bytes(folder: Path): Array[Byte] = {
    val parts = filesIn(folder).filter(_.getFileName.toString.startsWith("part-"))
    assert(parts.length == 1)
    Files.readAllBytes(parts.head)
  }
}
