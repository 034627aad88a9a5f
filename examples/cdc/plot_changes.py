"""Plot the tables of `log_to_delta.py`: what each patch changed, and the size of the state.

    python examples/cdc/plot_changes.py TABLES PICTURE

TABLES is the folder of the tables. PICTURE is the SVG file to write. Dashed lines separate the
micro-batches. Needs `matplotlib`.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from itertools import accumulate

from matplotlib.figure import Figure
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F


def by_patch(spark: SparkSession, tables: str) -> list[Row]:
    """Return the numbers of adds and deletes of each patch that changed something."""
    changes = spark.read.format("delta").load(f"{tables}/changes")
    counts = changes.groupBy("log_seq", "batch_end").agg(
        F.count_if(F.col("change") == "A").alias("adds"),
        F.count_if(F.col("change") == "D").alias("deletes"),
    )
    return counts.orderBy("log_seq").collect()


def plot(patches: list[Row]) -> Figure:
    """Return a plot of the adds and deletes of each patch, and of the rows of `state` after it."""
    figure = Figure(figsize=(4.6, 3.5), layout="constrained", facecolor="white")
    axes = figure.subplots()
    places = [row.log_seq for row in patches]
    axes.bar(places, [row.adds for row in patches], color="tab:green", label="added")
    axes.bar(places, [-row.deletes for row in patches], color="tab:red", label="deleted")
    rows = [*accumulate(row.adds - row.deletes for row in patches)]
    axes.step(places, rows, where="mid", color="tab:blue", label="rows of state")
    for end in sorted({row.batch_end for row in patches}):
        axes.axvline(end + 0.5, color="gray", linestyle="--", linewidth=0.8)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlabel("patch (log_seq)")
    axes.set_ylabel("statements")
    axes.legend()
    return figure


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("TABLES", "PICTURE"):
        parser.add_argument(name)
    tables, picture = vars(parser.parse_args()).values()
    plot(by_patch(SparkSession.builder.getOrCreate(), tables)).savefig(picture)
