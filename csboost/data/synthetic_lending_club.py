"""Write a file of invented loans in one of the layouts of Lending Club's files, for tests and for trying scale.

python -m csboost.data.synthetic_lending_club --rows 551448 --layout kaggle --out loans.csv.gz
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import IO, cast

LAYOUT_NAMES = ("clean", "kaggle", "kaggle145", "lendingclub", "crlf", "r-export", "mar-19", "slash-dates", "grade.1")


def write_synthetic_file(
    out: str | PathLike[str],
    rows: int,
    layout: str = "kaggle",
    *,
    first: str = "2007-06",
    last: str = "2018-12",
    footers: int = 33,
    duplicates: int = 0,
    seed: int = 0,
) -> dict[str, int]:
    """Write invented loans to ``out`` (gzip if the name ends in ``.gz``).

    Parameters
    ----------
    out : path
    rows : int
        Number of distinct loans.
    layout : str
        One of ``LAYOUT_NAMES``. The same seed gives the same loans in each; "clean" spells them plainly.
    first, last : str
        Months of issue, as "2007-06".
    footers : int
        Lines that are no loans: spread over the file where the layout has them inside, else at its end.
    duplicates : int
        How many of the first loans are written again at the end; at most 50,000.
    seed : int

    Returns
    -------
    dict
        ``records`` (data lines, header aside), ``loans``, ``footers``, ``duplicates`` and the loans of each month.
    """
    from csboost.data.synthetic_layouts import LAYOUTS, body, footer, header
    from csboost.data.synthetic_loans import BLOCK, make_loans

    if layout not in LAYOUTS:
        raise ValueError(f"Unknown layout {layout!r}; known are {', '.join(LAYOUT_NAMES)}.")
    spec = LAYOUTS[layout]
    blocks = max(1, -(-rows // BLOCK))
    months: Counter[str] = Counter()
    written_footers, repeated = 0, ""
    with _open(out) as file:
        file.write(header(spec).encode())
        for number, loans in enumerate(make_loans(rows, first, last, seed)):
            lines = body(loans, spec).to_pylist()
            months.update(loans.values["issue_d"].astype(str).tolist())
            if number == 0 and duplicates:
                repeated = spec.newline.join(lines[:duplicates]) + spec.newline
            # In the middle of a block, so that a footer never has the last word there.
            due = footers * (number + 1) // blocks - written_footers if spec.footers_inside else 0
            middle = len(lines) // 2
            for part, tail in ((lines[:middle], due), (lines[middle:], 0)):
                file.write("".join(line + spec.newline for line in part).encode())
                file.write("".join(footer(spec, 1 + i % 2) for i in range(tail)).encode())
            written_footers += due
        file.write(repeated.encode())
        file.write("".join(footer(spec, 1 + i % 2) for i in range(footers - written_footers)).encode())
    return {
        "records": rows + footers + duplicates,
        "loans": rows,
        "footers": footers,
        "duplicates": duplicates,
        **months,
    }


def _open(out: str | PathLike[str]) -> IO[bytes]:
    if Path(out).suffix == ".gz":
        return cast(IO[bytes], gzip.open(out, "wb", compresslevel=4))
    return open(out, "wb")


def main(argv: list[str] | None = None) -> int:
    """Parse the command line, write the file and print the exact counts."""
    parser = argparse.ArgumentParser(
        prog="python -m csboost.data.synthetic_lending_club",
        description="Write a file of invented loans in a layout of Lending Club's files.",
    )
    parser.add_argument("--rows", type=int, default=10_000, help="number of loans (default: %(default)s)")
    parser.add_argument("--layout", choices=LAYOUT_NAMES, default="kaggle", help="spelling (default: %(default)s)")
    parser.add_argument("--out", required=True, help="file to write; gzip if it ends in .gz")
    parser.add_argument(
        "--from", dest="first", default="2007-06", metavar="MONTH", help="first month (default: %(default)s)"
    )
    parser.add_argument(
        "--to", dest="last", default="2018-12", metavar="MONTH", help="last month (default: %(default)s)"
    )
    parser.add_argument("--footers", type=int, default=33, help="lines that are no loans (default: %(default)s)")
    parser.add_argument("--duplicates", type=int, default=0, help="loans written twice (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    arguments = vars(parser.parse_args(argv))
    try:
        counts = write_synthetic_file(**arguments)
    except (OSError, ValueError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    window = sum(count for month, count in counts.items() if "2017-01" <= month <= "2018-03")
    print(
        f"{counts['records']:,} records: {counts['loans']:,} loans, {counts['duplicates']:,} of them twice,"
        f" {counts['footers']:,} lines that are no loans; {window:,} loans issued 2017-01 to 2018-03"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
