package org.jellyspark.formats.rdfpatchthrift

/** Numbers of Thrift's compact protocol.
  *
  * A struct is a sequence of fields. A field begins with a byte that holds its type, and how far
  * its id is from the one before (or 0, and the id follows); the byte 0 ends the struct.
  * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md)
  */
private[rdfpatchthrift] object Compact {
  final val Stop = 0

  final val True = 1
  final val False = 2
  final val Byte = 3
  final val I16 = 4
  final val I32 = 5
  final val I64 = 6
  final val Double = 7
  final val String = 8
  final val List = 9
  final val Set = 10
  final val Map = 11
  final val Struct = 12
  final val Uuid = 13

  /** A type in messages; null if there is none of that number. */
  def typeName(number: Int): String = number match {
    case True | False => "a bool"
    case Byte         => "a byte"
    case I16          => "an i16"
    case I32          => "an i32"
    case I64          => "an i64"
    case Double       => "a double"
    case String       => "a string"
    case List         => "a list"
    case Set          => "a set"
    case Map          => "a map"
    case Struct       => "a struct"
    case Uuid         => "a uuid"
    case _            => null
  }

  /** The longest string, in bytes: one is held in an array. */
  final val MaxString = 1 << 30

  /** How deep fields may be nested that the schema does not know: as deep as Thrift's own libraries
    * read.
    */
  final val MaxDepth = 64
}
