"""The pages as they are built: without a warning, without anything from elsewhere, and not wider than a phone."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from public import PACKAGES, described

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = [name for name in ("furo", "myst_parser", "numpydoc") if importlib.util.find_spec(name) is None]
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--enable-logging=stderr"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1400,1000"),
)
# A window cannot be as narrow as a phone, a frame can: its page reports its width.
PROBE = """<script>addEventListener("load", () => {
parent.postMessage(`${document.documentElement.scrollWidth} of ${innerWidth}`, "*"); });</script>"""
FRAME = """<!doctype html><title>none</title>
<script>addEventListener("message", (event) => { document.title = event.data; });</script>
<iframe src="{page}" width="{width}" height="900" style="border: 0"></iframe>"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"needs the extra docs ({', '.join(MISSING)})"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    sources = folder / "docs"  # a copy: pages of the reference are written among the sources
    shutil.copytree(ROOT / "docs", sources, ignore=shutil.ignore_patterns("generated", "__pycache__"))
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "--builder", "html"]
    done = subprocess.run([*command, sources, folder / "html"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return folder / "html"


class Loads(HTMLParser):
    """What a page loads by itself, and its pictures without a text."""

    def __init__(self):
        super().__init__()
        self.loaded, self.silent = [], []

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.loaded.append(values["href"])
        elif tag in ("script", "img", "iframe", "source", "object") and "src" in values:
            self.loaded.append(values["src"])
        if tag == "img" and not values.get("alt"):
            self.silent.append(values.get("src"))


def test_no_page_loads_anything_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 80
    for page in pages:
        parser = Loads()
        parser.feed(page.read_text(encoding="utf-8"))
        for target in parser.loaded:
            assert not re.match(r"(?:\w+:)?//", target), f"{page.name}: {target}"
            assert (page.parent / target.partition("?")[0]).exists(), f"{page.name}: {target}"
        assert parser.silent == [], page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", sheet.read_text(encoding="utf-8")), sheet.name


def test_every_public_name_has_its_place(site):
    anchors = {
        anchor for page in site.rglob("*.html") for anchor in re.findall(r'id="(csboost\.[\w.]+)"', page.read_text())
    }
    for package in PACKAGES:
        names = {thing.name for thing in described(package) if thing.kind != "property"}
        assert names <= anchors


def test_formulas_are_set_and_none_is_left_as_it_was_written(site):
    for name in ("boosters", "method"):
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        prose = re.sub(r"<(pre|code).*?</\1>", "", page, flags=re.DOTALL)
        assert page.count("<math") > 10
        assert "$" not in re.sub(r"<script.*?</script>", "", prose, flags=re.DOTALL)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("page", ["index", "costs", "choosing", "boosters", "method", "reference"])
def test_a_page_is_not_wider_than_the_window_and_has_no_error(site, page, width, tmp_path):
    text = (site / f"{page}.html").read_text(encoding="utf-8")
    (site / "probe.html").write_text(text.replace("</body>", f"{PROBE}</body>"), encoding="utf-8")
    frame = site / "frame.html"
    frame.write_text(FRAME.replace("{page}", "probe.html").replace("{width}", str(width)), encoding="utf-8")
    command = [CHROMIUM, *OPTIONS, f"--user-data-dir={tmp_path}", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = re.search(r"<title>(\d+) of (\d+)</title>", done.stdout)
    assert found is not None, done.stderr[-2000:]
    assert int(found[2]) == width
    assert int(found[1]) <= width
    assert "CONSOLE" not in done.stderr
