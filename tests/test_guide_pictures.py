"""The pictures of the pages: each is drawn by the script, is there, and has a text that says what is seen."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")


def test_every_picture_is_drawn_by_the_script_and_shown_with_a_text():
    spec = importlib.util.spec_from_file_location("figures", DOCS / "figures.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    pages = [page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")]
    shown = {target: text for page in pages for text, target in IMAGE.findall(page)}
    drawn = {f"figures/{name}.png" for name in script.FIGURES}
    assert drawn == set(shown) == {f"figures/{path.name}" for path in (DOCS / "figures").iterdir()}
    assert all(len(text.split()) > 9 for text in shown.values())
    assert all((DOCS / target).read_bytes().startswith(b"\x89PNG") for target in shown)
