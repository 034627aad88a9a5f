package org.jellyspark.core.rows

import org.scalatest.funsuite.AnyFunSuite

class RowNumberingSuite extends AnyFunSuite {
  import Row.NoNumber

  /** The patch and transaction ordinals of each row. */
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

  test("END has the ordinal of the patch that it ends") {
    assert(numbers("A END END H").map(_._1) == Seq(0, 0, 1, 2))
  }

  test("TC and TA have the ordinal of the transaction that they close") {
    assert(
      numbers("H TX A TC A TX TA D").map(_._2) == Seq(NoNumber, 0, 0, 0, NoNumber, 1, 1, NoNumber)
    )
  }

  test("TX in a transaction starts the next one") {
    assert(numbers("TX A TX TC A").map(_._2) == Seq(0, 0, 1, 1, NoNumber))
  }

  test("END does not close a transaction") {
    assert(numbers("TX END A TC A") == Seq((0, 0), (0, 0), (1, 0), (1, 0), (1, NoNumber)))
  }

  test("TC and TA outside a transaction have no transaction ordinal") {
    assert(numbers("TC TA TX TC TC").map(_._2) == Seq(NoNumber, NoNumber, 0, 0, NoNumber))
  }

  test("every code is found by its name") {
    assert(RowOp.values.map(_.code) == Seq("H", "TX", "TC", "TA", "PA", "PD", "A", "D", "END"))
    RowOp.values.zipWithIndex.foreach { case (op, i) =>
      assert(RowOp.ofCode(op.code) == op && op.ordinal == i)
    }
    assert(RowOp.ofCode("a") == null)
  }
}
