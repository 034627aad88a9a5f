"""The cases that Jelly-JVM is known to fail. The tool lists them, and does not count them."""

from tests.case_runner import Known

KNOWN: Known = {
    ("jelly-jvm", "refuse"): {
        "to_jelly/quads/neg_001": "it writes triple terms that the options do not announce",
    },
}
