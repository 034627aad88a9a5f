"""What Spark's file sources do with files: paths, partitions, metadata, ways to save."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from jelly_spark.codec import JellyPatchOptions, StreamType, read_jelly_patch
from tests.parity.oplines import rows_from_ops
from tests.spark.patches import (
    FORMAT,
    SAMPLE,
    SCHEMA,
    adds,
    data_files,
    encoded,
    fails,
    frame_of,
    only_file,
    read,
    rows_of,
    save,
    write_file,
)
from tests.spark.programs import run


def subjects(*counts: int) -> list[str]:
    """The subjects of the files that `adds` fills, numbered one after the other."""
    return sorted(str(row.subject) for row in adds(sum(counts)))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders of one partition column, and a file that is not data."""
    root = tmp_path_factory.mktemp("tree")
    write_file(root / "day=2026-01-01/a.jellyp", adds(2))
    write_file(root / "day=2026-01-01/b.jellyp", adds(3, first=2))
    write_file(root / "day=2026-01-02/c.jellyp", adds(4, first=5))
    (root / "_hidden").write_text("no patch")
    return root


def test_partition_columns(spark: SparkSession, tree: Path) -> None:
    frame = read(spark, tree)
    assert frame.dtypes[-1] == ("day", "date")
    counts = frame.groupBy(F.col("day").cast("string")).count().orderBy("day").collect()
    assert [tuple(row) for row in counts] == [("2026-01-01", 5), ("2026-01-02", 4)]
    assert frame.where("day = '2026-01-02'").select("subject", "seq", "day").count() == 4
    # Of a partition's column nothing is read from the files.
    assert [str(day) for (day,) in frame.select("day").distinct().orderBy("day").collect()] == [
        "2026-01-01",
        "2026-01-02",
    ]


def test_globs_and_several_paths(spark: SparkSession, tree: Path) -> None:
    assert read(spark, tree / "day=*" / "[bc].jellyp").count() == 7
    assert read(spark, tree / "day=2026-01-01/a.jellyp", tree / "day=2026-01-02").count() == 6
    assert read(spark, tree, pathGlobFilter="a*").count() == 2


def test_folders_in_folders(spark: SparkSession, tmp_path: Path) -> None:
    write_file(tmp_path / "x/a.jellyp", adds(1))
    write_file(tmp_path / "x/y/b.jellyp", adds(2, first=1))
    frame = read(spark, tmp_path, recursiveFileLookup=True)
    assert sorted(row.subject or "" for row in rows_of(frame)) == subjects(3)


@pytest.mark.parametrize(
    "name", ["with space.jellyp", "50%25.jellyp", "é#?.jellyp", "no-extension"]
)
def test_names_of_files(spark: SparkSession, tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "in" / name, SAMPLE)
    assert rows_of(read(spark, tmp_path / "in")) == SAMPLE


def test_metadata_columns(spark: SparkSession, tree: Path) -> None:
    found = (
        read(spark, tree)
        .where("day = '2026-01-01'")
        .groupBy("_metadata.file_name", "_metadata.file_path", "_metadata.file_size")
        .count()
        .orderBy("file_name")
        .collect()
    )
    expected = [
        (path.name, f"file:{path}", path.stat().st_size, count)
        for path, count in (
            (tree / "day=2026-01-01/a.jellyp", 2),
            (tree / "day=2026-01-01/b.jellyp", 3),
        )
    ]
    assert [(name, path.replace("file:///", "file:/"), *rest) for name, path, *rest in found] == (
        expected
    )
    modified = read(spark, tree).selectExpr("max(_metadata.file_modification_time) > '2026-01-01'")
    assert modified.first() == (True,)


def test_many_small_files_in_few_tasks(spark: SparkSession, tmp_path: Path) -> None:
    for i in range(60):
        write_file(tmp_path / f"in/{i:02}.jellyp", adds(3, first=3 * i))
    frame = read(spark, tmp_path / "in")
    assert sorted(row.subject or "" for row in rows_of(frame)) == subjects(180)
    # Each file has its own lookups and its own numbers.
    assert frame.groupBy("seq").count().orderBy("seq").collect() == [(0, 60), (1, 60), (2, 60)]
    per_task = frame.groupBy(F.spark_partition_id().alias("task")).count().collect()
    assert 1 <= len(per_task) <= 4


def test_files_are_not_split(spark: SparkSession, tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.jellyp", adds(1000))
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(path.stat().st_size // 10))
    try:
        assert rows_of(read(spark, path)) == adds(1000)
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")


def test_files_of_several_tasks(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.createDataFrame(
        [(row.op, row.subject, row.predicate, row.object) for row in adds(100)],
        "op string, subject string, predicate string, object string",
    )
    save(frame.repartition(4), tmp_path / "out")
    assert len(data_files(tmp_path / "out")) == 4
    found = rows_of(read(spark, tmp_path / "out"))
    assert sorted(row.subject or "" for row in found) == subjects(100)


def test_partitioned_writes(spark: SparkSession, tmp_path: Path) -> None:
    rows = adds(10)
    frame = frame_of(spark, rows).withColumn("part", F.col("seq") % 2)
    frame.write.format("jelly_patch").partitionBy("part").save(str(tmp_path / "out"))
    for part in (0, 1):
        mine = [row for row in rows if row.seq is not None and row.seq % 2 == part]
        assert only_file(tmp_path / f"out/part={part}").read_bytes() == encoded(mine)
    assert read(spark, tmp_path / "out").dtypes[-1] == ("part", "int")
    assert read(spark, tmp_path / "out").where("part = 1").count() == 5


def test_dynamic_partition_overwrite(spark: SparkSession, tmp_path: Path) -> None:
    def write(count: int, *days: str) -> None:
        days_column = F.explode(F.array(*(F.lit(day) for day in days)))
        frame_of(spark, adds(count)).withColumn("day", days_column).write.format(
            "jelly_patch"
        ).option("partitionOverwriteMode", "dynamic").mode("overwrite").partitionBy("day").save(
            str(tmp_path / "out")
        )

    write(4, "a", "b")
    write(1, "b")
    counts = read(spark, tmp_path / "out").groupBy("day").count().orderBy("day").collect()
    assert counts == [("a", 4), ("b", 1)]


def test_ways_to_save(spark: SparkSession, tmp_path: Path) -> None:
    frame, out = frame_of(spark, adds(2)), tmp_path / "out"
    save(frame, out)
    with fails("PATH_ALREADY_EXISTS"):
        save(frame, out)
    save(frame, out, mode="ignore")
    assert read(spark, out).count() == 2
    save(frame, out, mode="append")
    assert read(spark, out).count() == 4
    save(frame, out, mode="overwrite")
    assert only_file(out).read_bytes() == encoded(adds(2))


def test_names_of_written_files(spark: SparkSession, tmp_path: Path) -> None:
    save(frame_of(spark, SAMPLE), tmp_path / "out")
    assert only_file(tmp_path / "out").suffixes[-1:] == [".jellyp"]
    assert (tmp_path / "out/_SUCCESS").is_file()


def test_options_in_any_case(spark: SparkSession, tmp_path: Path) -> None:
    frame = frame_of(spark, SAMPLE)
    save(frame, tmp_path / "out", STREAMTYPE="fRaMe", maxnametablesize="16", RdfStar="TRUE")
    options = JellyPatchOptions(stream_type=StreamType.FRAME, max_name_table_size=16)
    assert only_file(tmp_path / "out").read_bytes() == encoded(SAMPLE, options)
    assert rows_of(read(spark, tmp_path / "out", Mode="FailFast", TERMS="String")) == SAMPLE


def test_limits_of_a_read(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "big.jellyp"
    path.write_bytes(encoded(SAMPLE, JellyPatchOptions(max_name_table_size=5000)))
    with fails("big.jellyp", "frame at byte 0", "8 to 4096 ", " 5000"):
        read(spark, path).collect()
    assert rows_of(read(spark, path, maxNameTableSize=5000)) == SAMPLE
    with fails("frame at byte 0", "0 to 149 ", " 150"):
        read(spark, path, maxNameTableSize=5000, maxPrefixTableSize=149).collect()
    with fails("frame at byte 0", "0 to 31 ", " 32"):
        read(spark, path, maxNameTableSize=5000, maxDatatypeTableSize=31).collect()


@pytest.mark.parametrize(
    ("option", "value", "valid"),
    [
        ("terms", "nodes", "one of: string, struct"),
        ("mode", "PERMISSIVE", "one of: FAILFAST, DROPMALFORMED"),
        ("strict", "yes", "one of: true, false"),
        ("maxNameTableSize", "7", "a whole number from 8 to"),
        ("maxPrefixTableSize", "many", "a whole number from 0 to"),
        ("maxDatatypeTableSize", "-1", "a whole number from 0 to"),
    ],
)
def test_wrong_options_of_a_read(
    spark: SparkSession, tmp_path: Path, option: str, value: str, valid: str
) -> None:
    path = write_file(tmp_path / "a.jellyp", SAMPLE)
    # The same words as for a write. A value alone could be part of the path or of a stack trace.
    with fails(f"{option} must be {valid}", f"not '{value}'"):
        read(spark, path, **{option: value}).collect()


def test_a_task_of_many_files(tmp_path: Path) -> None:
    """It holds one of them open at a time, also those that end in an error that is left out."""
    data = encoded(SAMPLE)
    for i in range(1000):
        (tmp_path / f"{i}.jellyp").write_bytes(data[:-1] if i % 2 else data)
    program = """
        import resource
        import jelly_spark

        # Spark itself needs some hundreds.
        resource.setrlimit(resource.RLIMIT_NOFILE, (900, 900))
        spark = jelly_spark.configure(builder()).getOrCreate()
        reader = spark.read.format("jelly_patch").option("mode", "DROPMALFORMED")
        print(reader.load(sys.argv[1]).coalesce(1).where("op = 'H'").count())
        spark.stop()
    """
    headers = sum(row.op == "H" for row in SAMPLE)
    assert run(program, tmp_path) == [str(1000 * headers)]


def test_partition_columns_keep_an_order_that_begins_with_them(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = list(rows_from_ops([["A", f"<a:{i}>", "<a:p>", '"o"'] for i in range(200)]))
    frame = frame_of(spark, rows).withColumn("day", F.col("seq") % 2).repartition(1)
    ordered = frame.sortWithinPartitions("day", F.col("seq").desc())
    ordered.write.format("jelly_patch").partitionBy("day").save(str(tmp_path / "out"))
    for day in (0, 1):
        (file,) = (tmp_path / "out" / f"day={day}").glob("*.jellyp")
        assert [row.subject for row in read_jelly_patch(file)] == [
            row.subject for row in reversed(rows) if row.seq is not None and row.seq % 2 == day
        ]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("restartIntervall", "restartInterval"),
        ("RESTARTINTERVAL_", "restartInterval"),
        ("restart_interval", "restartInterval"),
        ("frame-size", "frameSize"),
        ("farmeSize", "frameSize"),
        ("maxNamesTableSizes", "maxNameTableSize"),
        ("stric", "strict"),
        ("modes", "mode"),
    ],
)
def test_misspelt_options(spark: SparkSession, tmp_path: Path, wrong: str, right: str) -> None:
    """Are errors of reads, writes and streams, which name what is meant."""
    path = write_file(tmp_path / "a.jellyp", SAMPLE)
    says = f"did you mean {right}?"
    with fails(says):
        read(spark, path, **{wrong: "1"})
    with fails(says):
        read(spark, path).write.format(FORMAT).option(wrong, "1").save(str(tmp_path / "out"))
    with fails(says):
        stream = spark.readStream.format(FORMAT).schema(SCHEMA).option(wrong, "1")
        query = (
            stream.load(str(tmp_path))
            .writeStream.format("parquet")
            .option("checkpointLocation", str(tmp_path / "log"))
            .start(str(tmp_path / "stream"))
        )
        query.processAllAvailable()


def test_options_of_others(spark: SparkSession, tmp_path: Path) -> None:
    """Are ignored, whoever has them: Spark's sources, file systems, or nobody."""
    path = write_file(tmp_path / "a.jellyp", SAMPLE)
    options: dict[str, Any] = {
        "recursiveFileLookup": True,
        "pathGlobFilter": "*.jellyp",
        "modifiedAfter": "2000-01-01T00:00:00",
        "mergeSchema": True,
        "header": True,
        "delimiter": ",",
        "encoding": "UTF-8",
        "fs.s3a.endpoint": "x",
        "serialization.format": "1",
        "style": "v1",
        "owner": "me",
        "x": "y",
    }
    frame = read(spark, path, **options)
    assert rows_of(frame) == SAMPLE
    frame.write.format(FORMAT).options(**options).save(str(tmp_path / "out"))
    assert only_file(tmp_path / "out").read_bytes() == encoded(SAMPLE)
