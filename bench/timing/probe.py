"""What only a new process can tell: import time, first fits, what is compiled, peak memory.

As a program (``python -m bench.timing.probe``) it takes a JSON object and prints one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.machine import peak_memory, reset_peak_memory, resident_memory
from bench.timing.contestants import CONTESTANTS
from bench.timing.work import COMPILING, FIRST_FIT, IMPORT, MEMORY, Work

ROOT = Path(__file__).resolve().parents[2]
CACHE = "NUMBA_CACHE_DIR"
SECOND_K = 7  # the number of classes that is fitted after the work's own
FEW_ROWS = 300  # which have another grid than many
_IMPORT = (
    "import json, sys, time; start = time.perf_counter(); import csboost; seconds = time.perf_counter() - start\n"
    "print(json.dumps({'value': seconds, 'loaded': sorted({'numba', 'pandas', 'sklearn'} & set(sys.modules))}))"
)


def prepare(work: Work, name: str, seed: int) -> Callable[[], dict[str, Any]]:
    """Return a function that takes a sample in a new process."""
    if work.measure == IMPORT:
        return lambda: run([sys.executable, "-c", _IMPORT], os.environ.get(CACHE))
    asked = {"measure": work.measure, "name": name, "seed": seed, "n": work.n, "d": work.d, "K": work.K,
             "rounds": work.rounds, "threads": work.threads}  # fmt: skip
    words = [sys.executable, "-m", "bench.timing.probe", json.dumps(asked)]
    if work.measure == MEMORY:
        # Nothing is to be compiled when it counts.
        run([*words[:-1], json.dumps({**asked, "n": 40_000})], os.environ.get(CACHE))
        return lambda: run(words, os.environ.get(CACHE))
    if work.measure == COMPILING:
        met = [
            [*words[:-1], json.dumps({**asked, "K": K, "n": n, "threads": threads})]
            for K in (3, work.K)
            for n, threads in ((FEW_ROWS, 1), (work.n, 1), (work.n, work.threads))
        ]
        return lambda: _with_empty_cache(lambda folder: _summed([run(each, folder) for each in met]))
    if work.cache == "warm":
        run(words, os.environ.get(CACHE))
        return lambda: run(words, os.environ.get(CACHE))
    again = [*words[:-1], json.dumps({**asked, "K": SECOND_K})]
    return lambda: _with_empty_cache(lambda folder: _three_first_fits(words, again, folder))


def _three_first_fits(words: list[str], again: list[str], folder: str) -> dict[str, Any]:
    """Fit in three new processes, which find no machine code, that of another number of classes, and their own."""
    first = run(words, folder)
    second, warm = run(again, folder)["value"], run(words, folder)["value"]
    return {**first, "second_seconds": second, "warm_seconds": warm}


def _summed(samples: list[dict[str, Any]]) -> dict[str, Any]:
    return {"value": sum(sample["value"] for sample in samples), "combinations": len(samples)}


def _with_empty_cache(sample: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Take a sample with the run's own cache while that is empty, which fills it for the rest, else with a new one."""
    shared = os.environ.get(CACHE)
    if shared is not None and not any(Path(shared).iterdir()):
        return sample(shared)
    with tempfile.TemporaryDirectory() as folder:
        return sample(folder)


def environment(cache: str | None) -> dict[str, str]:
    """Return the environment of a new process: this checkout, and the folder of compiled code."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **({} if cache is None else {CACHE: cache})}


def run(words: list[str], cache: str | None) -> dict[str, Any]:
    """Run a program that prints a JSON object last, and return that.

    Raises
    ------
    RuntimeError
        With the last line of its error output.
    """
    done = subprocess.run(words, env=environment(cache), capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise RuntimeError(f"in a new process: {last[0]}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def first_fit(name: str, seed: int, n: int, d: int, K: int, rounds: int, threads: int) -> dict[str, Any]:
    """Fit for the first time in this process: seconds of the fit, and of the imports before it."""
    from bench.timing.data import rows_for

    X, y = rows_for(n, d, K, seed)
    X = X.astype(np.float64)  # of one type whatever K is: another type compiles anew
    start = time.perf_counter()
    model, options = CONTESTANTS[name].build(rounds, threads, None)
    imported = time.perf_counter()
    model.fit(X, y, **options)
    return {"value": time.perf_counter() - imported, "import_seconds": imported - start}


def compiling(name: str, seed: int, n: int, d: int, K: int, rounds: int, threads: int) -> dict[str, Any]:
    """Return the cpu seconds of a fit, a prediction and staged costs, which few rounds spend on compiling."""
    from bench.timing.data import make_floats

    X, y = make_floats(n, d, K, seed)
    X = X.astype(np.float64)
    model, options = CONTESTANTS[name].build(rounds, threads, None)
    start = time.process_time()
    model.fit(X, y, **options)
    model.predict(X)
    model.staged_cost(X, y)
    return {"value": time.process_time() - start}


def memory(name: str, seed: int, n: int, d: int, K: int, rounds: int, threads: int) -> dict[str, Any]:
    """Fit once and return the peak of this process beyond ``X``: all of it, and what the fit itself added."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    from bench.timing.data import make_floats

    X, y = make_floats(n, d, K, seed)
    y[:K] = np.arange(K)  # every class occurs
    warm = min(n, 40_000)
    build = CONTESTANTS[name].build
    model, options = build(2, threads, None)
    model.fit(X[:warm], y[:warm], **options)
    model, options = build(rounds, threads, None)
    with threadpool_limits(limits=threads):
        reset_peak_memory()
        before, start = resident_memory(), time.perf_counter()
        model.fit(X, y, **options)
        seconds = time.perf_counter() - start
    peak = peak_memory()
    if before is None or peak is None:
        raise RuntimeError("this system does not tell how much memory a process takes")
    return {"value": peak - X.nbytes, "fit_bytes": peak - before, "X_bytes": X.nbytes, "fit_seconds": seconds}


def main() -> None:
    """Answer the JSON request on the command line."""
    request = json.loads(sys.argv[1])
    measure = {FIRST_FIT: first_fit, COMPILING: compiling, MEMORY: memory}[request.pop("measure")]
    print(json.dumps(measure(**request)))


if __name__ == "__main__":
    main()
