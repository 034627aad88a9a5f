package org.jellyspark.core.rows

import org.scalatest.funsuite.AnyFunSuite

class RowNumberingSuite extends AnyFunSuite {
  import Row.NoNumber

  /** The patch and the transaction of each row. */
  private def numbers(ops: String): Seq[(Long, Long)] = {
    val numbering = new RowNumbering(strict = false)
    val row = new Row
    ops.split(" ").toSeq.zipWithIndex.map { case (code, i) =>
      row.op = RowOp.ofCode(code)
      numbering.number(row)
      assert(row.seq == i.toLong)
      (row.patch, row.transaction)
    }
  }

  test("END carries the patch that it closes") {
    assert(numbers("A END END H").map(_._1) == Seq(0, 0, 1, 2))
  }

  test("TC and TA carry the transaction that they close") {
    assert(
      numbers("H TX A TC A TX TA D").map(_._2) == Seq(NoNumber, 0, 0, 0, NoNumber, 1, 1, NoNumber)
    )
  }

  test("TX in a transaction starts the next one") {
    assert(numbers("TX A TX TC A").map(_._2) == Seq(0, 0, 1, 1, NoNumber))
  }

  test("a transaction ends with its patch") {
    assert(
      numbers("TX A END A TC TX") ==
        Seq((0, 0), (0, 0), (0, 0), (1, NoNumber), (1, NoNumber), (1, 1))
    )
  }

  test("TC and TA outside a transaction belong to no transaction") {
    assert(numbers("TC TA TX TC TC").map(_._2) == Seq(NoNumber, NoNumber, 0, 0, NoNumber))
  }

  test("ops have the codes of RDF Patch, in upper case") {
    assert(RowOp.values.map(_.code) == Seq("H", "TX", "TC", "TA", "PA", "PD", "A", "D", "END"))
    RowOp.values.zipWithIndex.foreach { case (op, i) =>
      assert(RowOp.ofCode(op.code) == op && op.ordinal == i)
    }
    assert(RowOp.ofCode("a") == null)
  }
}
