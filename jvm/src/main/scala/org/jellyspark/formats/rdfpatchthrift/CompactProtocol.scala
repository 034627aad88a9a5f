package org.jellyspark.formats.rdfpatchthrift

/** Constants of Thrift's compact protocol
  * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
  *
  * A struct is a sequence of fields, terminated by a 0 byte. A field begins with a byte whose low
  * four bits are the type, and whose high four bits are the difference between its id and that of
  * the previous field. If the difference is 0, the id follows.
  */
private[rdfpatchthrift] object CompactProtocol {

  /** Stands for a field at the end of a struct. */
  final val Stop = 0

  // The types of fields. The value of a boolean field is its type.
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

  /** The name of a type for error messages; null if the number is not a type. */
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

  /** The longest string, in bytes. A string must fit into one array. */
  final val MaxString = 1 << 30

  /** The deepest nesting of fields that are not in the schema. Thrift's own libraries have the same
    * limit.
    */
  final val MaxDepth = 64
}
