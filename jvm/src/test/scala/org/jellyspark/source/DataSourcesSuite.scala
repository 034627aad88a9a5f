package org.jellyspark.source

import java.util.ServiceLoader

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.core.importer.ClassFileImporter
import org.apache.spark.sql.sources.DataSourceRegister
import org.scalatest.funsuite.AnyFunSuite

class DataSourcesSuite extends AnyFunSuite {
  private val registered: Seq[FileSource] = ServiceLoader
    .load(classOf[DataSourceRegister])
    .asScala
    .collect { case source: FileSource => source }
    .toSeq

  test("every data source is registered with Spark, once") {
    val compiled = new ClassFileImporter()
      .importPackages("org.jellyspark.source")
      .asScala
      .map(_.getName)
      .filter(name => classOf[FileSource].isAssignableFrom(Class.forName(name)))
      .filter(_ != classOf[FileSource].getName)
    assert(registered.map(_.getClass.getName).sorted == compiled.toSeq.sorted)
    assert(registered.toSet == DataSources.all.toSet)
  }

  test("a data source has the short name of its format") {
    assert(registered.map(_.shortName()) == registered.map(_.format.shortName))
  }

  test("no two formats share a short name or an extension") {
    assert(registered.map(_.shortName()).distinct.length == registered.length)
    assert(registered.map(_.format.extension).distinct.length == registered.length)
  }
}
