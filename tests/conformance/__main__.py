"""`python -m tests.conformance [DIR]`."""

import sys

from tests.case_runner import main
from tests.conformance.cases import find_cases
from tests.conformance.suites import SUITES

if __name__ == "__main__":
    sys.exit(main("tests.conformance", find_cases, SUITES))
