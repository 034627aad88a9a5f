package org.jellyspark.jena.codecs

import scala.reflect.ClassTag

import org.apache.jena.graph.Triple
import org.apache.jena.sparql.core.Quad
import org.apache.spark.sql.{Encoder, Encoders}
import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoder, AgnosticEncoders, Codec}

/** Creates encoders from codecs. Tasks may share a codec. */
private[jena] object CodecEncoder {

  /** The encoder of objects that Spark stores in a binary column. */
  def binary[A: ClassTag](codec: Codec[A, Array[Byte]]): Encoder[A] =
    make(AgnosticEncoders.BinaryEncoder, codec)

  /** The encoder of quads that Spark stores in the columns of `jelly_rdf`. */
  def quads: Encoder[Quad] = make(agnostic(Encoders.product[QuadColumns]), new QuadColumnsCodec)

  /** The encoder of triples that Spark stores in the columns of `jelly_rdf`. */
  def triples: Encoder[Triple] =
    make(agnostic(Encoders.product[TripleColumns]), new TripleColumnsCodec)

  // All encoders that Spark creates are of this class.
  private def agnostic[B](encoder: Encoder[B]): AgnosticEncoder[B] =
    encoder.asInstanceOf[AgnosticEncoder[B]]

  private def make[A: ClassTag, B](stored: AgnosticEncoder[B], codec: Codec[A, B]): Encoder[A] =
    AgnosticEncoders.TransformingEncoder[A, B](
      implicitly[ClassTag[A]],
      stored,
      () => codec,
      nullable = true
    )
}
