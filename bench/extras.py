"""Which packages a command needs beyond those that every installation has, and how to get them."""

from __future__ import annotations

import importlib.util

from bench.exits import UnusableError

EXTRAS = {
    "jinja2": "bench",
    "rich": "bench",
    "openpyxl": "bench",
    "pyarrow": "bench",
    "catboost": "peers",
    "chimeraboost": "peers",
    "interpret": "peers",
    "lightgbm": "peers",
    "xgboost": "peers",
    "dask": "cluster",
    "distributed": "cluster",
}
"""Package, by its name in Python -> the extra of pyproject.toml that brings it."""

CORE = ("joblib", "matplotlib", "numba", "numpy", "pandas", "scipy", "sklearn")
"""What every installation has, and a clone without one has not."""


def remedy(extra: str) -> str:
    """Return what installs an extra. No package index has the project, so it says where the command works."""
    return f"in the clone of the project: pip install '.[{extra}]'"


def require(*packages: str) -> None:
    """Say in words which of the packages are not installed (UnusableError); import none of them."""
    missing = [name for name in packages if not is_installed(name)]
    if missing:
        raise UnusableError(_in_words(missing))


def is_installed(package: str) -> bool:
    """Return whether a package could be imported."""
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def mishap(error: ImportError) -> UnusableError | None:
    """Return in words what an import failed for; None when a module of this program itself is at fault."""
    name = (error.name or "").partition(".")[0]
    return UnusableError(_in_words([name])) if name not in ("", "bench", "csboost") else None


def _in_words(packages: list[str]) -> str:
    own = [EXTRAS[name] for name in packages if name in EXTRAS]
    extra = own[0] if own else "bench"  # the packages of the core come with every extra
    one = len(packages) == 1
    listed = packages[0] if one else f"{', '.join(packages[:-1])} and {packages[-1]}"
    which = f" (extra {extra!r})" if len(own) == len(packages) else ""
    return (
        f"needs the package{'' if one else 's'} {listed}{which}, which {'is' if one else 'are'} not installed; "
        f"{remedy(extra)}"
    )
