"""Turn a full dump into a patch and append it to a log, in a job that runs every night.

    python examples/nightly/dump_to_log.py LOG FORMAT DUMP

LOG is the folder of the log, which the first run creates. FORMAT is the format of the dump, such as
`jelly_rdf`. DUMP is its file or folder. The patch has the changes from the log's last version to
the dump.
"""

import sys
import uuid
from argparse import ArgumentParser, RawDescriptionHelpFormatter

from pyspark.sql import DataFrame, SparkSession

import jelly_spark
from jelly_spark import Log, algebra
from jelly_spark.errors import LogConflictError


def append(log: Log[DataFrame], dump: DataFrame) -> str:
    """Append the difference between the log's last version and a dump; return a message."""
    head = log.head()
    id = f"<urn:uuid:{uuid.uuid4()}>"
    patch = algebra.diff(log.state_at(), dump, id=id, prev=head).persist()
    try:
        if patch.where("op <> 'H'").isEmpty():
            return f"nothing changed since {head}"
        version = log.append(patch, canonical=True)
    finally:
        patch.unpersist()
    # A run reads only the last snapshot and the patches after it.
    log.compact(if_due=True)
    return f"{version.id} is patch {version.log_seq} of the log"


def main(path: str, format: str, dump: str) -> None:
    """Append the difference. If another job appended first, compute the difference again."""
    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    log = Log(path, spark)
    while True:
        try:
            print(append(log, spark.read.format(format).load(dump)))
            return
        except LogConflictError as error:
            print(error, file=sys.stderr)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("LOG", "FORMAT", "DUMP"):
        parser.add_argument(name)
    main(*vars(parser.parse_args()).values())
