package org.jellyspark.sql.terms

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.functions

class TermFunctionsSuite extends AnyFunSuite {

  private val names = TermFunctions.all.map(_.name)

  test("names are unique") {
    assert(names.distinct == names)
  }

  test("the DataFrame API has the same functions") {
    val methods = functions.getClass.getDeclaredMethods.toSeq
      .filter(method => java.lang.reflect.Modifier.isPublic(method.getModifiers))
      .map(_.getName)
      .filterNot(_.contains("$"))
      .toSet
    assert(names.toSet.diff(methods).isEmpty)
  }
}
