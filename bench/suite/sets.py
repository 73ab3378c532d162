"""The registry of the suite's data sets, and which of them are held out; ``python -m bench.suite.sets`` lists them
(``python -m bench.suite.sets further`` those of a part).

A set is added by one entry in the module of its carrier: :mod:`bench.suite.keel`, :mod:`bench.suite.rdata` or
:mod:`bench.suite.bundled`; :mod:`bench.suite.further` has many more, which take part when they are asked for.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import sys
from collections.abc import Iterable, Sequence

from bench.suite import bundled, further, keel, names, rdata
from bench.suite.entry import DataSet, Entry
from bench.suite.wheels import MissingSet

ENTRIES: dict[str, Entry] = {entry.name: entry for entry in (*bundled.ENTRIES, *keel.ENTRIES, *rdata.ENTRIES)}
"""Name -> entry of every set that takes part unless others are named."""

KNOWN = ENTRIES | {entry.name: entry for entry in further.ENTRIES}
"""Name -> entry of these and of the further ones."""

TUNING = frozenset({
    "car", "balance", "contraceptive", "credit", "diamonds", "page-blocks", "vowel", "nursery", "segment", "flare",
    "led7digit", "dermatology", "ecoli", "iris", "wine", "hpc_data", "waveform", "four_gaussians",
})  # fmt: skip
"""Sets whose figures had been seen before the suite was made; a method may have been chosen by them."""

HEADER = (
    "name", "rows", "columns", "types", "missing", "classes", "ordered, low to high", "part", "source", "dropped",
)  # fmt: skip


def choose_held_out(sets: Iterable[str], tuning: frozenset[str] = TUNING) -> frozenset[str]:
    """Hold out a third of the sets by a rule that looks at names only.

    Of the sets that are not in ``tuning`` those whose names have the smallest SHA-256 are held out, until a third of
    all sets (rounded down) is. Another list of sets can give another division, so a choice has to be judged by the
    division of the list it was made with.
    """
    known = set(sets)
    candidates = sorted(known - tuning, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return frozenset(candidates[: len(known) // 3])


HELD_OUT = choose_held_out(ENTRIES)
"""Sets that no choice may be made by; every other set of :data:`ENTRIES` is a tuning set."""


def part_of(name: str) -> str:
    """Return which of :data:`bench.suite.names.PARTS` a set is of."""
    if name not in ENTRIES:
        return names.FURTHER
    return names.HELD_OUT if name in HELD_OUT else names.TUNING


@functools.lru_cache(maxsize=4)
def load(name: str) -> DataSet:
    """Load a set of the suite.

    Parameters
    ----------
    name : str
        A key of :data:`KNOWN`.

    Returns
    -------
    DataSet
        The last few are kept: do not change them in place.

    Raises
    ------
    KeyError
        If the suite has no such set.
    MissingSet
        If its package is not installed; the message says what installs it.
    """
    if name not in KNOWN:
        raise KeyError(f"the suite has no set {name!r}; `python -m bench.suite.sets` lists them")
    try:
        return KNOWN[name].load()
    except MissingSet as error:
        raise MissingSet(f"data set {name!r}: {error}") from None


def describe(name: str) -> tuple[str, ...]:
    """Return the row of a set in the printed table, one text per column of :data:`HEADER`."""
    entry, data = KNOWN[name], load(name)
    numbers = int((data.X.dtypes != "category").sum())
    missing = data.X.isna().to_numpy().mean()
    dropped = [*entry.drop, *(f"class {label} ({count})" for label, count in data.rare.items())]
    return (
        name,
        f"{len(data.X):,}",
        str(data.X.shape[1]),
        f"{numbers} num, {data.X.shape[1] - numbers} cat",
        f"{missing:.1%}" if missing else "",
        str(len(data.classes)),
        ", ".join(data.classes) if data.ordered else "",
        part_of(name).replace("-", " "),
        f"{entry.package}: {entry.source}",
        ", ".join(dropped),
    )


def main(parts: Sequence[str] = names.PARTS) -> int:
    """Print the sets of some parts as a markdown table; return 3 if a package that carries some of them is missing."""
    missing, known = [], [name for name in KNOWN if part_of(name) in parts]
    print("| " + " | ".join(HEADER) + " |")
    print("|" + " --- |" * len(HEADER))
    for name in known:
        try:
            print("| " + " | ".join(describe(name)) + " |")
        except MissingSet as error:
            missing.append(str(error))
    counts = (f"{sum(part_of(name) == part for name in known)} {part}" for part in parts)
    print(f"\n{len(known) - len(missing)} of {len(known)} sets: {', '.join(counts)}.")
    for message in missing:
        print(message, file=sys.stderr)
    return 3 if missing else 0


if __name__ == "__main__":
    options = argparse.ArgumentParser(
        "python -m bench.suite.sets", description="Print the suite's sets as a markdown table."
    )
    options.add_argument("parts", nargs="*", default=names.PARTS, help=f"of {', '.join(names.PARTS)}; default: all")
    asked = options.parse_args().parts
    if unknown := [part for part in asked if part not in names.PARTS]:
        options.error(f"no part is called {', '.join(unknown)}; there are {', '.join(names.PARTS)}")
    sys.exit(main(asked))
