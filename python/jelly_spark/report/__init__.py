"""Reports: the figures of a log, and a page of HTML that shows them.

    from jelly_spark import codec
    from jelly_spark.report import summarize

    summarize(codec.read("changes.jellyp"))

In a notebook, the summary is shown as tables. The command `jelly-spark report` makes the page.
"""

from jelly_spark.report.figures import Figures, PatchFigures
from jelly_spark.report.summary import Summary, summarize

__all__ = ["Figures", "PatchFigures", "Summary", "summarize"]
