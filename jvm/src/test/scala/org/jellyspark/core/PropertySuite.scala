package org.jellyspark.core

import org.scalactic.anyvals.PosInt
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** A suite that tests properties, each on more random examples than ScalaTest's default of 10. */
abstract class PropertySuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  /** The number of examples for each property. */
  protected def examples: PosInt = 200

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = examples)
}
