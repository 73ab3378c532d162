"""The Python blocks of the documentation run; those of one file share a namespace."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if page.exists()]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_blocks_run(page, tmp_path, monkeypatch):
    if page.name == "distributed.md":
        pytest.importorskip("distributed")
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    namespace: dict[str, object] = {"__name__": "__main__"}
    try:
        for block in BLOCK.finditer(text):
            # Blank lines before it give tracebacks the page's own line numbers.
            source = "\n" * text.count("\n", 0, block.start(1)) + block.group(1)
            exec(compile(source, str(page), "exec"), namespace)
    finally:
        from matplotlib import pyplot as plt

        plt.close("all")


def test_every_fence_is_closed_and_local_links_lead_somewhere():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert text.count("```") % 2 == 0, page
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", prose):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
