"""Where a round of a large Angle AdaBoost fit spends its time, beside what memory bandwidth alone would take.

Each pass over the rows is timed on the threads that share it. What lies between the passes (the threads' histograms
folded into one, those of leaves subtracted, boundaries scored, the best split chosen) is "scoring". The
bound is the bytes that a pass cannot avoid to read and write, over the machine's bandwidth, measured by copying.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from bench import printing
from bench.command import cli
from bench.command.options import bare_parser, whole_number
from bench.exits import DONE

WRITTEN, SUMMED, SCORED, PARTED = "write the channels", "histogram", "scoring", "partition"
ASSIGNED, LOOKED = "assign and sum the leaves", "second looks"
PASSES = (WRITTEN, SUMMED, SCORED, PARTED, ASSIGNED, LOOKED)
LEAST_ROWS = 16_384  # four row blocks
COPIED = 2**25  # float64 numbers that measure the bandwidth: far more than any cache holds


def parser() -> argparse.ArgumentParser:
    """Return the command's parser."""
    options = bare_parser(
        "timing.profile", __doc__, "exit codes: 0 done; 2 wrong usage; 130 interrupted (nothing is kept)"
    )
    for name, default in (("rows", 500_000), ("features", 57), ("classes", 7), ("rounds", 30), ("jobs", 2)):
        options.add_argument(f"--{name}", type=whole_number(2), default=default, metavar="N", help=f"default {default}")
    return options


def bandwidth(threads: int) -> float:
    """Bytes per second that ``threads`` threads read and write together: the best of several copies."""
    import numpy as np

    source, target = np.ones(COPIED), np.zeros(COPIED)
    targets, sources = np.array_split(target, threads), np.array_split(source, threads)
    best = np.inf
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(5):
            start = time.perf_counter()
            list(pool.map(np.copyto, targets, sources))
            best = min(best, time.perf_counter() - start)
    return 2 * source.nbytes / best


def profile(n: int, d: int, K: int, rounds: int, threads: int) -> tuple[dict[str, float], dict[str, float]]:
    """Median seconds, and least bytes moved, of each part of a round."""
    import numpy as np

    from bench.timing.data import make_floats
    from csboost.problem import class_numbers
    from csboost.updates import WeightState
    from csboost.weak.binned import Binned
    from csboost.weak.channels import NEGATED, Channels
    from csboost.weak.grower import Grower
    from csboost.weak.layout import ACCUMULATE, ASSIGN, LOOK, NODE, PARTITION, PHASE, RIGHT, ROWS, SCAN, WRITE, Trees
    from csboost.weak.rows import Rows, Task
    from csboost.weak.rules import LABEL

    names = {
        WRITE: WRITTEN,
        ACCUMULATE: SUMMED,
        SCAN: SCORED,
        PARTITION: PARTED,
        ASSIGN: ASSIGNED,
        LOOK: LOOKED,
    }

    seconds: dict[str, list[float]] = defaultdict(list)
    moved: dict[str, list[float]] = defaultdict(list)
    spent: dict[str, float] = defaultdict(float)

    class Watched(Rows):
        def run(self, task: Task) -> None:
            phase, node = (int(number) for number in grower.state[[PHASE, NODE]]) if growing else (-1, -1)
            name, start = names.get(phase, "update the weights"), time.perf_counter()
            super().run(task)
            spent[name] += time.perf_counter() - start
            if name == SUMMED:  # a node's codes, channels and row numbers
                spent["rows summed"] += trees.nodes[m, node, ROWS]

        def share(self, n: int, task: Task) -> None:
            start = time.perf_counter()
            super().share(n, task)
            spent[SCORED] += time.perf_counter() - start  # folding histograms is scoring too

    growing, m = False, 0
    X, y = make_floats(n, d, K, seed=0)
    costs = 1.0 - np.eye(K)[y]
    rows = Watched(n, threads)
    grower = Grower(Binned(X, None, Rows(n, threads)), rows, class_numbers(y, K), K, LABEL, 4, rounds)
    trees = Trees(*grower.forest)
    weights = WeightState(costs, grower.labels, K, rows)
    bytes_of_row = grower.n_padded * np.dtype(grower.dtype).itemsize
    for m in range(rounds):
        spent.clear()
        spent[LOOKED] = 0.0  # most rounds need none
        growing, start = True, time.perf_counter()
        rule = grower.grow(m, Channels(weights.weights, NEGATED, weights.total))
        spent[SCORED] += time.perf_counter() - start - sum(spent[name] for name in PASSES)
        growing = False
        weights.rescale_labels(rule, 1.2, 0.97)
        nodes = trees.nodes[m]
        parted = nodes[nodes[:, RIGHT] > 0, ROWS].sum()  # leaves have no children
        summed = spent.pop("rows summed")
        needed = {
            WRITTEN: n * (8 * K + bytes_of_row),
            SUMMED: summed * (d + bytes_of_row + 2),
            SCORED: 0,
            PARTED: parted * 5,
            ASSIGNED: n * (8 * K + 6),
            LOOKED: 0,
            "update the weights": n * (16 * K + 2),
        }
        for name, value in spent.items():
            seconds[name].append(value)
            moved[name].append(needed[name])
    return {k: float(np.median(v)) for k, v in seconds.items()}, {k: float(np.median(v)) for k, v in moved.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return cli.answer(parser(), _profile, argv, needs=())


def _profile(options: argparse.Namespace, command: str) -> int:
    if options.rows < LEAST_ROWS:
        parser().error(
            f"--rows {options.rows}: below {LEAST_ROWS} rows a fit has one thread, whose passes are not told apart"
        )
    speed = bandwidth(options.jobs)
    seconds, moved = profile(options.rows, options.features, options.classes, options.rounds, options.jobs)
    total = sum(seconds.values())
    heading = (
        f"A round of Angle AdaBoost, {options.rows:,} x {options.features}, K = {options.classes}, 4 leaves, "
        f"{options.jobs} threads: {total * 1e3:.1f} ms. Memory: {speed / 1e9:.1f} GB/s, copying."
    )
    printing.print_text(
        f"{heading}\n\n{as_markdown(seconds, moved, speed, total)}\n",
        kept="Nothing is kept; the same command measures again.",
    )
    return DONE


def as_markdown(seconds: dict[str, float], moved: dict[str, float], speed: float, total: float) -> str:
    """Return the profile as a Markdown table."""
    lines = ["| part | ms | share | MB moved at least | ms at that bandwidth |", "|---|---:|---:|---:|---:|"]
    for name, value in sorted(seconds.items(), key=lambda item: -item[1]):
        needed = moved[name]
        lines.append(
            f"| {name} | {value * 1e3:.1f} | {value / total:.0%} | {needed / 1e6:.0f} | {needed / speed * 1e3:.1f} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
