"""Turn a full dump into a patch and append it to a log, in a job that runs every night.

    python examples/nightly/dump_to_log.py LOG FORMAT DUMP [--blank-nodes match]

LOG is the folder of the log, which the first run creates. FORMAT is the format of the dump, such as
`jelly_rdf`. DUMP is its file or folder. The patch has the changes from the log's last version to
the dump. Blank nodes are compared by their labels, or matched by what is said of them.
"""

import sys
import uuid
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import get_args

from pyspark.sql import DataFrame, SparkSession

import jelly_spark
from jelly_spark import Log, algebra
from jelly_spark.errors import LogConflictError
from jelly_spark.patches import BlankNodes


def append(log: Log[DataFrame], dump: DataFrame, blank_nodes: BlankNodes = "label") -> str:
    """Append the difference between the log's last version and a dump; return a message."""
    head = log.head()
    id = f"<urn:uuid:{uuid.uuid4()}>"
    patch = algebra.diff(log.state_at(), dump, id=id, prev=head, blank_nodes=blank_nodes)
    patch.persist()
    try:
        if patch.where("op <> 'H'").isEmpty():
            return f"nothing changed since {head}"
        version = log.append(patch, assume_canonical=True)
    finally:
        patch.unpersist()
    # A run reads only the last snapshot and the patches after it.
    log.compact(if_due=True)
    return f"{version.id} is patch {version.log_seq} of the log"


def main(path: str, format: str, dump: str, blank_nodes: BlankNodes) -> None:
    """Append the difference. If another job appended first, compute the difference again."""
    spark = jelly_spark.configure(SparkSession.builder).getOrCreate()
    log = Log(path, spark)
    while True:
        try:
            print(append(log, spark.read.format(format).load(dump), blank_nodes))
            return
        except LogConflictError as error:
            print(error, file=sys.stderr)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("LOG", "FORMAT", "DUMP"):
        parser.add_argument(name)
    parser.add_argument("--blank-nodes", choices=get_args(BlankNodes), default="label")
    main(*vars(parser.parse_args()).values())
