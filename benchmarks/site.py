"""A hook of mkdocs that draws the pictures of `scale.json` when the site is built."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

# mkdocs loads this file by its path.
sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.scale.report import pictures


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a picture of each part of the benchmark to the files of the site."""
    for part, svg in pictures().items():
        files.append(File.generated(config, f"images/scale-{part}.svg", content=svg))
    return files
