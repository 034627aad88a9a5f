"""The pages of the documentation, and their code blocks.

A page's code blocks are run in their order, one after the other, in one process and one folder:

- `python` blocks share their names, as in one interpreter;
- `sh` blocks are run by bash, which stops at the first command that fails;
- `sql` blocks go to a session in the same process, and print each result as `show` does;
- `scala` blocks are run by `spark-shell`, each by itself;
- a block with `title="NAME"` is not run, but saved as the file NAME;
- a line `--8<-- "PATH"` in a block stands for the text of that file of the checkout;
- a `text` block is what the block before it prints. In it `...` stands for any text of one line.

The comment `<!-- not run: REASON -->` before a block leaves it, and its output, out. It also comes
before a `text` block that is a picture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

from tests.shared import ROOT

RUNNABLE = ("python", "sh", "sql", "scala")

PAGES = sorted(
    [
        *("README.md", "ARCHITECTURE.md", "CHANGELOG.md"),
        *("benchmarks/README.md", "benchmarks/results.md"),
        *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")),
    ]
)
"""The paths of all pages, from the root of the checkout."""

_NOT_RUN = re.compile(r"<!-- not run: (\S.*) -->")
_TITLE = re.compile(r'title="([^"/]+)"')
_INCLUDED = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)


@dataclass
class Block:
    """A code block.

    Attributes:
        line: number of its first line of code in the page, from 1.
        language: one of `RUNNABLE`, or for a file's content any.
        code: its text.
        title: the name of the file to save it as; None for a block to run.
        output: what it prints; None where the page does not show that.
        not_run: why it is not run; None for a block that is.
    """

    line: int
    language: str
    code: str
    title: str | None = None
    output: str | None = None
    not_run: str | None = None


class PageError(Exception):
    """A page has a block that is neither run, nor saved, nor an output."""


def blocks_of(text: str) -> list[Block]:
    """Return the code blocks of a page.

    Raises:
        PageError: this module does not know the kind of a block.
    """
    blocks: list[Block] = []
    reason: str | None = None
    for token in MarkdownIt().parse(text):
        if token.type == "html_block":
            marker = _NOT_RUN.fullmatch(token.content.strip())
            reason = marker[1] if marker else None
            continue
        if token.type == "fence" and token.map:
            language, _, attributes = token.info.partition(" ")
            line = token.map[0] + 2
            code = _INCLUDED.sub(lambda found: (ROOT / found[1]).read_text("utf-8"), token.content)
            title = _TITLE.search(attributes)
            if language == "text" and not title and reason is None:
                if not blocks or blocks[-1].output is not None or blocks[-1].title:
                    raise PageError(f"line {line}: an output without a block that prints it")
                blocks[-1].output = token.content
            elif title or language in (*RUNNABLE, "text"):
                name = title[1] if title else None
                blocks.append(Block(line, language, code, name, not_run=reason))
            else:
                raise PageError(f"line {line}: a block of {language or 'no language'}")
        elif token.type == "code_block" and token.map:
            raise PageError(f"line {token.map[0] + 1}: a block without a language")
        reason = None
    return blocks


def difference(expected: str, found: str) -> str | None:
    """Return how an output differs from what a page shows; None where it does not.

    Spaces at the ends of lines, and empty lines around the output, do not count.
    """
    shown, printed = _lines(expected), _lines(found)
    if len(shown) == len(printed) and all(map(_matches, shown, printed)):
        return None
    return "the page shows\n{}\nbut what is printed is\n{}".format(
        "\n".join(shown), "\n".join(printed)
    )


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def _matches(shown: str, printed: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, shown.split("..."))), printed) is not None
