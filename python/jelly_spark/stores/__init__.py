"""Keep triple stores in step with a log, and a log in step with one on a server.

    from jelly_spark.log import Log
    from jelly_spark.stores import SparqlStore, push

    store = SparqlStore("http://localhost:7878/update", query="http://localhost:7878/query")
    print(push(Log("log"), store))

A `SparqlStore` is any store with SPARQL 1.1 Update, a `FusekiStore` is Jena Fuseki by its patch
service. Where a store stands is kept in the store, in the same transaction as the data, or in a
`PositionFile`. Nothing but Python's standard library is needed.

The other way, `pull` appends the patches of an `RdfDeltaLog`, a log on an RDF Delta server:

    from jelly_spark.stores import RdfDeltaLog, pull

    print(pull(RdfDeltaLog("http://localhost:1066/shop"), Log("copy")))
"""

from jelly_spark.stores.fuseki import FusekiStore
from jelly_spark.stores.position_files import PositionFile
from jelly_spark.stores.pulling import Pulled, pull
from jelly_spark.stores.pushing import Progress, Pushed, push
from jelly_spark.stores.rdf_delta import DeltaVersions, RdfDeltaLog
from jelly_spark.stores.sparql import SparqlStore
from jelly_spark.stores.store import TripleStore

__all__ = [
    "DeltaVersions",
    "FusekiStore",
    "PositionFile",
    "Progress",
    "Pulled",
    "Pushed",
    "RdfDeltaLog",
    "SparqlStore",
    "TripleStore",
    "pull",
    "push",
]
