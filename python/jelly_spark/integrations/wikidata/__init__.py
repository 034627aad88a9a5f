"""Wikidata: the events of its query service's updates as patches.

    from jelly_spark import Log
    from jelly_spark.integrations import wikidata

    log = Log("wikidata")
    log.append_all(wikidata.patches("events.jsonl.gz", prev=log.head()))

The events are those of the streams `rdf-streaming-updater.mutation.v2`, with the schema
`mediawiki/wikibase/entity/rdf_change` 2.0.0. It needs the extra `jelly-spark[rdf]`.
"""

from jelly_spark.integrations.wikidata.changes import patches

__all__ = ["patches"]
