"""A log whose texts try to be markup."""

from __future__ import annotations

from pathlib import Path

from jelly_spark import codec
from jelly_spark.codec import PatchRow

HOSTILE = (
    "</script><script>document.title='hacked'</script>",
    "</style></title><img src=x onerror=document.title='hacked'>",
    "\"'><svg onload=document.title='hacked'>",
    "<a href=javascript:document.title='hacked'>x</a><iframe srcdoc=x>",
    "<!-- ]]> &lt;script&gt; \u202e\u2028",
)
"""Texts that do something where they are not escaped."""


def write_hostile_log(folder: Path) -> None:
    """Write a log with these texts in headers, terms, graphs, prefixes and the names of files."""
    folder.mkdir()
    prev = None
    for number, text in enumerate(HOSTILE):
        literal = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        rows = [PatchRow("H", name="id", value=literal)]
        if prev is not None:
            rows.append(PatchRow("H", name="prev", value=prev))
        rows += [
            PatchRow("H", name=text, value=literal),
            PatchRow("H", name="message", value=literal),
            PatchRow("PA", name=text, value="<urn:x:n>"),
            *(PatchRow("TX"), PatchRow("A", literal, literal, literal, literal), PatchRow("TC")),
            *(PatchRow("TX"), PatchRow("D", "<urn:x:s>", "<urn:x:p>", literal), PatchRow("TA")),
        ]
        name = text.replace("/", "\u2215")
        codec.write(folder / f"{number}{name}.jellyp", rows)
        prev = literal
    (folder / "<img src=x onerror=alert(1)>.rdfp").write_text("H </script><script>alert(1)\n")
