// The build of jvm/: one jar for Spark, all of it our own.
// And of benchmarks/: the peers of the benchmark, as they are.

val jellyVersion = "3.7.1"
val jenaVersion = "5.6.0"
val sparkVersion = "4.2.0"

// Python's version file is the one source of the version, for the jar and the wheel.
def pythonVersion(root: File): String = {
  val file = root / "python" / "jelly_spark" / "_version.py"
  """(?m)^__version__ = "([^"]+)"$""".r
    .findFirstMatchIn(IO.read(file))
    .fold(sys.error(s"no __version__ in $file"))(_.group(1))
}

// Spark reaches into the JDK: the packages that its own launcher opens.
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

val peersClasspath = taskKey[File]("Compiles the peers, and writes the class path to run them with")
val testWarehouse = settingKey[File]("Where the tables of the tests are")

Global / onChangedBuildSource := ReloadOnSourceChanges

ThisBuild / scalaVersion := "2.13.18"

val strictly = Seq(
  scalacOptions ++= Seq("-encoding", "utf8", "-release", "17"),
  scalacOptions ++= Seq("-deprecation", "-feature", "-unchecked", "-Xlint", "-Wdead-code"),
  scalacOptions ++= Seq("-Wnumeric-widen", "-Wunused", "-Werror")
)

lazy val jvm = project
  .in(file("jvm"))
  .settings(strictly)
  .settings(
    name := "jelly-spark",
    organization := "org.jellyspark",
    version := pythonVersion((ThisBuild / baseDirectory).value),
    licenses := Seq(License.Apache2),
    libraryDependencies ++= Seq(
      "org.apache.spark" %% "spark-sql" % sparkVersion % Provided,
      "org.scalatest" %% "scalatest" % "3.2.19" % Test,
      "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0" % Test,
      "com.tngtech.archunit" % "archunit" % "1.4.1" % Test,
      // The reference implementations, which the tests compare with.
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
      Seq(properties, license)
    }.taskValue,
    testWarehouse := target.value / "spark-warehouse",
    Test / fork := true,
    Test / baseDirectory := (ThisBuild / baseDirectory).value,
    Test / javaOptions ++= "-Xmx2g" +: sparkOpens.map(name => s"--add-opens=$name=ALL-UNNAMED"),
    Test / envVars += "SPARK_LOCAL_IP" -> "127.0.0.1", // whatever the machine's name resolves to
    Test / javaOptions += s"-Dspark.sql.warehouse.dir=${testWarehouse.value}",
    Test / testOptions += {
      val warehouse = testWarehouse.value
      Tests.Setup(() => IO.delete(warehouse)) // so that a run finds no tables of the one before
    },
    assembly / assemblyOutputPath := target.value / "jelly-spark.jar",
    assemblyPackageScala / assembleArtifact := false,
    assembly / mainClass := None, // a library
    // Left to fail: two different files of one path, which is never right here.
    assembly / assemblyMergeStrategy := {
      case path if path.startsWith("META-INF/services/") => MergeStrategy.filterDistinctLines
      case "META-INF/MANIFEST.MF"                        => MergeStrategy.discard
      case _                                             => MergeStrategy.deduplicate
    }
  )

lazy val benchmarks = project
  .in(file("benchmarks"))
  .settings(strictly)
  .settings(
    libraryDependencies ++= Seq(
      "eu.neverblink.jelly" % "jelly-jena" % jellyVersion,
      "org.apache.jena" % "jena-arq" % jenaVersion,
      "org.apache.jena" % "jena-rdfpatch" % jenaVersion
    ),
    peersClasspath := {
      val file = target.value / "peers.classpath"
      val jars = (Runtime / fullClasspathAsJars).value.map(_.data)
      IO.write(file, jars.mkString(java.io.File.pathSeparator))
      file
    }
  )
