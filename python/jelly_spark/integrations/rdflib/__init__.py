"""rdflib: terms, patches for graphs and datasets, and plugins for `Graph.parse` and `serialize`.

    import rdflib
    from jelly_spark import codec
    from jelly_spark.integrations.rdflib import apply_patch, record

    dataset = rdflib.Dataset()
    apply_patch(dataset, codec.read("changes.jellyp"))
    with record(dataset, id="<urn:uuid:2>") as patch:
        dataset.add((rdflib.URIRef("urn:x:s"), rdflib.URIRef("urn:x:p"), rdflib.Literal("new")))
    codec.write("patch.jellyp", patch)

It needs the extra `jelly-spark[rdflib]`. If this package is installed, rdflib finds its parser and
serializer by the format `jelly-patch`.
"""

from jelly_spark.core.packages import needs_extra

with needs_extra("rdflib", "jelly_spark.integrations.rdflib needs a package"):
    import rdflib as _rdflib  # noqa: F401

from jelly_spark.integrations.rdflib.applying import apply_patch
from jelly_spark.integrations.rdflib.recording import record
from jelly_spark.integrations.rdflib.statements import rows
from jelly_spark.integrations.rdflib.terms import from_rdflib, to_rdflib
from jelly_spark.integrations.recordings import Recording

__all__ = ["Recording", "apply_patch", "from_rdflib", "record", "rows", "to_rdflib"]
