package org.jellyspark.core

import org.scalactic.anyvals.PosInt
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** Tests of properties, each on more random examples than the 10 of ScalaTest's default. */
abstract class PropertySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** How many examples each property is tested on. */
  protected def examples: PosInt = 200

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = examples)
}
