package org.jellyspark.core.rows

/** Formats the content of a row for error messages: the columns that are set, as compact JSON. Long
  * values are cut.
  */
object RowText {
  // The most characters to show of a value.
  private val Shown = 200

  /** The content of a row of a format with these columns. */
  def apply(row: Row, columns: Seq[Column]): String =
    apply(columns.map(column => column.name -> value(row, column)))

  /** The content of columns, given by name. Null values are left out. */
  def apply(columns: Seq[(String, Any)]): String =
    columns
      .collect {
        case (name, number: Long)           => s"${quote(name)}:$number"
        case (name, value) if value != null => s"${quote(name)}:${quote(value.toString)}"
      }
      .mkString("{", ",", "}")

  private def value(row: Row, column: Column): Any = column match {
    case Column.Op                   => row.op.code
    case column: Column.TermColumn   => column.cell(row).shown
    case column: Column.TextColumn   => column.get(row)
    case column: Column.NumberColumn =>
      val number = column.get(row)
      if (number == Row.NoNumber) null else number
  }

  private def quote(text: String): String = {
    val shown =
      if (text.codePointCount(0, text.length) <= Shown) text
      else text.substring(0, text.offsetByCodePoints(0, Shown)) + "…"
    val out = new StringBuilder("\"")
    shown.foreach {
      case c @ ('"' | '\\') => out.append('\\').append(c)
      case '\b'             => out.append("\\b")
      case '\t'             => out.append("\\t")
      case '\n'             => out.append("\\n")
      case '\f'             => out.append("\\f")
      case '\r'             => out.append("\\r")
      case c if c < ' '     => out.append(f"\\u${c.toInt}%04x")
      case c                => out.append(c)
    }
    out.append('"').toString
  }
}
