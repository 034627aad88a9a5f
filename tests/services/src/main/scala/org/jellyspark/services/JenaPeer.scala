package org.jellyspark.services

import java.nio.charset.StandardCharsets.UTF_8
import java.time.Duration
import java.util.{List => JavaList}

import scala.io.{Codec, Source}
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.jena.rdfpatch.RDFPatchOps
import org.apache.jena.rdfpatch.changes.RDFChangesCollector
import org.apache.jena.rdfpatch.text.RDFChangesWriterText
import org.apache.jena.sparql.core.{DatasetGraph, DatasetGraphFactory}
import org.apache.jena.system.Txn
import org.apache.jena.update.UpdateAction
import org.apache.kafka.clients.consumer.{ConsumerRecord, KafkaConsumer}
import org.apache.kafka.clients.producer.{KafkaProducer, ProducerRecord}
import org.apache.kafka.common.TopicPartition
import org.apache.kafka.common.serialization.{ByteArrayDeserializer, ByteArraySerializer}

/** A dataset of Jena's that sends or receives its changes as messages. Prints its statements in the
  * end, as a patch in text.
  *
  * {{{
  * JenaPeer consume SERVERS TOPIC MESSAGES
  * JenaPeer produce SERVERS TOPIC < UPDATES   one SPARQL Update a line
  * }}}
  */
object JenaPeer {
  private val header = "Content-Type"
  private val timeout = Duration.ofSeconds(60)

  def main(args: Array[String]): Unit = {
    val dataset = DatasetGraphFactory.createTxnMem()
    args match {
      case Array("consume", servers, topic, count) =>
        consume(servers, topic, count.toInt).foreach { record =>
          val mediaType = new String(record.headers.lastHeader(header).value, UTF_8)
          RDFPatchOps.applyChange(dataset, Messages.read(mediaType, record.value))
        }
      case Array("produce", servers, topic) =>
        val updates = Source.fromInputStream(System.in)(Codec.UTF8).getLines().toSeq
        produce(servers, topic, updates, dataset)
      case _ => sys.error(s"unknown arguments: ${args.mkString(" ")}")
    }
    printStatements(dataset)
  }

  /** Waits for this many messages of a topic of one partition. */
  private def consume(
      servers: String,
      topic: String,
      count: Int
  ): Seq[ConsumerRecord[Array[Byte], Array[Byte]]] = {
    val settings =
      Map[String, AnyRef]("bootstrap.servers" -> servers, "auto.offset.reset" -> "earliest")
    val bytes = new ByteArrayDeserializer
    Using.resource(new KafkaConsumer(settings.asJava, bytes, bytes)) { consumer =>
      consumer.assign(JavaList.of(new TopicPartition(topic, 0)))
      Iterator
        .continually(consumer.poll(timeout))
        .takeWhile(found => !found.isEmpty)
        .flatMap(_.asScala)
        .take(count)
        .toSeq
    }
  }

  /** Runs updates, and sends the patch of each, in one format after the other. */
  private def produce(
      servers: String,
      topic: String,
      updates: Seq[String],
      dataset: DatasetGraph
  ): Unit = {
    val settings = Map[String, AnyRef]("bootstrap.servers" -> servers)
    val bytes = new ByteArraySerializer
    Using.resource(new KafkaProducer(settings.asJava, bytes, bytes)) { producer =>
      val mediaTypes = Iterator.continually(Seq(Messages.Jelly, Messages.Text, Messages.Thrift))
      updates.iterator.zip(mediaTypes.flatten).foreach { case (update, mediaType) =>
        val message = Messages.write(mediaType, patchOf(update, dataset))
        val record = new ProducerRecord[Array[Byte], Array[Byte]](topic, message)
        record.headers.add(header, mediaType.getBytes(UTF_8))
        producer.send(record).get()
      }
    }
  }

  private def patchOf(update: String, dataset: DatasetGraph) = {
    val collector = new RDFChangesCollector
    val recorded = RDFPatchOps.changes(dataset, collector)
    Txn.executeWrite(recorded, () => UpdateAction.parseExecute(update, recorded))
    collector.getRDFPatch
  }

  private def printStatements(dataset: DatasetGraph): Unit = {
    val out = RDFChangesWriterText.create(System.out)
    Txn.executeRead(
      dataset,
      () =>
        dataset.find().asScala.foreach { quad =>
          val graph = if (quad.isDefaultGraph) null else quad.getGraph
          out.add(graph, quad.getSubject, quad.getPredicate, quad.getObject)
        }
    )
    out.finish()
  }
}
