package org.jellyspark.core

import org.scalactic.anyvals.PosInt
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** The base of suites that test properties, with more examples than ScalaTest's default of 10. */
abstract class PropertySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** The number of random examples per property. */
  protected def examples: PosInt = 200

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = examples)
}
