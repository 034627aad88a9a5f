"""Patch algebra in plain Python: compute with patches and states in memory.

    from jelly_spark import codec, patches

    before = codec.read("data.jelly")
    after = [("<urn:x:s>", "<urn:x:p>", '"new"')]
    patch = patches.diff(before, after, id="<urn:uuid:1>")
    codec.write("patch.jellyp", patch)

Patches are iterables of `PatchRow`s, as `jelly_spark.codec` reads them. States are iterables of
statements: `Statement`s, tuples of subject, predicate, object and optionally graph, or `RdfRow`s.
`jelly_spark.algebra` has the same functions for Spark, except for `diff_frames` and the argument
`skolem_base`.

- `diff` returns the patch that turns one state into another, and `diff_frames` those between the
  frames of a stream.
- `apply` and `state` return the state after patches.
- `changes` returns what each patch changed, `history` when statements were added and removed.
- `squash`, `invert`, `concat` and `split` make patches from other patches.
- `validate` checks patches and returns findings; `RULES` lists the rules. `check_canonical` checks
  whether the rows of patches are what they change.

All functions follow these rules:

- Rows are processed in the order in which they are given. A patch ends with its `END` row, when the
  value in `patch` changes, or when `seq` does not increase, which means that another file begins.
  So patches can be concatenated with `itertools.chain`.
- Each graph is a set of statements: the last committed change of a statement decides whether the
  graph contains it. The same holds for prefixes, by graph and name.
- An aborted transaction has no effect. Changes outside any transaction take effect immediately. A
  transaction that is neither committed nor aborted in its patch is an error, or is ignored on
  request.
- Two terms are equal if their strings are, so two blank nodes are equal if their labels are, unless
  `diff` matches them, and two language tags if their case is, unless `language_tags` says
  otherwise. All readers return canonical strings.
"""

from jelly_spark.patches.change_rows import Change, Interval, changes, history
from jelly_spark.patches.checks.canonical import check_canonical
from jelly_spark.patches.checks.rules import RULES, Finding, Rule, Severity
from jelly_spark.patches.checks.validation import validate
from jelly_spark.patches.differences import BlankNodes, diff
from jelly_spark.patches.frames import diff_frames
from jelly_spark.patches.inversion import invert
from jelly_spark.patches.language_tags import LanguageTags
from jelly_spark.patches.sequences import concat, split
from jelly_spark.patches.squashing import squash
from jelly_spark.patches.statements import Prefixes, PrefixKey, Statement, Statements
from jelly_spark.patches.states import apply, state

__all__ = [
    "RULES",
    "BlankNodes",
    "Change",
    "Finding",
    "Interval",
    "LanguageTags",
    "PrefixKey",
    "Prefixes",
    "Rule",
    "Severity",
    "Statement",
    "Statements",
    "apply",
    "changes",
    "check_canonical",
    "concat",
    "diff",
    "diff_frames",
    "history",
    "invert",
    "split",
    "squash",
    "state",
    "validate",
]
