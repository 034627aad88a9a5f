"""Patch algebra in plain Python: differences, states, histories and checks of patches, in memory.

    from jelly_spark import codec, patches

    before = codec.read("data.jelly")
    after = [("<urn:x:s>", "<urn:x:p>", '"new"')]
    patch = patches.diff(before, after, id="<urn:uuid:1>")
    codec.write("patch.jellyp", patch)

Patches are iterables of `PatchRow`s, as `jelly_spark.codec` reads them. States are iterables of
statements: `Statement`s, tuples of subject, predicate, object and, where there is one, graph, or
`RdfRow`s. `jelly_spark.algebra` has the same functions for Spark.

- `diff` returns the patch that turns one state into another.
- `apply` and `state` return the state after patches.
- `changes` and `history` tell what each patch changed, and when a statement came and went.
- `squash`, `invert`, `concat` and `split` make patches of patches.
- `validate` returns what is wrong with patches, as findings; `RULES` lists the rules.

The rules of order and meaning are the same everywhere:

- Rows count in the order that they come. A patch ends with its `END` row, where `patch` changes,
  and where `seq` does not grow: there another file begins. So patches can be put together with
  `itertools.chain`.
- Statements are a set per graph: the last committed change of a statement decides. Prefixes are a
  set by graph and name, likewise.
- An aborted transaction has no effect. Changes outside any transaction count at once. A transaction
  that is neither committed nor aborted in its patch is an error, or ignored on request.
- Terms are equal where their strings are, blank nodes where their labels are. All readers give
  canonical strings.
"""

from jelly_spark.patches.change_rows import Change, Interval, changes, history
from jelly_spark.patches.differences import diff
from jelly_spark.patches.inversion import invert
from jelly_spark.patches.rules import RULES, Finding, Rule, Severity
from jelly_spark.patches.sequences import concat, split
from jelly_spark.patches.squashing import squash
from jelly_spark.patches.statements import Prefixes, PrefixKey, Statement, Statements
from jelly_spark.patches.states import apply, state
from jelly_spark.patches.validation import validate

__all__ = [
    "RULES",
    "Change",
    "Finding",
    "Interval",
    "PrefixKey",
    "Prefixes",
    "Rule",
    "Severity",
    "Statement",
    "Statements",
    "apply",
    "changes",
    "concat",
    "diff",
    "history",
    "invert",
    "split",
    "squash",
    "state",
    "validate",
]
