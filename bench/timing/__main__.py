"""Entry point of ``python -m bench.timing``."""

from bench.exits import leave
from bench.timing import main

if __name__ == "__main__":
    leave(main())
