"""What a :class:`~bench.listing.Listing` writes and prints, made from its stored rows alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import jinja2
import pandas as pd

from bench.listing import Listing, Rows
from bench.printing import print_text
from bench.report import mixed_versions
from bench.store import Store, write_atomic


def write_outputs(listing: Listing, rows: Rows, failed: Rows, store: Store) -> None:
    """Print the table and write ``table.*``, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    listing
        What is shown.
    rows, failed : list of dict
        Its finished rows in the order of the table, and those of jobs that failed.
    store : Store
        Where the files go, and where command and environment come from.
    """
    settings = store.settings()
    tidy = listing.tidy(rows) if rows else pd.DataFrame()
    shown = listing.shown(tidy) if rows else pd.DataFrame()
    print_text(f"{_plain(shown) if rows else 'No job is done.'}\n")
    write_atomic(store.folder / "table.csv", tidy.to_csv(index=False))
    write_atomic(store.folder / "table.md", _markdown(listing, shown))
    write_atomic(store.folder / "table.tex", _latex(listing, shown))
    write_atomic(store.folder / "environment.json", json.dumps(settings.get("environment", {}), indent=2) + "\n")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("listing.html.j2").render(
        listing=listing,
        columns=list(shown.columns),
        lines=shown.values.tolist(),
        done=len(rows),
        failures=Counter((row["algorithm"], row["error"]) for row in failed).most_common(),
        mixed=mixed_versions([*rows, *failed]),
        settings=settings,
    )
    write_atomic(store.folder / "report.html", page)


def _plain(shown: pd.DataFrame) -> str:
    """Return the table for the terminal: numbers flush right, texts flush left."""
    columns = []
    for name in shown.columns:
        cells = [name, *shown[name]]
        width = max(map(len, cells))
        flush = str.ljust if pd.to_numeric(shown[name], errors="coerce").isna().any() else str.rjust
        columns.append([flush(cell, width) for cell in cells])
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


def _markdown(listing: Listing, shown: pd.DataFrame) -> str:
    lines = [
        f"## {listing.title}",
        "",
        "| " + " | ".join(shown.columns) + " |",
        "|---|" + "---|" * (shown.shape[1] - 1),
    ]
    lines += ["| " + " | ".join(row) + " |" for row in shown.itertuples(index=False)]
    return "\n".join([*lines, "", *(f"- {note}" for note in listing.notes)]) + "\n"


def _latex(listing: Listing, shown: pd.DataFrame) -> str:
    styler = shown.style.hide(axis="index").format(escape="latex")
    return styler.to_latex(hrules=True, column_format="l" * shown.shape[1], caption=listing.title)
