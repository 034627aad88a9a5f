"""Spark Connect, with a real server: all that works, and that the JVM itself is out of reach.

The tests stand in one module because each server is a JVM.
"""

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
        lambda: bridge.engines("jelly_patch", spark=spark),
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


@pytest.fixture(scope="module")
def server_without_jar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConnectServer]:
    """A server without the jar."""
    with connect_server(tmp_path_factory.mktemp("server"), with_jar=False) as server:
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


def test_the_algebra(server: ConnectServer, tmp_path: Path) -> None:
    program = """
        from jelly_spark import algebra
        from pyspark.sql import functions as F

        path = sys.argv[2]
        schema = "subject string, predicate string, object string"
        before = spark.createDataFrame([("<urn:s>", "<urn:p>", o) for o in ('"a"', '"b"')], schema)
        after = spark.createDataFrame([("<urn:s>", "<urn:p>", o) for o in ('"b"', '"c"')], schema)
        patch = algebra.diff(before, after, id="<urn:2>", prev="<urn:1>")
        patch.write.format("jelly_patch").save(path)
        log = spark.read.format("jelly_patch").load(path)
        print([row.op for row in patch.collect()])
        print(sorted(row.object for row in algebra.apply(before, log)[0].collect()))
        print(algebra.state(log)[0].count(), algebra.changes(log, before).count())
        print(algebra.history(log, F.col("object") == '"c"', before).first().added_by)
        print([row.op for row in algebra.squash(log, after).collect()])
        print([row.op for row in algebra.invert(log).collect()])
        print(algebra.concat(log, log).count(), algebra.split(log, by=1).count())
        print(algebra.validate(log, before).count())
    """
    assert server.run(program, tmp_path / "patch") == [
        "['H', 'H', 'TX', 'D', 'A', 'TC']",
        """['"b"', '"c"']""",
        "1 2",
        "<urn:2>",
        "['H', 'H']",
        "['H', 'H', 'TX', 'D', 'A', 'TC']",
        "12 8",
        "0",
    ]


@pytest.mark.long
def test_matching_of_blank_nodes(server: ConnectServer) -> None:
    program = """
        from jelly_spark import algebra

        schema = "subject string, predicate string, object string"
        nodes = [spark.createDataFrame([(x, "<urn:p>", x)], schema) for x in ("_:a", "_:b")]
        print(algebra.diff(*nodes, blank_nodes="match").count())
    """
    assert server.run(program) == ["0"]


def test_functions_of_terms(server: ConnectServer) -> None:
    program = """
        import jelly_spark.functions as jf
        from pyspark.errors import PySparkException
        from pyspark.sql import functions as F

        frame = spark.createDataFrame([("<urn:a>",), ('"b"@en',), (None,)], "term string")
        struct = jf.term_to_struct("term")
        made = jf.lang_literal(jf.term_value("term"), "de")
        for row in frame.select("term", struct.kind, made, jf.struct_to_term(struct)).collect():
            print(*row)
        print(frame.where(jf.is_literal(frame.term)).count())
        print(spark.sql("SELECT try_term_kind('oops')").first()[0])
        try:
            spark.sql("SELECT term_value('oops')").collect()
        except PySparkException as error:
            print(error.getCondition(), "in 'oops' (try_term_value" in str(error))
    """
    assert server.run(program) == [
        '<urn:a> iri "urn:a"@de <urn:a>',
        '"b"@en literal "b"@de "b"@en',
        "None None None None",
        "1",
        "None",
        "CONVERSION_INVALID_INPUT True",
    ]


def test_functions_without_the_jar(server_without_jar: ConnectServer) -> None:
    program = """
        from jelly_spark import algebra
        from jelly_spark import functions as jf
        from jelly_spark.jvm import session_has_jar
        from pyspark.errors import PySparkException
        from pyspark.sql import functions as F

        print(session_has_jar())
        frame = spark.createDataFrame([("<urn:a>",), ('"b"@en',), (None,)], "term string")
        struct = jf.term_to_struct("term")
        made = jf.lang_literal(jf.term_value("term"), "de")
        for row in frame.select("term", struct.kind, made, jf.struct_to_term(struct)).collect():
            print(*row)
        print(frame.where(jf.is_literal(frame.term)).count())
        try:
            frame.select(jf.term_value(F.lit("oops"))).collect()
        except PySparkException as error:
            print("in 'oops' (try_term_value" in str(error))
        row = F.struct(F.lit("A").alias("op"), *(
            F.lit(text).alias(name)
            for name, text in (("subject", "<s>"), ("predicate", "<p>"), ("object", '"o"'))
        ))
        message = spark.range(1).select(jf.to_rdf_patch(F.array(row)).alias("text"))
        print(message.first().text.strip())
        print(message.select(F.inline(jf.from_rdf_patch("text"))).first().object)
        state = spark.createDataFrame([("<s>", "<p>", '"o"')],
                                      "subject string, predicate string, object string")
        print([row.op for row in algebra.diff(state.limit(0), state).collect()])
    """
    assert server_without_jar.run(program) == [
        "False",
        '<urn:a> iri "urn:a"@de <urn:a>',
        '"b"@en literal "b"@de "b"@en',
        "None None None None",
        "1",
        "True",
        'A <s> <p> "o" .',
        '"o"',
        "['TX', 'A', 'TC']",
    ]


def test_logs_in_sql(server: ConnectServer, tmp_path: Path) -> None:
    program = """
        from pyspark.errors import PySparkException
        from pyspark.sql import functions as F

        spark.conf.set("spark.sql.catalog.logs", "org.jellyspark.LogCatalog")
        spark.conf.set("spark.sql.catalog.logs.path", sys.argv[2])
        spark.sql("CREATE TABLE logs.shop")
        spark.sql("INSERT INTO logs.shop VALUES ('<urn:s>', '<urn:p>', '\\"1\\"', NULL)")
        spark.table("logs.shop").withColumn("object", F.lit('"2"')).writeTo("logs.shop").append()
        spark.sql("UPDATE logs.shop SET object = '\\"3\\"' WHERE object = '\\"2\\"'")
        other = spark.createDataFrame([('"1"',), ('"4"',)], "value string")
        same = F.col("object") == F.col("value")
        (
            other.mergeInto("logs.shop", same)
            .whenMatched().delete()
            .whenNotMatched().insert({"subject": F.lit("<urn:s>"), "predicate": F.lit("<urn:p>"),
                                      "object": F.col("value")})
            .merge()
        )
        print(sorted(row.object for row in spark.table("logs.shop").collect()))
        print(spark.table("logs.shop.versions").count())
        try:
            spark.sql("INSERT INTO logs.shop VALUES (NULL, '<urn:p>', '\\"1\\"', NULL)")
        except PySparkException as error:
            print("subject must be an IRI or a blank node" in str(error))

        source, checkpoint = f"{sys.argv[2]}/source", f"{sys.argv[2]}/checkpoint"
        spark.table("logs.shop").selectExpr("*", "'D' AS op").limit(1).write.parquet(source)
        schema = "subject string, predicate string, object string, graph string, op string"
        writer = spark.readStream.schema(schema).parquet(source).writeStream
        writer = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)
        writer.toTable("logs.shop").awaitTermination()
        print(spark.table("logs.shop").count())
    """
    assert server.run(program, tmp_path) == ["""['"3"', '"4"']""", "4", "True", "1"]


@pytest.mark.long
def test_random_statements_on_logs(server: ConnectServer, tmp_path: Path) -> None:
    program = """
        from pathlib import Path

        from tests.log.sql.random_statements import check_random_statements

        spark.conf.set("spark.sql.catalog.random", "org.jellyspark.LogCatalog")
        spark.conf.set("spark.sql.catalog.random.path", sys.argv[2])
        states = check_random_statements(
            spark, "random", Path(sys.argv[2]), count=300, seed=2, ranges=60
        )
        print(len(states) > 100)
    """
    assert server.run(program, tmp_path, timeout=3600) == ["True"]
