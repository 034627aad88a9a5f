"""pyoxigraph: terms, patches for stores, and the statements of stores as rows.

    from pyoxigraph import Store
    from jelly_spark import codec
    from jelly_spark.integrations.oxigraph import apply_patch, record, rows

    store = Store()
    apply_patch(store, codec.read("changes.jellyp"))
    codec.write("state.jelly", rows(store))
    with record(store, id="<urn:uuid:2>") as patch:
        store.update("INSERT DATA { <urn:x:s> <urn:x:p> 'new' }")
    codec.write("patch.jellyp", patch)

It needs the extra `jelly-spark[oxigraph]`.
"""

from jelly_spark.core.packages import needs_extra

with needs_extra("oxigraph", "jelly_spark.integrations.oxigraph needs a package"):
    import pyoxigraph as _pyoxigraph  # noqa: F401

from jelly_spark.integrations.oxigraph.applying import apply_patch
from jelly_spark.integrations.oxigraph.recording import record
from jelly_spark.integrations.oxigraph.statements import load, rows
from jelly_spark.integrations.oxigraph.terms import OxigraphTerm, from_oxigraph, to_oxigraph
from jelly_spark.integrations.recordings import Recording

__all__ = [
    "OxigraphTerm",
    "Recording",
    "apply_patch",
    "from_oxigraph",
    "load",
    "record",
    "rows",
    "to_oxigraph",
]
