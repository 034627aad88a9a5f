"""The data sources without the jar, on files in an object store."""

import json
from pathlib import Path

import boto3
import pytest

from jelly_spark import codec
from tests.objectstore.server import BUCKET, s3_server
from tests.spark.patches import adds
from tests.spark.programs import run

ROWS = 200
"""The rows of each file that is read."""

PROGRAM = """
import json
url, checkpoint, runs = sys.argv[1:]
spark = builder().getOrCreate()
assert not on_classpath(spark, "org/jellyspark")
def load(path, format="jelly_patch"):
    return spark.read.format(format).load(f"{url}/{path}")
schema = load("in/day=1").schema.add("day", "integer")
days = spark.read.format("jelly_patch").schema(schema).load(f"{url}/in")
print(json.dumps([tuple(row) for row in days.groupBy("day").count().orderBy("day").collect()]))
print(load("in/day=*/[ab].jellyp").count())
for mode in ("append", "append", "overwrite"):
    load("in/day=1").write.format("rdf_patch").mode(mode).save(f"{url}/out")
    print(load("out", "rdf_patch").count())
for _ in range(int(runs)):
    stream = spark.readStream.format("jelly_patch").load(f"{url}/in/day=2")
    writer = stream.writeStream.format("jelly_patch")
    writer = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)
    assert writer.start(f"{url}/stream").awaitTermination(120)
    print(load("stream").count())
"""


@pytest.mark.parametrize("runs", [0, pytest.param(2, marks=pytest.mark.long)])
def test_batches_and_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: int) -> None:
    """A batch, and the runs of a stream."""
    with s3_server() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        url = f"s3://{BUCKET}"
        for place in ("day=1/a", "day=2/b", "day=2/c"):
            codec.write(f"{url}/in/{place}.jellyp", adds(ROWS))
        counts, *others = run(PROGRAM, url, tmp_path / "checkpoint", str(runs))
        assert json.loads(counts) == [[1, ROWS], [2, 2 * ROWS]]
        assert [int(text) / ROWS for text in others] == [2, 1, 2, 1, *[2] * runs]
        objects = boto3.client("s3").list_objects_v2(Bucket=BUCKET)["Contents"]
        assert not any(entry["Key"].endswith(".part") for entry in objects)
