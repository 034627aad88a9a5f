"""Spark Connect, with a real server: the data source works, the JVM itself is out of reach."""

from pathlib import Path

from jelly_spark.session import jar_path
from tests.spark.patches import SAMPLE, encoded, only_file, write_file
from tests.spark.programs import run

PROGRAM = """
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F

    import jelly_spark
    from jelly_spark import bridge
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
