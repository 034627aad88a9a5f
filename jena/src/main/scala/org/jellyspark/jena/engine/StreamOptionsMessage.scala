package org.jellyspark.jena.engine

import eu.neverblink.jelly.core.JellyOptions
import eu.neverblink.jelly.core.proto.v1.{LogicalStreamType, PhysicalStreamType, RdfStreamOptions}

import org.jellyspark.formats.jellyrdf.JellyRdfOptions
import org.jellyspark.jelly.ReadOptions

/** Converts options to those of Jelly-JVM. */
private[engine] object StreamOptionsMessage {

  /** The options of a stream to write. */
  def of(options: JellyRdfOptions): RdfStreamOptions = RdfStreamOptions
    .newInstance()
    .setStreamName(options.streamName)
    .setPhysicalType(PhysicalStreamType.forNumber(options.physicalType.number))
    .setLogicalType(LogicalStreamType.forNumber(options.logicalType.number))
    .setGeneralizedStatements(options.terms.generalized)
    .setRdfStar(options.terms.rdfStar)
    .setMaxNameTableSize(options.terms.maxNameTableSize)
    .setMaxPrefixTableSize(options.terms.maxPrefixTableSize)
    .setMaxDatatypeTableSize(options.terms.maxDatatypeTableSize)

  /** The limits for the options of a stream to read. */
  def supported(options: ReadOptions): RdfStreamOptions =
    JellyOptions.DEFAULT_SUPPORTED_OPTIONS
      .clone()
      .setMaxNameTableSize(options.maxNameTableSize)
      .setMaxPrefixTableSize(options.maxPrefixTableSize)
      .setMaxDatatypeTableSize(options.maxDatatypeTableSize)
}
