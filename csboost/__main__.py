"""``python -m csboost``: see :mod:`csboost.command`."""

import sys

from csboost.command.main import main

if __name__ == "__main__":
    sys.exit(main())
