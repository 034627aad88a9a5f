package org.jellyspark.core.formats

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.OptionException

class OptionNamesSuite extends AnyFunSuite {
  private val known = Seq("restartInterval", "frameSize", "delimited", "mode", "terms")

  private def near(name: String): Seq[String] = OptionNames.nearTo(name, known)

  test("names with other capitals, hyphens or underscores are near") {
    for (name <- Seq("restart_interval", "restart-interval", "RESTART INTERVAL", "frame_size"))
      assert(near(name).length == 1, name)
  }

  test("names with a wrong letter are near, with two in longer names") {
    for (
      name <- Seq("restartIntervall", "restrtIntervall", "farmeSize", "framSiz", "modes", "moed")
    )
      assert(near(name).length == 1, name)
  }

  test("the names of options, and names of others, are not near") {
    val others = Seq("path", "header", "delimiter", "code", "node", "item", "frames", "size", "")
    for (name <- known ++ known.map(_.toUpperCase) ++ others) assert(near(name).isEmpty, name)
  }

  test("the error names what is meant, and all options") {
    OptionNames.check(Seq("path", "mode"), known)
    val error = intercept[OptionException](OptionNames.check(Seq("path", "moed"), known))
    assert(
      error.getMessage.startsWith("unknown option 'moed': did you mean mode? The options are: ")
    )
    assert(error.getMessage.endsWith(known.mkString(", ")))
  }
}
