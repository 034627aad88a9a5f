package org.jellyspark.benchmarks

import java.util.concurrent.atomic.AtomicLong

import scala.jdk.CollectionConverters._

import com.esotericsoftware.kryo.Kryo
import com.esotericsoftware.kryo.serializers.JavaSerializer
import org.apache.jena.graph.{Node, Triple}
import org.apache.jena.sparql.core.{DatasetGraph, DatasetGraphFactory, Quad}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.serializer.KryoRegistrator
import org.apache.spark.sql.{Encoder, Encoders, SparkSession}

import org.jellyspark.jena.{JellySpark, JenaEncoders}

/** Shuffles quads with this project's encoders and with Kryo. */
object EncoderVsKryo {

  /** The most quads of a dataset, where they are shuffled in datasets. */
  val DatasetSize: Int = 1000

  private var held: RDD[Quad] = _
  private var heldSets: RDD[DatasetGraph] = _
  private var heldArrays: RDD[Array[Quad]] = _
  private val shuffled = new AtomicLong

  /** Holds the quads of a file in memory, as objects, and returns how many they are. */
  def hold(spark: SparkSession, file: String): Long = {
    spark.sparkContext.addSparkListener(new SparkListener {
      override def onTaskEnd(end: SparkListenerTaskEnd): Unit = {
        shuffled.addAndGet(end.taskMetrics.shuffleWriteMetrics.bytesWritten)
        ()
      }
    })
    held = JellySpark.quads(spark, file).rdd.cache()
    heldArrays = held.mapPartitions(_.grouped(DatasetSize).map(_.toArray)).cache()
    heldSets = heldArrays
      .map { quads =>
        val dataset = DatasetGraphFactory.create()
        quads.foreach(dataset.add)
        dataset
      }
      .cache()
    heldSets.count()
    held.count()
  }

  /** Shuffles what is held to eight partitions, and reads it there.
    *
    * @param encoder
    *   `jelly` or `kryo`, for quads; with `_batches`, for datasets or, in Kryo, arrays
    * @return
    *   the nanoseconds, the bytes of the objects, and the bytes of the shuffle, which Spark
    *   compresses
    */
  def shuffle(spark: SparkSession, encoder: String): Array[Long] = encoder match {
    case "jelly"         => shuffle(spark, held, JenaEncoders.quadEncoder)(_ => 1)
    case "kryo"          => shuffle(spark, held, Encoders.kryo[Quad])(_ => 1)
    case "jelly_batches" =>
      shuffle(spark, heldSets, JenaEncoders.datasetGraphEncoder)(_.find().asScala.length)
    case "kryo_batches" => shuffle(spark, heldArrays, Encoders.kryo[Array[Quad]])(_.length)
  }

  private def shuffle[A](spark: SparkSession, objects: RDD[A], encoder: Encoder[A])(
      count: A => Int
  ): Array[Long] = {
    val dataset = spark.createDataset(objects)(encoder)
    val bytes = dataset.toDF().selectExpr("sum(length(value))").head().getLong(0)
    shuffled.set(0)
    val start = System.nanoTime()
    val found = dataset
      .repartition(8)
      .mapPartitions((part: Iterator[A]) => Iterator(part.map(count(_).toLong).sum))(
        Encoders.scalaLong
      )
      .collect()
      .sum
    val taken = System.nanoTime() - start
    Thread.sleep(500) // listeners hear of tasks later
    Array(taken, bytes, shuffled.get, found)
  }
}

/** Has Kryo use Jena's own serialization of nodes, triples and quads, which is in Thrift. */
final class JenaRegistrator extends KryoRegistrator {
  override def registerClasses(kryo: Kryo): Unit = {
    kryo.addDefaultSerializer(classOf[Node], classOf[JavaSerializer])
    kryo.addDefaultSerializer(classOf[Triple], classOf[JavaSerializer])
    kryo.addDefaultSerializer(classOf[Quad], classOf[JavaSerializer])
  }
}
