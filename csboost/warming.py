"""Compiling the kernels before they are needed: ``python -c "import csboost; csboost.warm_up()"``."""

from __future__ import annotations

import subprocess
import sys
import time

__all__ = ["warm_up"]

#: What the two processes compile: rows of a fit on each grid of channels (small nodes and large ones), the type of X.
SHARES = {"few": (2000, "float64"), "many": (40_000, "float32")}


def warm_up(verbose: int = 1) -> None:
    """Compile the kernels that boosters and trees use, in two processes, into Numba's cache on disk.

    Numba compiles on first use, which takes the first fits of an installation some seconds; after this they start at
    once, for every number of classes. Nothing is compiled again that the cache already holds.

    Parameters
    ----------
    verbose : int, default=1
        Whether to say on stderr what is going on.

    Raises
    ------
    RuntimeError
        When the kernels cannot be compiled, with what the process said.

    References
    ----------
    Lam, S. K., Pitrou, A. and Seibert, S. (2015), "Numba: a LLVM-based Python JIT compiler", Second Workshop on the
    LLVM Compiler Infrastructure in HPC, 7, doi:10.1145/2833157.2833162.

    Examples
    --------
    >>> import csboost
    >>> csboost.warm_up(verbose=0)
    """
    start = time.perf_counter()
    if verbose:
        print("Compiling the kernels of csboost (once; seconds when done before)", end="", file=sys.stderr, flush=True)
    # by this process's path: a package that a script put there itself is compiled, not another or none
    command = "import sys; sys.path[:] = {!r}; from csboost.warming import compile_share; compile_share({!r})"
    workers = [
        subprocess.Popen([sys.executable, "-c", command.format(sys.path, share)], stderr=subprocess.PIPE, text=True)
        for share in SHARES
    ]
    said = [worker.communicate()[1] for worker in workers]
    if verbose:
        print(f": {time.perf_counter() - start:.0f} s", file=sys.stderr)
    for worker, words in zip(workers, said, strict=True):
        if worker.returncode:
            raise RuntimeError(f"compiling the kernels failed:\n{words}")


def compile_share(share: str) -> None:
    """Fit and use small models of all kinds; on the grid of many rows, one of each kind of leaf is enough."""
    import numpy as np

    import csboost

    n, dtype = SHARES[share]
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    X = (rng.normal(size=(n, 3)) + y[:, None]).astype(dtype)
    boosters = [csboost.AngleAdaBoostClassifier(n_estimators=2), csboost.AdaBoostMHClassifier(n_estimators=2)]
    if share == "few":
        boosters += [
            csboost.AngleLogitBoostClassifier(n_estimators=2),
            csboost.AngleBoostClassifier(n_estimators=2, loss="lum"),
            csboost.AdaBoostM2Classifier(n_estimators=2),
            csboost.PNormBoostClassifier(n_estimators=2),
            csboost.SAMMEClassifier(n_estimators=2),
        ]
    else:  # on one grid for few rows and many
        vectors = csboost.AngleGradientBoostingClassifier(n_estimators=2, n_bags=1, n_iter_no_change=None)
        vectors.fit(X[:200].astype(np.float64), y[:200]).predict_proba(X[:50].astype(np.float64))
        vectors.set_params(n_jobs=2).fit(X, y)  # threads sum rows in a kernel of its own
    few = X[:50], y[:50]
    for booster in boosters:
        booster.fit(X, y)
        booster.predict(few[0])
        booster.staged_cost(*few)
        next(booster.staged_decision_function(few[0]))
        if share == "few" and hasattr(booster, "predict_proba"):
            booster.predict_proba(few[0])
