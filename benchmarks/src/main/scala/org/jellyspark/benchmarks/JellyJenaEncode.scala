package org.jellyspark.benchmarks

import java.io.{BufferedOutputStream, FileOutputStream}

import scala.util.Using

import eu.neverblink.jelly.convert.jena.JenaConverterFactory
import eu.neverblink.jelly.convert.jena.riot.{JellyFormatVariant, JellyStreamWriter}
import eu.neverblink.jelly.core.JellyOptions
import eu.neverblink.jelly.core.proto.v1.{LogicalStreamType, PhysicalStreamType}

/** jelly-jena's own writer of streams, which has the buffers and messages of one frame for all. */
object JellyJenaEncode {

  /** Writes a file with the default options and frames, and returns how many statements it has. */
  def write(held: HeldStatements, file: String): Long = {
    val (physical, logical) =
      if (held.areTriples) (PhysicalStreamType.TRIPLES, LogicalStreamType.FLAT_TRIPLES)
      else (PhysicalStreamType.QUADS, LogicalStreamType.FLAT_QUADS)
    val options =
      JellyOptions.BIG_ALL_FEATURES.clone().setPhysicalType(physical).setLogicalType(logical)
    val variant = JellyFormatVariant.builder().options(options).build()
    Using.resource(new BufferedOutputStream(new FileOutputStream(file), Peers.BufferSize)) { out =>
      held.sendTo(JellyStreamWriter.create(JenaConverterFactory.getInstance, variant, out))
    }
  }
}
