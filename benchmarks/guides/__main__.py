"""Measure something, and print a table that a guide shows: `make bench-guide NAME=...`."""

from __future__ import annotations

from argparse import ArgumentParser

from benchmarks.guides import command_line, oxigraph, row_paths, text_splits, without_jar
from benchmarks.tables import table

_MODULES = (command_line, oxigraph, row_paths, text_splits, without_jar)


def main() -> None:
    """Run the program that the command line names."""
    parser = ArgumentParser(prog="python -m benchmarks.guides", description=__doc__)
    names = parser.add_subparsers(metavar="NAME", required=True)
    for module in _MODULES:
        name, text = module.__name__.rpartition(".")[2], module.__doc__ or ""
        one = names.add_parser(name, help=text.splitlines()[0], description=text)
        one.set_defaults(guide=module.GUIDE)
        for option, default in module.GUIDE.options.items():
            text = f"by default, {default}"
            one.add_argument(f"--{option}", type=type(default), default=default, help=text)
        for option, text in module.GUIDE.texts.items():
            one.add_argument(f"--{option}", help=text)
    options = parser.parse_args()
    for number, found in enumerate(options.guide.run(options)):
        lines = table(found.rows, found.corner, digits=found.digits, right=True)
        print(*([""] if number else []), *lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
