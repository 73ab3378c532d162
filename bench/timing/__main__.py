"""Entry point of ``python -m bench.timing``."""

import sys

from bench.timing import main

if __name__ == "__main__":
    sys.exit(main())
