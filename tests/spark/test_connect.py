"""Spark Connect, with a real server: the data source works, the JVM itself is out of reach."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jelly_spark.session import jar_path
from tests.spark.connect import ConnectServer, connect_server
from tests.spark.patches import SAMPLE, encoded, only_file, write_file
from tests.spark.programs import run

PROGRAM = """
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F

    import jelly_spark
    from jelly_spark import _bridge as bridge
    from jelly_spark.functions import from_jelly_patch, to_jelly_patch
    from jelly_spark.errors import SparkConnectError

    jar, source, bad, target = sys.argv[1:]
    spark = (
        SparkSession.builder.remote("local[1]")
        .config("spark.jars", jar)
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    print(type(spark).__module__)
    frame = spark.read.format("jelly_patch").load(source)
    print(frame.count())
    frame.coalesce(1).write.format("jelly_patch").option("streamType", "punctuated").save(target)

    for call in (
        lambda: list(bridge.decode(source)),
        lambda: bridge.encode([], format="jelly_patch", spark=spark),
        lambda: jelly_spark.configure(SparkSession.builder),
    ):
        try:
            call()
        except SparkConnectError as error:
            print("SparkConnectError")

    try:
        spark.read.format("jelly_patch").load(bad).collect()
    except PySparkException as error:
        reason, *_ = str(error).splitlines()
        print(bad.rsplit("/")[-1] in reason, "frame at byte 0: expected" in reason)
        print(error.getCondition(), error.getSqlState(), error.getMessageParameters()["place"])

    try:
        frame.withColumn("note", frame.op).write.format("jelly_patch").save(target + "-2")
    except PySparkException as error:
        print("no column 'note'" in str(error))

    with open(source, "rb") as file:
        message = file.read()
    messages = spark.createDataFrame([(message,), (None,)], "value binary")
    print(messages.select(F.size(from_jelly_patch("value"))).collect()[0][0])
    again = to_jelly_patch(from_jelly_patch("value"), {"delimited": True})
    print([row[0] and row[0] == message for row in messages.select(again).collect()])
    print(messages.selectExpr("inline(from_jelly_patch(value))").count())
    try:
        messages.select(from_jelly_patch("value", {"maxRowSise": 1})).collect()
    except PySparkException as error:
        print("did you mean maxRowSize?" in str(error))
    spark.stop()
"""


def test_connect(tmp_path: Path) -> None:
    source = write_file(tmp_path / "in.jellyp", SAMPLE)
    bad = tmp_path / "bad.jellyp"
    bad.write_bytes(source.read_bytes()[:-1])
    assert run(PROGRAM, jar_path(), source, bad, tmp_path / "out") == [
        "pyspark.sql.connect.session",
        str(len(SAMPLE)),
        *["SparkConnectError"] * 3,
        "True True",
        "FAILED_READ_FILE.NO_HINT KD001 frame at byte 0",
        "True",
        str(len(SAMPLE)),
        "[True, None]",
        str(len(SAMPLE)),
        "True",
    ]
    assert only_file(tmp_path / "out").read_bytes() == encoded(SAMPLE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConnectServer]:
    """A server with the jar; its clients have no JVM and no Py4J."""
    with connect_server(tmp_path_factory.mktemp("server")) as server:
        yield server


def test_sources_of_a_client_without_a_jvm(server: ConnectServer, tmp_path: Path) -> None:
    target = tmp_path / "out"
    program = """
        import jelly_spark
        from jelly_spark.codec import PatchRow

        rows = [PatchRow("A", "<urn:s>", "<urn:p>", f'"{i}"') for i in range(3)]
        frame = spark.createDataFrame(rows, jelly_spark.schema("jelly_patch"))
        frame.coalesce(1).write.format("jelly_patch").save(sys.argv[2])
        log = spark.read.format("jelly_patch").load(sys.argv[2])
        print([row.object for row in log.orderBy("seq").collect()])
        print(spark.sql(f"SELECT count(*) FROM jelly_patch.`{sys.argv[2]}`").first()[0])
        spark.sql("CREATE TABLE log USING rdf_patch AS SELECT op, subject, predicate, object FROM "
                  f"jelly_patch.`{sys.argv[2]}`")
        print(spark.table("log").count())
        spark.sql("DROP TABLE log")
    """
    assert server.run(program, target) == [str(['"0"', '"1"', '"2"']), "3", "3"]


def test_streams_of_a_client_without_a_jvm(server: ConnectServer, tmp_path: Path) -> None:
    for number in range(3):
        write_file(tmp_path / f"in/{number}.jellyp", SAMPLE)
    program = """
        import jelly_spark

        source, target, checkpoint = sys.argv[2:]
        stream = jelly_spark.read_stream(
            spark, "jelly_patch", source, terms="struct", maxFilesPerTrigger=1
        )
        print(stream.schema == jelly_spark.schema("jelly_patch", terms="struct"))
        query = (
            stream.where("op = 'A'")
            .writeStream.format("rdf_patch")
            .option("checkpointLocation", checkpoint)
            .trigger(availableNow=True)
            .start(target)
        )
        print(query.awaitTermination(60), len(query.recentProgress))
        print(spark.read.format("rdf_patch").load(target).count())
    """
    found = server.run(program, tmp_path / "in", tmp_path / "out", tmp_path / "checkpoint")
    assert found == ["True", "True 3", str(3 * sum(row.op == "A" for row in SAMPLE))]


def test_what_needs_a_jvm_says_so(server: ConnectServer, tmp_path: Path) -> None:
    program = """
        import jelly_spark
        from jelly_spark import _bridge as bridge
        from jelly_spark.errors import SparkConnectError

        for call in (
            lambda: jelly_spark.configure(SparkSession.builder),
            lambda: list(bridge.decode(b"", format="jelly_patch")),
            lambda: bridge.engines("jelly_patch", spark=spark),
        ):
            try:
                call()
            except SparkConnectError as error:
                print("Spark Connect" in str(error))
    """
    assert server.run(program) == ["True"] * 3
