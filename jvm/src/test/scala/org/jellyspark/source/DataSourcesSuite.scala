package org.jellyspark.source

import java.util.ServiceLoader

import scala.collection.IterableOnce
import scala.jdk.CollectionConverters._
import scala.util.Using

import com.tngtech.archunit.core.importer.ClassFileImporter
import org.apache.spark.sql.sources.DataSourceRegister
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.JellySparkException

class DataSourcesSuite extends AnyFunSuite {
  private val registered: Seq[FileSource] = ServiceLoader
    .load(classOf[DataSourceRegister])
    .asScala
    .collect { case source: FileSource => source }
    .toSeq

  // Without that of another jar.
  private val own: Seq[FileSource] = registered.filter(!_.isInstanceOf[RdfSource])

  test("every data source is registered with Spark, once") {
    val compiled = new ClassFileImporter()
      .importPackages("org.jellyspark.source")
      .asScala
      .map(_.getName)
      .filter(name => classOf[FileSource].isAssignableFrom(Class.forName(name)))
      .filter(_ != classOf[FileSource].getName)
    assert(registered.map(_.getClass.getName).sorted == compiled.toSeq.sorted)
    assert(own.toSet == DataSources.all.toSet)
  }

  test("a data source has the short name of its format") {
    assert(own.map(_.shortName()) == own.map(_.format.shortName))
  }

  test("without the codec of rdf, its data source leaves the name to the one in Python") {
    val source = new RdfSource
    assert(source.shortName() == classOf[RdfSource].getName)
    assert(
      intercept[JellySparkException](source.format).getMessage
        .contains("needs jelly-spark-jena.jar and Apache Jena's jena-arq")
    )
  }

  test("no two formats share a short name or an extension") {
    assert(registered.map(_.shortName()).distinct.length == registered.length)
    assert(own.map(_.format.extension).distinct.length == own.length)
  }

  // Spark 3.5 has Scala 2.12. It creates all data sources to find one, also one of another format.
  test("a data source is created without the classes that only Scala 2.13 has") {
    val loader = new ClassLoader(getClass.getClassLoader) {
      override def loadClass(name: String, resolve: Boolean): Class[_] =
        if (name == classOf[IterableOnce[_]].getName) throw new ClassNotFoundException(name)
        else if (!name.startsWith("org.jellyspark.")) super.loadClass(name, resolve)
        else
          getClassLoadingLock(name).synchronized {
            Option(findLoadedClass(name)).getOrElse(define(name))
          }

      private def define(name: String): Class[_] = {
        val in = getParent.getResourceAsStream(name.replace('.', '/') + ".class")
        val bytes = Using.resource(in)(_.readAllBytes())
        defineClass(name, bytes, 0, bytes.length)
      }
    }
    for (source <- registered) {
      val created = loader.loadClass(source.getClass.getName).getConstructor().newInstance()
      assert(created.asInstanceOf[DataSourceRegister].shortName() == source.shortName())
    }
  }
}
