"""Patches as SPARQL Update, from Spark."""

from pathlib import Path

from pyspark.sql import SparkSession

from jelly_spark.codec import PatchRow
from tests.spark.patches import fails, frame_of, only_file, refuses

ROWS = [
    PatchRow("H", name="id", value="<urn:uuid:1>"),
    PatchRow("TX"),
    PatchRow("D", "<a:s>", "<a:p>", '"1"', "<a:g>"),
    PatchRow("A", "<a:s>", "<a:p>", '"2"', "<a:g>"),
    PatchRow("A", "<a:s>", "<a:p>", '"3"'),
    PatchRow("A", "_:b", "<a:p>", '"4"'),
    PatchRow("TC"),
]

UPDATE = """\
# H id <urn:uuid:1> .
DELETE DATA {
  GRAPH <a:g> {
    <a:s> <a:p> "1" .
  }
} ;
INSERT DATA {
  GRAPH <a:g> {
    <a:s> <a:p> "2" .
  }
  <a:s> <a:p> "3" .
} ;
INSERT DATA {
  <urn:x:b> <a:p> "4" .
}
"""


def test_a_patch_is_written_as_an_update(spark: SparkSession, tmp_path: Path) -> None:
    writer = frame_of(spark, ROWS).write.format("sparql_update")
    writer.options(batchSize=2, skolemBase="urn:x:").save(str(tmp_path / "out"))
    file = only_file(tmp_path / "out")
    assert file.suffix == ".ru"
    assert file.read_text(encoding="utf-8") == UPDATE


def test_what_it_cannot_hold_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    with refuses("a blank node needs the option skolemBase") as refusal:
        frame_of(spark, ROWS).write.format("sparql_update").save(str(tmp_path / "a"))
    assert refusal.row["subject"] == "_:b"
    with refuses("SPARQL Update has no rollback: squash the log first"):
        frame_of(spark, [PatchRow("TX"), PatchRow("TA")]).write.format("sparql_update").save(
            str(tmp_path / "b")
        )
    with fails("batchSize must be a whole number from 1 to 2147483647; not '0'"):
        frame_of(spark, ROWS).write.format("sparql_update").option("batchSize", 0).save(
            str(tmp_path / "c")
        )


def test_it_cannot_be_read(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.ru").write_text(UPDATE, encoding="utf-8")
    with fails("sparql_update can be written, not read"):
        spark.read.format("sparql_update").load(str(tmp_path / "a.ru")).collect()
