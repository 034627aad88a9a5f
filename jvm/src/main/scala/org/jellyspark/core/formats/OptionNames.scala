package org.jellyspark.core.formats

import java.util.Locale

import org.jellyspark.OptionException

/** Distinguishes misspelt option names from names that belong to others. Spark passes the options
  * of a read or write to everything that may use them, so an unknown name alone is not an error.
  */
object OptionNames {

  /** Checks that no name is a misspelling of an option.
    *
    * @param names
    *   the names that a user has set
    * @param known
    *   the names of the options
    * @throws org.jellyspark.OptionException
    *   if a name is a misspelling; the message has the names it may stand for
    */
  def check(names: Iterable[String], known: Seq[String]): Unit = names.foreach { name =>
    val near = nearTo(name, known)
    if (near.nonEmpty) {
      throw new OptionException(
        s"unknown option '$name': did you mean ${near.mkString(" or ")}? " +
          s"The options are: ${known.mkString(", ")}"
      )
    }
  }

  /** The options that a name may be a misspelling of; none if it is the name of an option. Such a
    * name has the same letters as the option, or the same first letter and one different letter
    * (two if the option's name is longer).
    */
  private[formats] def nearTo(name: String, known: Seq[String]): Seq[String] = {
    val lower = name.toLowerCase(Locale.ROOT)
    if (OfOthers(lower) || known.exists(_.toLowerCase(Locale.ROOT) == lower)) Nil
    else {
      val found = letters(lower)
      known.filter { option =>
        val wanted = option.toLowerCase(Locale.ROOT)
        found == wanted || found.headOption == wanted.headOption &&
        distance(found, wanted) <= (if (wanted.length < LongName) 1 else 2)
      }
    }
  }

  private val LongName = 8

  // An option of Spark's CSV source that resembles our `delimited`.
  private val OfOthers = Set("delimiter")

  private def letters(name: String): String = name.filterNot("_- ".contains(_))

  /** The number of letters to insert, delete, replace or swap (Damerau-Levenshtein distance). */
  private def distance(a: String, b: String): Int = {
    val cells = Array.tabulate(a.length + 1, b.length + 1)((i, j) => if (i == 0) j else i)
    for (i <- 1 to a.length; j <- 1 to b.length) {
      val replaced = cells(i - 1)(j - 1) + (if (a(i - 1) == b(j - 1)) 0 else 1)
      cells(i)(j) = replaced.min(cells(i - 1)(j) + 1).min(cells(i)(j - 1) + 1)
      if (i > 1 && j > 1 && a(i - 1) == b(j - 2) && a(i - 2) == b(j - 1))
        cells(i)(j) = cells(i)(j).min(cells(i - 2)(j - 2) + 1)
    }
    cells(a.length)(b.length)
  }
}
