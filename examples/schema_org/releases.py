"""Make a log of the releases of schema.org's vocabulary, and query what changed.

    python examples/schema_org/releases.py RELEASES LOG PICTURE [TERM]

RELEASES is a folder with the N-Triples file of each release, such as `28.0.nt.gz`. LOG is the
folder of the log, to which new releases are appended. PICTURE is the SVG file for a plot of the
adds and deletes of each release. TERM is the term whose history is printed, by default TextObject.

Needs `jelly-spark` and `matplotlib`, but not Spark.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from pathlib import Path

from matplotlib.figure import Figure

from jelly_spark import Log, codec, patches
from jelly_spark.codec import PatchRow

SCHEMA = "https://schema.org/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def main(releases: str, folder: str, picture: str, term: str = "TextObject") -> None:
    """Bring the log up to date, print the changes, and save the plot."""
    log = Log(folder)
    append_releases(log, Path(releases))

    names = [name_of(version.id) for version in log.versions()]
    counts = Counter((change.log_seq, change.change) for change in patches.changes(log.read()))
    adds = [counts[place, "A"] for place in range(len(names))]
    deletes = [counts[place, "D"] for place in range(len(names))]
    print("release    adds  deletes")
    for row in zip(names, adds, deletes, strict=True):
        print("{:7} {:7,} {:8,}".format(*row))

    print(f"\n{term}:")
    subject = f"<{SCHEMA}{term}>"
    for interval in log.history(lambda found: found[:2] == (subject, TYPE)):
        assert interval.added_by  # the log has all its patches
        until = f"until {name_of(interval.removed_by)}" if interval.removed_by else "and is there"
        print(f"  came with {name_of(interval.added_by)}, {until}")
    plot(names, adds, deletes).savefig(picture)


def append_releases(log: Log[PatchRow], folder: Path) -> None:
    """Append a patch for each release that the log does not have yet."""
    known = {version.id for version in log.versions()}
    before: patches.Statements = log.state_at() if known else set()
    for file in sorted(folder.glob("*.nt.gz"), key=version_of):
        id = f"<{SCHEMA}version/{file.name.removesuffix('.nt.gz')}>"
        if id not in known:
            after = [*codec.read_ntriples(file)]
            log.append(patches.diff(before, after, id=id, prev=log.head()))
            before = after


def version_of(file: Path) -> list[int]:
    """Return the numbers in the name of a release."""
    return [int(number) for number in file.name.removesuffix(".nt.gz").split(".")]


def name_of(id: str) -> str:
    """Return the name of the release whose patch has this id."""
    return id.rstrip(">").rpartition("/")[2]


def plot(names: list[str], adds: list[int], deletes: list[int]) -> Figure:
    """Return a plot of the adds and deletes of each release except the first."""
    figure = Figure(figsize=(4.6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.bar(names[1:], adds[1:], color="tab:green", label="adds")
    axes.bar(names[1:], [-count for count in deletes[1:]], color="tab:red", label="deletes")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.tick_params(axis="x", rotation=90)
    axes.set_xlabel("release of schema.org")
    axes.set_ylabel("statements")
    axes.legend()
    return figure


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("RELEASES", "LOG", "PICTURE"):
        parser.add_argument(name)
    parser.add_argument("TERM", nargs="?", default="TextObject")
    main(*vars(parser.parse_args()).values())
