"""What every command leaves in its folder: the tables as files, the environment, and a page that needs no network."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from bench.rows import files
from bench.rows.files import write_atomic
from bench.rows.row import Row
from bench.rows.store import Store
from bench.show import layouts

TEMPLATES = Path(__file__).with_name("templates")
_HEADING = re.compile(r'<h([23]) id="([^"]+)">(.*?)</h\1>')


def write_tables(store: Store, tidy: pd.DataFrame, markdown: str, latex: str) -> None:
    """Write ``table.csv``, ``table.md``, ``table.tex`` and ``environment.json``."""
    write_atomic(store.folder / files.TABLE, tidy.to_csv(index=False))
    write_atomic(store.folder / files.MARKDOWN, markdown)
    write_atomic(store.folder / files.LATEX, latex)
    environment = store.settings().get("environment", {})
    write_atomic(store.folder / files.ENVIRONMENT, json.dumps(environment, indent=2) + "\n")


def write_page(store: Store, template: str, **values: Any) -> None:
    """Write ``report.html`` from a template, which finds the stored settings beside ``values``."""
    page = _templates().get_template(template).render(settings=store.settings(), **values)
    write_atomic(store.folder / files.REPORT, page)


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"anchor": _anchor, "breakable": _breakable, "headings": _headings}
    return environment


def _anchor(title: str) -> str:
    """Return a heading's id."""
    return "-".join(re.findall(r"\w+", title.lower()))


def _breakable(name: str) -> Markup:
    """Return a name that a narrow column may break within, as in Logistic|Regression."""
    return Markup("<wbr>").join(map(escape, layouts.pieces(name)))


def _headings(body: str) -> list[tuple[str, Markup, list[tuple[str, Markup]]]]:
    """Return id, title and parts of the headings of a page's body: its contents list."""
    found: list[tuple[str, Markup, list[tuple[str, Markup]]]] = []
    for level, anchor, title in _HEADING.findall(body):  # escaped already
        if level == "2":
            found.append((anchor, Markup(title), []))
        else:
            found[-1][2].append((anchor, Markup(title)))
    return found


def mixed_versions(rows: Sequence[Row]) -> list[str]:
    """Name the packages of which the rows know more than one version."""
    seen: dict[str, set[str]] = {}
    for row in rows:
        for name, version in row.versions.items():
            seen.setdefault(name, set()).add(version)
    return [f"{name} {' and '.join(sorted(found))}" for name, found in seen.items() if len(found) > 1]
