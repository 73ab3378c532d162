"""Tables on the terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from bench.printing import print_text, to_stdout
from bench.show.views import View

_PIPED_WIDTH = 200  # wide enough for every known algorithm; a terminal says its own width


def bare_table(gap: int = 1) -> Table:
    """Return an empty table of the common look, with so many blanks between columns."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, gap))


def view_table(view: View) -> Table:
    """Return a view as a table: words flush left, the other columns flush right."""
    table = bare_table()
    for place, name in enumerate(view.frame.columns):
        table.add_column(name, justify="left" if place == 0 or name == "where" else "right", overflow="fold")
    for line in view.frame.itertuples(index=False):
        table.add_row(*map(str, line))
    return table


def fits(table: RenderableType) -> bool:
    """Return whether stdout has room for a table without folding it."""
    return Console(width=1000).measure(table).maximum <= _width()


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED_WIDTH


def print_tables(tables: Mapping[str, RenderableType], lines: Sequence[str]) -> None:
    """Print titled tables and lines to stdout; piped output is plain text as wide as the tables need."""
    console = Console(highlight=False, width=_width())
    with to_stdout(), console.capture() as capture:  # rich would end the program when the reader has gone
        for title, table in tables.items():
            console.print(Text(f"\n{title}", style="bold"))
            console.print(table)
        for line in lines:
            console.print(line, markup=False, soft_wrap=True)
    print_text(capture.get())
