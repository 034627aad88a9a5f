package org.jellyspark.codec

/** A row's content in messages: its columns that are set, as compact JSON, long texts cut. */
object RowText {
  private val Shown = 200 // characters

  def apply(row: PatchRow, patch: Long, seq: Long): String = {
    def term(term: Term): Any =
      if (term == null || term == DefaultGraph) null else NTriples.format(term)
    def number(number: Long): Any = if (number == RowNumbering.NoNumber) null else number
    apply(
      Seq(
        "op" -> row.op.code,
        "subject" -> term(row.subject),
        "predicate" -> term(row.predicate),
        "object" -> term(row.obj),
        "graph" -> term(row.graph),
        "name" -> row.name,
        "value" -> term(row.value),
        "patch" -> number(patch),
        "seq" -> number(seq)
      )
    )
  }

  /** Of columns by name; those that are null are left out. */
  def apply(columns: Seq[(String, Any)]): String =
    columns
      .collect {
        case (name, number: Long)           => s"${quote(name)}:$number"
        case (name, value) if value != null => s"${quote(name)}:${quote(value.toString)}"
      }
      .mkString("{", ",", "}")

  private def quote(text: String): String = {
    val shown =
      if (text.codePointCount(0, text.length) <= Shown) text
      else text.substring(0, text.offsetByCodePoints(0, Shown)) + "…"
    val out = new StringBuilder("\"")
    shown.foreach {
      case c @ ('"' | '\\') => out.append('\\').append(c)
      case c if c < ' '     => out.append(f"\\u${c.toInt}%04x")
      case c                => out.append(c)
    }
    out.append('"').toString
  }
}
