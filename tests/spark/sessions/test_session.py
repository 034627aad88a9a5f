"""`configure`: the packaged jar comes to the session, and no other jar gets lost."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark.errors import SparkConnectError
from jelly_spark.session import jar_path
from tests.spark.patches import SAMPLE, write_file
from tests.spark.programs import make_jar, run

CONFIGURED = """
import jelly_spark
spark = jelly_spark.configure({builder}).getOrCreate()
print(rows(spark, sys.argv[1]), on_classpath(spark, "other.txt"))
spark.stop()
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_file(tmp_path_factory.mktemp("sample") / "sample.jellyp", SAMPLE)


@pytest.fixture(scope="module")
def other_jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_jar(tmp_path_factory.mktemp("jars") / "other jar.jar", "other.txt")


def test_the_jar_is_there() -> None:
    assert jar_path().name == "jelly-spark.jar"
    assert jar_path().is_file()


def test_it_is_the_builder_that_comes_back() -> None:
    builder = SparkSession.builder
    assert jelly_spark.configure(builder) is builder


def test_jars_of_the_builder(sample: Path, other_jar: Path) -> None:
    program = CONFIGURED.format(builder='builder().config("spark.jars", sys.argv[2])')
    assert run(program, sample, other_jar) == [f"{len(SAMPLE)} True"]


def test_jars_of_the_defaults(sample: Path, other_jar: Path, tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text(
        f"# spark.jars no.jar\nspark.app.name x\n  spark.jars {other_jar}\n"
    )
    program = CONFIGURED.format(builder="builder()")
    assert run(program, sample, SPARK_CONF_DIR=str(tmp_path)) == [f"{len(SAMPLE)} True"]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("spark.jars a.jar,b.jar", id="space"),
        pytest.param("spark.jars\ta.jar, b.jar  ", id="tab"),
        pytest.param("  spark.jars = a.jar,b.jar", id="equals"),
        pytest.param("spark.jars=a.jar,b.jar", id="equals-alone"),
        pytest.param("spark.jars: a.jar,b.jar", id="colon"),
    ],
)
def test_forms_of_the_defaults(tmp_path: Path, line: str) -> None:
    (tmp_path / "spark-defaults.conf").write_text(f"! comment\n{line}\nspark.jars.ivy x.jar\n")
    program = """
        import jelly_spark
        # Without a JVM, whose start takes seconds, only the builder itself can be asked.
        print(jelly_spark.configure(builder())._options["spark.jars"])
    """
    (jars,) = run(program, SPARK_CONF_DIR=str(tmp_path))
    assert jars.split(",") == ["a.jar", "b.jar", str(jar_path())]


@pytest.mark.parametrize(
    "args",
    [
        pytest.param("--jars 'a.jar' pyspark-shell", id="jars"),
        pytest.param("'--jars=a.jar' pyspark-shell", id="jars-equals"),
        pytest.param("--conf 'spark.jars=a.jar' pyspark-shell", id="conf"),
    ],
)
def test_forms_of_the_submit_args(args: str) -> None:
    program = """
        import jelly_spark
        print(jelly_spark.configure(builder())._options["spark.jars"])
    """
    (jars,) = run(program, PYSPARK_SUBMIT_ARGS=args)
    assert jars.split(",") == ["a.jar", str(jar_path())]


@pytest.mark.parametrize(
    "args", ["--jars '{}' pyspark-shell", "--conf 'spark.jars={}' pyspark-shell"]
)
def test_jars_of_the_submit_args(sample: Path, other_jar: Path, args: str) -> None:
    program = CONFIGURED.format(builder="builder()")
    submit_args = args.format(other_jar)
    assert run(program, sample, PYSPARK_SUBMIT_ARGS=submit_args) == [f"{len(SAMPLE)} True"]


def test_a_running_jvm_gets_the_jar(sample: Path, other_jar: Path, tmp_path: Path) -> None:
    """Its session stopped, or still active, with other jars on it."""
    program = """
        import os
        from jelly_spark import _bridge as bridge, configure
        from jelly_spark.errors import JarMissingError

        plain = builder().config("spark.jars", sys.argv[2]).getOrCreate()
        try:
            list(bridge.decode(sys.argv[1]))
        except JarMissingError as error:
            print("JarMissingError", "configure" in str(error))

        active = configure(builder()).getOrCreate()
        print(active is plain, rows(active, sys.argv[1]), len(list(bridge.decode(sys.argv[1]))))

        os.makedirs(sys.argv[3] + "/_log")
        open(sys.argv[3] + "/_log/tail.jsonl.gz", "w").close()
        frame = active.range(1).selectExpr("string(id)")
        frame.write.text(sys.argv[3] + "-in")
        stream = active.readStream.text(sys.argv[3] + "-in").writeStream.format("text")
        stream = stream.option("checkpointLocation", sys.argv[3] + "-checkpoint")
        for write in (
            lambda: frame.write.mode("overwrite").text(sys.argv[3]),
            lambda: stream.start(sys.argv[3]).awaitTermination(),
        ):
            try:
                write()
            except Exception as error:
                print("Log.append" in str(error), os.listdir(sys.argv[3]))
        active.stop()

        anew = configure(builder()).getOrCreate()
        print(rows(anew, sys.argv[1]), len(list(bridge.decode(sys.argv[1]))))
        anew.stop()
    """
    count = len(SAMPLE)
    assert run(program, sample, other_jar, tmp_path / "log") == [
        "JarMissingError True",
        f"True {count} {count}",
        "True ['_log']",
        "True ['_log']",
        f"{count} {count}",
    ]


def test_a_jvm_whose_plain_session_has_stopped_gets_the_jar(sample: Path) -> None:
    program = """
        import os, tempfile
        import jelly_spark

        builder().getOrCreate().stop()
        spark = jelly_spark.configure(builder()).getOrCreate()
        # It asks with files that do not exist. Nothing is wrong, so nothing is logged.
        spark.sparkContext.setLogLevel("WARN")
        log = tempfile.TemporaryFile()
        stderr = os.dup(2)
        os.dup2(log.fileno(), 2)
        engine = jelly_spark.engine(spark)["jelly_patch"].name
        os.dup2(stderr, 2)
        log.seek(0)
        print(engine, log.read())
        spark.read.format("jelly_patch").load(sys.argv[1]).write.format("noop").mode("append").save()
        print(rows(spark, sys.argv[1]))
        spark.stop()
    """
    assert run(program, sample) == ["jvm b''", str(len(SAMPLE))]


def test_spark_connect_by_builder() -> None:
    with pytest.raises(SparkConnectError, match="--jars"):
        jelly_spark.configure(SparkSession.builder.remote("sc://localhost"))


def test_spark_connect_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost")
    with pytest.raises(SparkConnectError):
        jelly_spark.configure(SparkSession.builder)
