"""Other libraries' terms, stores and tables, and this package's rows; no Spark import.

Each module needs a library, and names the extra that installs it if it is missing:

- `jelly_spark.integrations.rdflib`: `jelly-spark[rdflib]`
- `jelly_spark.integrations.oxigraph`: `jelly-spark[oxigraph]`
- `jelly_spark.integrations.arrow`: `jelly-spark[arrow]`
- `jelly_spark.integrations.pyjelly`: `jelly-spark[pyjelly]`
"""
