"""Run where FOLDER/FORMAT is a small file system for each format: writes more than it holds, and
looks what is left.

    full_disk.py FOLDER SOURCE FORMAT...

A file system for each, because Hadoop's local file system leaves the file open that it could not
finish: the disk stays full until the JVM collects its garbage. So Spark writes last, too.

Prints a line of JSON for each format: what the Python codec, the bridge and Spark raise, whether
the files are those of before, and how many rows they have.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.formats import FORMATS

BEFORE = 10
ROWS = 40_000
"""Some 3 MB in any format."""


def session() -> SparkSession:
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    return jelly_spark.configure(builder.config("spark.log.level", "OFF")).getOrCreate()


def write(spark: SparkSession, folder: Path, format: str, size: int) -> None:
    text = "CONCAT('\"', SHA2(STRING(id), 256), '\"') AS object"
    op = [] if FORMATS[format].row is RdfRow else ["'A' AS op"]
    frame = spark.range(0, size, 1, 1).selectExpr(
        *op, "'<urn:s>' AS subject", "'<urn:p>' AS predicate", text
    )
    frame.write.format(format).mode("append").save(str(folder))


def rows(format: str) -> Iterator[PatchRow] | Iterator[RdfRow]:
    for number in range(ROWS):
        terms = ("<urn:s>", "<urn:p>", f'"{number:064}"')
        yield RdfRow(*terms) if FORMATS[format].row is RdfRow else PatchRow("A", *terms)


def files(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if path.is_file())


def error_of(work: Any, *args: Any) -> str:
    try:
        work(*args)
    except Exception as error:  # whatever it is, it is what the user sees
        return f"{type(error).__name__}: {error}"
    return ""


def main(folder: Path, source: Path, formats: list[str]) -> None:
    spark = session()
    for format in formats:
        extension = FORMATS[format].extension
        disk, target = folder / format, folder / format / "rows"
        write(spark, target, format, BEFORE)
        before = files(disk)
        codec_error = error_of(codec.write, disk / f"file{extension}", rows(format))
        spark_error = error_of(write, spark, target, format, ROWS)
        found = spark.read.format(format).load(str(target)).where("object IS NOT NULL").count()
        errors = [codec_error, spark_error]
        print(json.dumps({"errors": errors, "same": files(disk) == before, "rows": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
