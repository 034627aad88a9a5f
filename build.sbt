// The build of jvm/, one jar for Spark without dependencies of its own; of jena/, a second jar with
// Jelly-JVM in it; and of benchmarks/, the programs that the benchmark compares with.

import java.nio.file.Files
import java.nio.file.StandardCopyOption.ATOMIC_MOVE

val awsVersion = "2.35.4" // hadoop-aws's
val deltaVersion = "4.4.0"
val hadoopCloudVersion = "4.0.0" // the latest for Spark 4 that the registries have
val hadoopVersion = "3.5.0" // Spark's
val jellyVersion = "3.7.1"
val jenaVersion = "5.6.0"
val jena6Version = "6.0.0" // needs Java 21
val jmhVersion = "1.37"
val kafkaVersion = "4.1.0"
val sparkVersion = "4.2.0"

// The version of the jar and the wheel, from Python's version file.
def pythonVersion(root: File): String = {
  val file = root / "python" / "jelly_spark" / "_version.py"
  """(?m)^__version__ = "([^"]+)"$""".r
    .findFirstMatchIn(IO.read(file))
    .fold(sys.error(s"no __version__ in $file"))(_.group(1))
}

// The JDK's packages that Spark accesses by reflection, as its own launcher opens them.
val sparkOpens = Seq(
  "java.base/java.lang",
  "java.base/java.lang.invoke",
  "java.base/java.lang.reflect",
  "java.base/java.io",
  "java.base/java.net",
  "java.base/java.nio",
  "java.base/java.util",
  "java.base/java.util.concurrent",
  "java.base/java.util.concurrent.atomic",
  "java.base/jdk.internal.ref",
  "java.base/sun.nio.ch",
  "java.base/sun.nio.cs",
  "java.base/sun.security.action",
  "java.base/sun.util.calendar",
  "java.security.jgss/sun.security.krb5"
)

// The classes in the list of data sources. Spark finds them by a file in META-INF/services.
def dataSources(list: File): Seq[String] =
  """(?m)^final class (\w+) extends FileSource\(""".r
    .findAllMatchIn(IO.read(list))
    .map(source => s"org.jellyspark.source.${source.group(1)}")
    .toSeq

val built = taskKey[Unit]("Builds the jar where it is looked for, with the time of now for make")
val bundled = taskKey[File]("Writes a table of the libraries in the jar")
val jenaClasspath = taskKey[File]("Fetches Jena and writes its class path to a file")
val peersClasspath = taskKey[File]("Compiles the peers and writes their class path to a file")
val jmhClasspath =
  taskKey[File]("Compiles the benchmarks of methods and writes their class path to a file")
val servicesClasspaths =
  taskKey[Unit]("Fetches the services, and writes their class paths to files")
val s3aClasspath = taskKey[File]("Fetches S3A and writes its class path to a file")
val testClasspath = taskKey[File]("Compiles the tests and writes their class path to a file")
val testWarehouse = settingKey[File]("The folder for the tables of the tests")

Global / onChangedBuildSource := ReloadOnSourceChanges

ThisBuild / scalaVersion := "2.13.18"

val strictly = Seq(
  scalacOptions ++= Seq("-encoding", "utf8", "-release", "17"),
  Compile / compile / javacOptions ++= Seq("-encoding", "utf8", "--release", "17"),
  scalacOptions ++= Seq("-deprecation", "-feature", "-unchecked", "-Xlint", "-Wdead-code"),
  scalacOptions ++= Seq("-Wnumeric-widen", "-Wunused", "-Werror")
)

// The tests run real Spark sessions in a JVM of their own.
val forkedTests = Seq(
  testWarehouse := target.value / "spark-warehouse",
  Test / fork := true,
  Test / baseDirectory := (ThisBuild / baseDirectory).value,
  Test / javaOptions ++= "-Xmx1g" +: sparkOpens.map(name => s"--add-opens=$name=ALL-UNNAMED"),
  Test / envVars += "SPARK_LOCAL_IP" -> "127.0.0.1", // in case the host name does not resolve
  Test / javaOptions += s"-Dspark.sql.warehouse.dir=${testWarehouse.value}",
  Test / testOptions += {
    val warehouse = testWarehouse.value
    Tests.Setup(() => IO.delete(warehouse)) // may hold the tables of the last run
  }
)

// A jar for Spark. By default, two different files with the same path fail the build.
val sparkJar = Seq(
  assemblyPackageScala / assembleArtifact := false,
  assembly / mainClass := None, // a library
  assembly / assemblyMergeStrategy := {
    case path if path.startsWith("META-INF/services/") => MergeStrategy.filterDistinctLines
    case "META-INF/MANIFEST.MF"                        => MergeStrategy.discard
    case _                                             => MergeStrategy.deduplicate
  },
  // A line for each library: its coordinates, licence and jar. The bill of materials is made from it.
  bundled := {
    val file = target.value / "bundled.tsv"
    val reports = update.value.configurations.flatMap(_.modules)
    val licenses = reports.map(report => report.module -> report.licenses.map(_._1)).toMap
    val libraries = for {
      jar <- (Runtime / externalDependencyClasspath).value
      id <- jar.get(moduleID.key) if id.organization != scalaOrganization.value
    } yield Seq(
      id.organization,
      id.name,
      id.revision,
      licenses
        .collectFirst {
          case (module, names)
              if (module.organization, module.name) == ((id.organization, id.name)) =>
            names.mkString(", ")
        }
        .getOrElse(""),
      jar.data.getPath
    )
    IO.writeLines(file, libraries.map(_.mkString("\t")).sorted)
    file
  }
)

// How a jar for Spark is published: as it is, with sources and documentation, and with a POM that
// names as `provided` what Spark or the user brings. What is in the jar is not in the POM.
def publishedAs(jar: Project) = Seq(
  name := (jar / name).value,
  organization := (jar / organization).value,
  version := (jar / version).value,
  licenses := (jar / licenses).value,
  description := (jar / description).value,
  versionScheme := Some("early-semver"),
  autoScalaLibrary := false,
  Compile / packageBin := (jar / assembly).value,
  Compile / packageDoc := (jar / Compile / packageDoc).value,
  Compile / packageSrc := (jar / Compile / packageSrc).value,
  publishTo := Some(MavenCache("dist", (ThisBuild / baseDirectory).value / "dist" / "maven")),
  publishConfiguration := publishConfiguration.value.withOverwrite(true)
)

lazy val jvm = project
  .in(file("jvm"))
  .settings(strictly, forkedTests, sparkJar)
  .settings(
    name := "jelly-spark",
    description := "RDF Patch and Jelly-Patch change logs as Spark DataFrames",
    organization := "org.jellyspark",
    version := pythonVersion((ThisBuild / baseDirectory).value),
    licenses := Seq(License.Apache2),
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % sparkVersion % Provided,
      "org.scalatest" %% "scalatest" % "3.2.19" % Test,
      "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test,
      "com.tngtech.archunit" % "archunit" % "1.4.1" % Test,
      "org.bouncycastle" % "bcprov-jdk18on" % "1.82" % Test,
      // The reference implementations, which the tests compare the codecs with.
      "eu.neverblink.jelly" % "jelly-core" % jellyVersion % Test,
      "eu.neverblink.jelly" % "jelly-jena" % jellyVersion % Test,
      "org.apache.jena" % "jena-arq" % jenaVersion % Test,
      "org.apache.jena" % "jena-rdfpatch" % jenaVersion % Test
    ),
    Compile / resourceGenerators += Def.task {
      val out = (Compile / resourceManaged).value
      val properties = out / "org" / "jellyspark" / "version.properties"
      IO.write(properties, s"version=${version.value}\n")
      val license = out / "META-INF" / "LICENSE"
      IO.copyFile((ThisBuild / baseDirectory).value / "LICENSE", license)
      val services = out / "META-INF" / "services"
      val sources = services / "org.apache.spark.sql.sources.DataSourceRegister"
      val list =
        (Compile / scalaSource).value / "org" / "jellyspark" / "source" / "DataSources.scala"
      IO.writeLines(sources, dataSources(list))
      val extensions = services / "org.apache.spark.sql.SparkSessionExtensionsProvider"
      IO.writeLines(extensions, Seq("org.jellyspark.sql.session.JellySparkExtensionsProvider"))
      Seq(properties, license, sources, extensions)
    }.taskValue,
    testClasspath := {
      val file = target.value / "test.classpath"
      val entries = (Test / fullClasspath).value.map(_.data)
      IO.write(file, entries.mkString(java.io.File.pathSeparator))
      file
    },
    assembly / assemblyOutputPath := target.value / "jelly-spark.jar",
    built := {
      bundled.value
      val jar = (ThisBuild / baseDirectory).value / "python/jelly_spark/jars/jelly-spark.jar"
      val next = file(s"$jar.new")
      IO.copyFile(assembly.value, next)
      Files.move(next.toPath, jar.toPath, ATOMIC_MOVE) // a JVM that runs may have the old one open
    }
  )

// Encoders for Jena's objects, and the engine `jelly-jvm`. The jar has Jelly-JVM and Protobuf in it,
// the latter under another name, as other libraries bring other versions of it. Jena is the user's.
lazy val jena = project
  .in(file("jena"))
  .dependsOn(jvm % "provided->compile;test->test")
  .settings(strictly, forkedTests, sparkJar)
  .settings(
    name := "jelly-spark-jena",
    description := "Encoders for Jena's objects, and Jelly-JVM as an engine of Jelly Spark",
    organization := "org.jellyspark",
    version := (jvm / version).value,
    licenses := Seq(License.Apache2),
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % sparkVersion % Provided,
      "org.apache.jena" % "jena-arq" % jenaVersion % Provided,
      "org.apache.jena" % "jena-rdfpatch" % jenaVersion % Provided,
      "eu.neverblink.jelly" % "jelly-core" % jellyVersion,
      ("eu.neverblink.jelly" % "jelly-jena" % jellyVersion)
        .excludeAll(ExclusionRule("org.apache.jena"))
    ),
    Compile / resourceGenerators += Def.task {
      val license = (Compile / resourceManaged).value / "META-INF" / "LICENSE"
      IO.copyFile((ThisBuild / baseDirectory).value / "LICENSE", license)
      Seq(license)
    }.taskValue,
    assembly / assemblyOutputPath := target.value / "jelly-spark-jena.jar",
    built := IO.touch(assembly.value),
    assembly / assemblyShadeRules := Seq(
      ShadeRule.rename("com.google.protobuf.**" -> "org.jellyspark.shaded.protobuf.@1").inAll
    )
  )

lazy val publishedJvm = project
  .in(file("target/published/jelly-spark"))
  .settings(
    publishedAs(jvm),
    libraryDependencies += "org.apache.spark" %% "spark-sql" % sparkVersion % Provided
  )

lazy val publishedJena = project
  .in(file("target/published/jelly-spark-jena"))
  .dependsOn(publishedJvm)
  .settings(
    publishedAs(jena),
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % sparkVersion % Provided,
      "org.apache.jena" % "jena-arq" % jenaVersion % Provided,
      "org.apache.jena" % "jena-rdfpatch" % jenaVersion % Provided
    )
  )

lazy val benchmarks = project
  .in(file("benchmarks"))
  .enablePlugins(JmhPlugin)
  .dependsOn(jvm % Provided, jena % Provided)
  .settings(strictly)
  .settings(
    publishMavenStyle := false,
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % sparkVersion % Provided,
      "eu.neverblink.jelly" % "jelly-jena" % jellyVersion,
      "org.apache.jena" % "jena-arq" % jenaVersion,
      "org.apache.jena" % "jena-rdfpatch" % jenaVersion,
      "tools.profiler" % "async-profiler" % "4.0" % Jmh,
      // The latest release that the registries have. It runs in Spark 4.0, which brings Avro.
      ("org.apache.spark" %% "spark-avro" % "4.0.0").intransitive()
    ),
    peersClasspath := {
      val file = target.value / "peers.classpath"
      val jars = (Runtime / fullClasspathAsJars).value.map(_.data)
      IO.write(file, jars.mkString(java.io.File.pathSeparator))
      file
    },
    Jmh / version := jmhVersion,
    jmhClasspath := {
      (Jmh / compile).value
      val file = target.value / "jmh.classpath"
      val jars = (Jmh / fullClasspath).value.map(_.data)
      IO.write(file, jars.mkString(java.io.File.pathSeparator))
      file
    }
  )

// S3A, Hadoop's client of S3, for the tests with an object store. By default it brings the whole AWS
// SDK, a jar of 600 MB. These are the parts of the SDK that it uses; Spark has the libraries
// that they need.
lazy val objectStore = project
  .in(file("tests/objectstore"))
  .settings(
    autoScalaLibrary := false,
    publishMavenStyle := false,
    libraryDependencies ++= Seq(
      ("org.apache.hadoop" % "hadoop-aws" % hadoopVersion).intransitive(),
      ("org.apache.spark" %% "spark-hadoop-cloud" % hadoopCloudVersion).intransitive(),
      "software.amazon.awssdk" % "s3-transfer-manager" % awsVersion,
      "software.amazon.awssdk" % "sts" % awsVersion,
      "software.amazon.s3.analyticsaccelerator" % "analyticsaccelerator-s3" % "1.3.1"
    ),
    excludeDependencies ++= Seq(
      "commons-codec",
      "commons-logging",
      "io.netty",
      "org.apache.httpcomponents",
      "org.slf4j"
    ).map(ExclusionRule(_)),
    s3aClasspath := {
      val file = target.value / "s3a.classpath"
      val jars = (Runtime / externalDependencyClasspath).value.map(_.data)
      IO.write(file, jars.mkString(java.io.File.pathSeparator))
      file
    }
  )

// What the tests with services need, each with a class path of its own: Kafka's server, Spark's
// source for Kafka, Delta, Jena's Fuseki, the same of Jena 6, and a program with Kafka's client, Jena
// and the codec.
val Broker = config("broker")
val KafkaSource = config("kafka-source")
val Delta = config("delta")
val Fuseki = config("fuseki")
val Fuseki6 = config("fuseki-6")

// Libraries of the source and of Delta that Spark has.
val inSpark = Seq(
  "at.yawk.lz4",
  "com.fasterxml.jackson.core",
  "com.github.luben",
  "commons-logging",
  "commons-pool",
  "io.airlift",
  "org.antlr",
  "org.apache.hadoop",
  "org.apache.logging.log4j",
  "org.apache.parquet",
  "org.lz4",
  "org.roaringbitmap",
  "org.scala-lang",
  "org.scala-lang.modules",
  "org.slf4j",
  "org.xerial.snappy"
).map(ExclusionRule(_))

lazy val services = project
  .in(file("tests/services"))
  .dependsOn(jvm)
  .settings(strictly)
  .settings(
    ivyConfigurations ++= Seq(Broker, KafkaSource, Delta, Fuseki, Fuseki6),
    libraryDependencies ++= Seq(Fuseki -> jenaVersion, Fuseki6 -> jena6Version).flatMap {
      case (part, version) =>
        Seq(
          "org.apache.jena" % "jena-fuseki-main" % version % s"${part.name}->runtime",
          "org.apache.logging.log4j" % "log4j-slf4j2-impl" % "2.25.2" % s"${part.name}->runtime"
        )
    },
    libraryDependencies ++= Seq(
      "org.apache.kafka" %% "kafka" % kafkaVersion % "broker->runtime",
      "org.slf4j" % "slf4j-simple" % "2.0.17" % "broker->runtime",
      ("org.apache.spark" %% "spark-sql-kafka-0-10" % sparkVersion % "kafka-source->runtime")
        .excludeAll(inSpark *),
      ("io.delta" %% "delta-spark_4.2" % deltaVersion % "delta->runtime").excludeAll(inSpark *),
      "org.apache.kafka" % "kafka-clients" % kafkaVersion,
      "org.apache.jena" % "jena-arq" % jenaVersion,
      "org.apache.jena" % "jena-rdfpatch" % jenaVersion
    ),
    servicesClasspaths := {
      def write(name: String, jars: Seq[File]): Unit =
        IO.write(target.value / s"$name.classpath", jars.mkString(java.io.File.pathSeparator))
      val resolved = update.value
      Seq(Broker, KafkaSource, Delta, Fuseki, Fuseki6).foreach { part =>
        write(part.name, resolved.select(configurationFilter(part.name)))
      }
      write("peer", (Runtime / fullClasspathAsJars).value.map(_.data))
    }
  )

// Jena, as users of jelly-spark-jena bring it, for the tests of that jar, and Jena 6, which runs as a
// process of its own.
val Jena6 = config("jena-6")

lazy val jenaLibraries = project
  .in(file("tests/jena"))
  .settings(
    autoScalaLibrary := false,
    publishMavenStyle := false,
    ivyConfigurations += Jena6,
    libraryDependencies ++= Seq("jena-arq", "jena-rdfpatch").flatMap { name =>
      Seq(
        // Spark has its own slf4j.
        ("org.apache.jena" % name % jenaVersion).excludeAll(ExclusionRule("org.slf4j")),
        "org.apache.jena" % name % jena6Version % "jena-6->runtime"
      )
    },
    libraryDependencies += "org.slf4j" % "slf4j-nop" % "2.0.17" % "jena-6->runtime",
    jenaClasspath := {
      def write(name: String, jars: Seq[File]): File = {
        val file = target.value / s"$name.classpath"
        IO.write(file, jars.mkString(java.io.File.pathSeparator))
        file
      }
      write("jena-6", update.value.select(configurationFilter(Jena6.name)))
      write("jena", (Runtime / externalDependencyClasspath).value.map(_.data))
    }
  )
