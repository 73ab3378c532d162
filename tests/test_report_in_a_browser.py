"""Every report as its readers meet it: in Chromium, on a desk and on a telephone, light and dark, by mouse and keys."""

from __future__ import annotations

import pytest
from chromium import BINARY, Chromium
from report_pages import KINDS, report

pytestmark = pytest.mark.skipif(BINARY is None, reason="Chromium is not installed.")

WINDOWS = [(width, dark) for width in (1280, 390) for dark in (False, True)]

DARK = "matchMedia('(prefers-color-scheme: dark)').matches"
OVERFLOW = "document.scrollingElement.scrollWidth - innerWidth"
OUTSIDE = """[...document.body.querySelectorAll("*")]
  .filter(element => !element.closest(".scroll *, pre, script, .skip")
  && element.getBoundingClientRect().right > innerWidth + 1).map(element => element.outerHTML.slice(0, 80))"""
BLIND = """[...document.images].filter(image => !image.naturalWidth || image.alt.length < 40).map(image => image.alt)"""
ADRIFT = """[...document.querySelectorAll(".scroll:has(table)")].flatMap(box => {
  box.scrollLeft = 150;
  const cells = [...box.querySelectorAll("tr")].map(row => [...row.cells].find(cell => cell.offsetWidth));
  const left = element => element.getBoundingClientRect().left;
  const adrift = cells.filter(cell => Math.abs(left(cell) - left(box)) > 1);
  box.scrollLeft = 0;
  return adrift.map(cell => cell.textContent);
})"""
WIDE = (
    """[...document.querySelectorAll(".scroll:has(table)")].filter(box => box.scrollWidth > box.clientWidth).length"""
)
NARROW = """[...document.querySelectorAll(".scroll:has(table)")].filter(box =>
  [...box.querySelectorAll("tbody tr")].some(row => {
    const first = [...row.cells].find(cell => cell.offsetWidth);
    return first.offsetWidth > 0.6 * box.clientWidth;
  })).map(box => box.ariaLabel)"""
UNREACHED = """[...document.querySelectorAll("*")].filter(box => box.scrollWidth > box.clientWidth + 1
  && ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
  && !(box.tabIndex === 0 && box.getAttribute("role") === "region" && box.ariaLabel))
  .map(box => box.outerHTML.slice(0, 80))"""
NOWHERE = """[...document.querySelectorAll("a")].map(link => link.getAttribute("href"))
  .filter(href => href[0] !== "#" || !document.getElementById(href.slice(1)))"""
FAINT = r"""(() => {
  const channels = colour => colour.match(/[\d.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = channels(colour).slice(0, 3).map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), faint = [];
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("script") || !element.getClientRects().length) continue;
    seen += 1;
    const found = ratio(getComputedStyle(element).color, behind(element));
    if (found < 4.5) faint.push(walker.currentNode.data + " " + found.toFixed(2));
  }
  return seen > 30 ? faint : ["hardly any text was seen"];
})()"""


@pytest.fixture(scope="module")
def browser():
    with Chromium() as page:
        yield page


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_overflows_fades_fails_or_leaves_the_page(browser, kind):
    for width, dark in WINDOWS:
        browser.open(report(kind), width, dark=dark)
        assert browser.js("innerWidth") == width
        assert browser.js(DARK) == dark
        assert browser.js(OVERFLOW) <= 0
        for probe in (OUTSIDE, BLIND, ADRIFT, NARROW, UNREACHED, NOWHERE, FAINT):
            assert browser.js(probe) == [], (probe, width, dark)
        if width == 390:
            assert browser.js(WIDE) > 0  # or the boxes were not tried
        assert browser.said() == []
        assert [address for address in browser.requested() if not address.startswith("data:")] == [
            report(kind).as_uri()
        ]


def test_dark_pages_are_dark_and_their_figures_too(browser):
    page = report("study")
    for dark in (False, True):
        browser.open(page, 1280, dark=dark)
        paper = browser.js("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(26, 26, 26)" if dark else "rgb(255, 255, 255)")
        turned = browser.js("[...document.images].map(image => getComputedStyle(image).filter.includes('invert(1)'))")
        assert turned == [dark] * 3


FOCUS = "document.activeElement"
OUTLINED = f"getComputedStyle({FOCUS}).outlineStyle"


def test_all_can_be_done_by_keys(browser):
    browser.open(report("study"), 390)
    browser.press("Tab")
    assert browser.js(f"{FOCUS}.textContent") == "Skip to the content"
    assert browser.js(f"{FOCUS}.getBoundingClientRect().left") >= 0  # it is seen now
    browser.press("Enter")
    assert browser.js(f"{FOCUS}.id") == "content"

    browser.js("scrollTo(0, 0); document.querySelector('nav a').focus()")
    met = []
    while browser.js(f"{FOCUS} !== document.body") and len(met) < 100:
        assert browser.js(OUTLINED) == "solid"
        met.append(browser.js(f"{FOCUS}.tagName"))
        browser.press("Tab")
    links, boxes, buttons = (met.count(tag) for tag in ("A", "DIV", "BUTTON"))
    assert (links, boxes) == (7, 6)  # three tables, three figures
    assert buttons == 5 + 9  # of the table and of the list, whose first column is in its second here
    assert met.count("PRE") == 1


def test_a_table_is_sorted_by_keys(browser):
    browser.open(report("study"), 1280)
    firsts = "[...document.querySelectorAll('.two tbody tr')].map(row => row.cells[2].textContent)"
    given = browser.js(firsts)
    browser.js("document.querySelectorAll('.two button')[2].focus()")
    browser.press("Enter")
    assert browser.js(firsts) == sorted(given, key=float)
    browser.press("Enter")
    assert browser.js(firsts) == sorted(given, key=float, reverse=True)
    assert browser.js(f"{FOCUS}.closest('th').ariaSort") == "descending"
