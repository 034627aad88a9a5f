"""`python -m tests.parity DIR`."""

import sys

from tests.case_runner import main
from tests.parity.cases import find_cases

if __name__ == "__main__":
    sys.exit(main("tests.parity", find_cases))
