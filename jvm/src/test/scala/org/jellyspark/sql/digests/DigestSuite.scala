package org.jellyspark.sql.digests

import scala.util.Random

import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.OptionException
import org.jellyspark.sql.LocalSession

class DigestSuite extends AnyFunSuite with LocalSession {
  import DigestSuite._

  private val random = new Random(1)
  private val key = random.nextBytes(StatementHash.KeySize)

  test("statements at places without differences are equally often in both states") {
    for (logarithm <- 3 to 12; changes <- Seq(0, 1, 5)) {
      val common = statements("common", 100) ++ statements("twice", 20) ++ statements("twice", 20)
      val before = random.shuffle(common ++ statements("old", changes))
      val after = random.shuffle(common ++ statements("new", changes))
      val found = marks(before, after, logarithm)
      val differing = (before ++ after).distinct.filter(may(found, _))
      assert((statements("old", changes) ++ statements("new", changes)).forall(may(found, _)))
      if (changes == 0) assert(differing.isEmpty)
      if (logarithm == 12) assert(differing.length <= 2 * changes + 2)
    }
  }

  test("a statement that one state has more often may differ, and others cannot hide it") {
    val (a, b) = (of("<u:a>"), of("<u:b>"))
    for (
      (before, after) <- Seq(
        Seq(a, a) -> Seq(a),
        Seq(a) -> Seq(a, a, a),
        Seq(a, a, b) -> Seq(a, b, b)
      )
    )
      assert(may(marks(before, after, 3), a))
  }

  test("states whose statements have equal sums of words differ") {
    // Each word of one pair adds up to the same as that of the other.
    val (before, after) = (Seq(of("<u:a>"), of("<u:d>")), Seq(of("<u:b>"), of("<u:c>")))
    val found = marks(before, after, 10)
    assert((before ++ after).forall(may(found, _)))
  }

  test("digests of parts add up to the digest of the whole") {
    val (left, right) = statements("x", 500).splitAt(130)
    val sum = digest(left, 5)
    sum.add(Digest.of(key, 5, digest(right, 5).toBytes))
    assert(sum.toBytes.sameElements(digest(left ++ right, 5).toBytes))
  }

  test("each key gives other digests") {
    val other = random.nextBytes(StatementHash.KeySize)
    val found = Seq(key, other).map(digest(Seq(of("<urn:x:a>")), 3, 1, _).toBytes.toSeq)
    assert(found.distinct.length == 2)
  }

  test("the SQL functions give the same with generated code and without") {
    val spark = this.spark
    import spark.implicits._
    val all = statements("x", 1000)
    val rows = all
      .map(terms => (terms(0), terms(1), terms(2), terms(3)))
      .toDF("subject", "predicate", "object", "graph")
      .repartition(3)
    val found = marks(all.slice(100, 200), all, 8)
    val weight = "IF(subject LIKE '%x1__>', 0L, 1L)"
    for (mode <- Seq("CODEGEN_ONLY", "NO_CODEGEN")) withSetting(mode) {
      val aggregate = expr(s"jelly_digest_marks(${sql(key)}, 8, $Columns, $weight)")
      assert(rows.agg(aggregate).head().getAs[Array[Byte]](0).sameElements(found), mode)
      val test = s"jelly_may_differ(${sql(found)}, ${sql(key)}, $Columns)"
      assert(rows.where(test).count() == all.count(may(found, _)), mode)
    }
  }

  test("wrong arguments are errors") {
    for (
      call <- Seq(
        "jelly_digest_marks('a', 3, '', '', '', '', 1L)",
        s"jelly_digest_marks(${sql(key)}, 3, '', '', '', 7, 1L)",
        s"jelly_may_differ(id, ${sql(key)}, '', '', '', '')"
      )
    ) withClue(call)(assertThrows[OptionException](spark.range(1).selectExpr(call)))
  }

  private def digest(
      statements: Seq[Seq[String]],
      logarithm: Int,
      weight: Long = 1,
      key: Array[Byte] = key
  ): Digest = {
    val digest = new Digest(key, logarithm)
    add(digest, statements, weight)
    digest
  }

  private def add(digest: Digest, statements: Seq[Seq[String]], weight: Long): Unit =
    statements.map(_.map(UTF8String.fromString)).foreach { terms =>
      digest.add(terms(0), terms(1), terms(2), terms(3), weight)
    }

  private def marks(
      before: Seq[Seq[String]],
      after: Seq[Seq[String]],
      logarithm: Int
  ): Array[Byte] = {
    val difference = digest(before, logarithm, -1)
    add(difference, after, 1)
    difference.marks
  }

  private def may(marks: Array[Byte], statement: Seq[String]): Boolean = {
    val terms = statement.map(UTF8String.fromString)
    Digest.mayDiffer(marks, new StatementHash(key), terms(0), terms(1), terms(2), terms(3))
  }

  private def withSetting(mode: String)(body: => Unit): Unit = {
    val settings = Map(
      SQLConf.CODEGEN_FACTORY_MODE.key -> mode,
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> (mode == "CODEGEN_ONLY").toString
    )
    settings.foreach { case (name, value) => spark.conf.set(name, value) }
    try body
    finally settings.keys.foreach(spark.conf.unset)
  }
}

private object DigestSuite {
  private val Columns = "subject, predicate, object, graph"

  private def of(subject: String): Seq[String] = Seq(subject, "<p>", "\"o\"", null)

  private def statements(name: String, count: Int): Seq[Seq[String]] = (0 until count).map { i =>
    Seq(s"<urn:x:$name$i>", "<p>", s"\"$i\"", if (i % 2 == 0) null else "<urn:x:g>")
  }

  private def sql(bytes: Array[Byte]): String =
    bytes.map(byte => f"$byte%02x").mkString("X'", "", "'")
}
