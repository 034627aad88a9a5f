"""`python -m tests.conformance [DIR]`."""

import sys

from tests.case_runner import main
from tests.conformance.cases import find_cases
from tests.conformance.known import KNOWN
from tests.shared import SHARED

SUITES = SHARED / "conformance"
"""Where the official suites are, of Jelly-RDF and of the W3C: what is run without an argument."""

if __name__ == "__main__":
    if len(sys.argv) == 1:
        if not SUITES.is_dir():
            print(f"skipped: no suites at {SUITES}; give DIR, or set JELLY_SPARK_SHARED")
            sys.exit(0)
        sys.argv.append(str(SUITES))
    sys.exit(main("tests.conformance", find_cases, KNOWN))
