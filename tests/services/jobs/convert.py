"""Reads messages in any format of patches, and sends them on as Jelly-Patch.

python -m tests.services.jobs.convert SERVERS FROM TO
"""

import sys

from tests.services.session import start_session

DECODED = """
    CASE string(get(filter(headers, header -> header.key = 'Content-Type'), 0).value)
        WHEN 'application/x-jelly-rdf-patch' THEN from_jelly_patch(value)
        WHEN 'application/rdf-patch' THEN from_rdf_patch(value)
        WHEN 'application/rdf-patch+thrift' THEN from_rdf_patch_thrift(value)
    END
"""
HEADERS = "array(struct('Content-Type' AS key, binary('application/x-jelly-rdf-patch') AS value))"


def main(servers: str, source: str, target: str) -> None:
    spark = start_session()
    kafka = {"kafka.bootstrap.servers": servers, "includeHeaders": "true"}
    messages = spark.read.format("kafka").options(**kafka).option("subscribe", source).load()
    ordered = messages.coalesce(1).sortWithinPartitions("offset")
    sent = ordered.selectExpr("key", f"to_jelly_patch({DECODED}) AS value", f"{HEADERS} AS headers")
    sent.write.format("kafka").options(**kafka).option("topic", target).save()


if __name__ == "__main__":
    main(*sys.argv[1:])
