"""What a :class:`~bench.studies.listing.Listing` writes and prints, made from its stored rows alone."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from bench.printing import print_text
from bench.rows.row import Row
from bench.rows.store import Store
from bench.show import views
from bench.show.failing import failures
from bench.show.pages import mixed_versions, write_page, write_tables
from bench.studies.listing import Listing


def write_outputs(listing: Listing, rows: list[Row], failed: Sequence[Row], store: Store) -> None:
    """Print the table and write ``table.*``, ``environment.json`` and ``report.html``.

    Parameters
    ----------
    listing
        What is shown.
    rows, failed : list of Row
        Its finished rows in the order of the table, and those of jobs that failed.
    store : Store
        Where the files go, and where command and environment come from.
    """
    tidy = listing.tidy(rows) if rows else pd.DataFrame()
    shown = listing.shown(tidy) if rows else pd.DataFrame()
    print_text(f"{_plain(shown) if rows else 'No job is done.'}\n")
    notes = "".join(f"- {note}\n" for note in listing.notes)
    write_tables(
        store,
        tidy,
        f"## {listing.title}\n\n{views.markdown(shown, numbers=False)}\n{notes}",
        views.latex(shown, listing.title, numbers=False),
    )
    write_page(
        store,
        "listing.html.j2",
        listing=listing,
        finding=listing.finding(tidy) if rows and listing.finding is not None else "",
        columns=list(shown.columns),
        lines=shown.values.tolist(),
        done=len(rows),
        failures=failures(failed),
        mixed=mixed_versions([*rows, *failed]),
    )


def _plain(shown: pd.DataFrame) -> str:
    """Return the table for the terminal: numbers flush right, texts flush left."""
    columns = []
    for name in shown.columns:
        cells = [name, *shown[name]]
        width = max(map(len, cells))
        flush = str.ljust if pd.to_numeric(shown[name], errors="coerce").isna().any() else str.rjust
        columns.append([flush(cell, width) for cell in cells])
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))
