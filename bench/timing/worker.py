"""Processes that take samples: a new one for each repeat of a figure, and one with the package's earlier code.

Where a process's memory lies moves a figure by as much as ten per cent, so a ratio is measured in several processes.
Parent and worker alternate: the parent draws its progress while the worker waits, and the other way round.

As a program (``python -m bench.timing.worker CHECKOUT``) it answers each JSON line of its input by one of its own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bench.rows.columns import FAILED
from bench.timing import probe
from bench.timing.contestants import EARLIER
from bench.timing.data import LOANS
from bench.timing.work import IN_NEW_PROCESSES, Group, Work

Take = Callable[[Work, str, int], dict[str, Any]]
"""(work, contestant, seed) -> what was measured."""

_MAKE_LOANS = "import sys; from bench.timing.data import loans; loans(int(sys.argv[1]), int(sys.argv[2])); print('{}')"


class Worker:
    """A process that takes samples, started when the first is asked for, and again should it die.

    Parameters
    ----------
    checkout : Path
        Where ``csboost`` is imported from; what measures is always this checkout's ``bench``.
    environment : mapping, optional
        Further variables of the process.
    limit : float, optional
        Seconds that a sample may take, with what prepares it; then the process is killed.

    Attributes
    ----------
    was_late : bool
        Whether the latest sample took longer.
    """

    def __init__(self, checkout: Path, environment: Mapping[str, str] | None = None, limit: float | None = None):
        self._checkout, self._environment, self._limit = checkout, environment or {}, limit
        self.was_late = False
        self._process: subprocess.Popen[str] | None = None
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115 - held until the process has ended

    def __call__(self, work: Work, name: str, seed: int) -> dict[str, Any]:
        """Take a sample there."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        self.was_late = False
        with _after(self._limit, partial(self._kill, process)):
            try:
                process.stdin.write(json.dumps([dataclasses.asdict(work), name, seed]) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except BrokenPipeError:
                answer = ""
        if answer:
            return dict(json.loads(answer))
        late = f"no answer within {self._limit:g} s; " if self.was_late else ""
        return {"status": FAILED, "error": late + self._death(process)}

    def _kill(self, process: subprocess.Popen[str]) -> None:
        self.was_late = True
        process.kill()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            words = [sys.executable, "-m", "bench.timing.worker", str(self._checkout)]
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._messages, text=True,
                env={**probe.environment(os.environ.get(probe.CACHE)), **self._environment},
            )  # fmt: skip
        return self._process

    def _death(self, process: subprocess.Popen[str]) -> str:
        code = process.wait()
        self._messages.seek(0)
        last = self._messages.read().decode(errors="replace").strip().splitlines()[-1:]
        return f"the process ended with exit code {code}: {last[0] if last else 'no message'}"

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(BrokenPipeError):  # a request that it did not read
                self._process.communicate()
            self._process = None

    def close(self) -> None:
        """End the process."""
        self._end()
        self._messages.close()


@contextlib.contextmanager
def _after(seconds: float | None, act: Callable[[], object]) -> Iterator[None]:
    """Act unless the context ends within so many seconds; never where they are None."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextlib.contextmanager
def launch(group: Group, earlier: Path | None = None, seed: int = 0) -> Iterator[Take]:
    """Open a new process for some repeats of a group, and one of the earlier code for the contestant that has it.

    Parameters
    ----------
    group : Group
    earlier : Path, optional
        The checkout with the earlier code.
    seed : int
        Of the data.
    """
    from bench.timing.sampling import Sampler

    if group[0].measure in IN_NEW_PROCESSES:
        yield Sampler()  # each of its samples starts a process
        return
    for work in group:
        if work.source == LOANS:  # made by this code, for both
            probe.run([sys.executable, "-c", _MAKE_LOANS, str(work.n), str(seed)], os.environ.get(probe.CACHE))
    with contextlib.ExitStack() as stack:
        own, before = Worker(probe.ROOT), Worker(earlier or probe.ROOT)
        for worker in (own, before):
            stack.callback(worker.close)
        yield lambda work, name, seed: (before if name == EARLIER else own)(work, name, seed)


def launcher(earlier: Path | None, seed: int) -> Callable[[Group], contextlib.AbstractContextManager[Take]]:
    """Return :func:`launch` with everything given but the group."""
    return partial(launch, earlier=earlier, seed=seed)


def import_from(checkout: Path) -> None:
    """Import ``csboost`` from a checkout, whatever is installed.

    Raises
    ------
    ImportError
        When another one is imported all the same.
    """
    sys.path.insert(0, str(checkout))
    import csboost

    found = Path(csboost.__file__).resolve()
    if not found.is_relative_to(checkout.resolve()):
        raise ImportError(f"csboost was to be imported from {checkout}, but comes from {found}")


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries print to stdout
    import_from(Path(sys.argv[1]))
    from bench.timing.sampling import Sampler

    take = Sampler()
    for line in sys.stdin:
        work, name, seed = json.loads(line)
        print(json.dumps(take(Work(**work), name, seed)), file=answers, flush=True)


if __name__ == "__main__":
    main()
