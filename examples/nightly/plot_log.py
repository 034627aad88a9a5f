"""Plot the size of each patch of a log next to that of a full copy of the same version.

    python examples/nightly/plot_log.py LOG PICTURE

LOG is the folder of a log, with one patch in each file. A full copy is the state after the patch,
written as Jelly-RDF. PICTURE is the SVG file to write. Needs `matplotlib`, but not Spark.
"""

import io
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

from matplotlib.figure import Figure

from jelly_spark import Log, codec, patches
from jelly_spark.codec import RdfRow


def sizes(folder: str) -> list[tuple[int, int]]:
    """Return the sizes in bytes of each patch and of the state after it."""
    log = Log(folder)
    found = []
    before = None
    state: set[patches.Statement] = set()
    for version in log.versions():
        state, _ = patches.apply(state, log.read(before, version.id))
        copy = io.BytesIO()
        rows = (RdfRow(*statement) for statement in sorted(state, key=str))
        codec.write(copy, rows, format="jelly_rdf")
        found.append((Path(folder, version.file).stat().st_size, copy.tell()))
        before = version.id
    return found


def plot(sizes: list[tuple[int, int]]) -> Figure:
    """Return a bar chart of these sizes. The first patch adds the whole first dump."""
    figure = Figure(figsize=(4.6, 3.5), layout="constrained", facecolor="white")
    axes = figure.subplots()
    for number, (label, color) in enumerate((("patch", "tab:blue"), ("full copy", "tab:gray"))):
        places = [place + 0.4 * number - 0.2 for place in range(len(sizes))]
        kilobytes = [size[number] / 1000 for size in sizes]
        bars = axes.bar(places, kilobytes, width=0.4, color=color, label=label)
        axes.bar_label(bars, [f"{size:.3g}" for size in kilobytes], padding=2, rotation=90)
    axes.margins(y=0.15)
    axes.set_xticks(range(len(sizes)))
    axes.set_xlabel("patch (log_seq)")
    axes.set_ylabel("kB")
    axes.legend(loc="upper center", ncols=2, bbox_to_anchor=(0.5, 1.15))
    return figure


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("LOG", "PICTURE"):
        parser.add_argument(name)
    folder, picture = vars(parser.parse_args()).values()
    plot(sizes(folder)).savefig(picture)
