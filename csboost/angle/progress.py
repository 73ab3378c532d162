"""What a fit of bags says on stderr while it runs."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

__all__ = ["Progress"]

STEPS = 10  # lines per run, at most


class Progress:
    """Lines about the rounds of bags that run side by side, with an estimate of the time left.

    Parameters
    ----------
    name : str
        Of the booster.
    n_rounds : int
        Of a run, at most.
    n_runs : int
        How many runs there are, refits included.
    loss : str
        How the loss is called.
    """

    def __init__(self, name: str, n_rounds: int, n_runs: int, loss: str):
        self.name, self.n_rounds, self.loss = name, n_rounds, loss
        self.begin, self.lock = time.perf_counter(), threading.Lock()
        self.done, self.wanted = [0] * n_runs, [n_rounds] * n_runs  # rounds of each run

    def say(self, text: str) -> None:
        """A line of text."""
        print(f"[{self.name}] {text}", file=sys.stderr)

    def ended(self, run: int) -> None:
        """A run is over: it takes no more time."""
        self.wanted[run] = self.done[run]

    def refits(self, n_runs: int, n_rounds: int) -> None:
        """The last runs, of which the number of rounds is known now."""
        self.wanted[-n_runs:] = [n_rounds] * n_runs
        left = f"; about {self._left():.0f} s left" if any(self.done) else ""
        self.say(f"{n_runs} bags of {n_rounds} rounds on all rows{left}")

    def reporter(self, run: int, title: str) -> Callable[[int, float, float, int], None]:
        """What a run with held-out rows calls after each round."""

        def report(m: int, loss: float, cost: float, best: int) -> None:
            with self.lock:
                self.done[run] = m + 1
                if (m + 1) % max(1, self.n_rounds // STEPS) == 0:
                    figures = f"{self.loss} {loss:.4f}, cost {cost:.4f}, best round {best + 1}"
                    self.say(f"{title}, round {m + 1}: held-out {figures}; at most {self._left():.0f} s left")

        return report

    def _left(self) -> float:
        """Seconds, if the rounds to come take as long as those so far."""
        done = sum(self.done)
        return (time.perf_counter() - self.begin) / done * (sum(self.wanted) - done)
