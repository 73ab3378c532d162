"""What every report has: the finding, a contents list, captions, alt texts that say what is seen, readable colours."""

from __future__ import annotations

import csv
import html
import re
from itertools import product

import pytest
from report_pages import KINDS, report

from bench.show import pages

CSS = (pages.TEMPLATES / "page.css").read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_opens_with_its_finding_and_lists_its_contents(kind):
    text = report(kind).read_text()
    assert re.search(r'</h1>\s*<p class="finding">[^<]{8,}', text)
    assert text.index("<h1>") < text.index("<nav") < text.index("<h2")
    listed = re.findall(r'<a href="#([^"]+)">(.*?)</a>', text.partition("<nav")[2].partition("</nav>")[0])
    assert listed == re.findall(r'<h[23] id="([^"]+)">(.*?)</h', text)
    assert [title for _, title in listed][-2:] == ["How to repeat it", "Machine and versions"]
    assert len(re.findall("<h[23]", text)) == len(listed) >= 3
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_asks_for_nothing_from_elsewhere(kind):
    text = report(kind).read_text()
    page = re.sub('data:image/png;base64,[^"]*', "", text)
    assert not re.search(r"https?:|//\w+\.|@import|url\(|<link|<iframe", page)
    assert all(re.match("#|data:image/png;base64,", link) for link in re.findall(r'(?:src|href)="([^"]*)"', text))


def alts_of(text):
    return [html.unescape(alt) for alt in re.findall(r' alt="([^"]*)"', text)]


def lines_of(folder):
    with (folder / "table.csv").open() as file:
        return list(csv.DictReader(file))


def test_curves_and_ranks_are_said_in_numbers():
    text, folder = report("study").read_text(), report("study").parent
    first, second, ranks = alts_of(text)
    for alt, scenario in ((first, "simulation1"), (second, "simulation2")):
        means = {line["algorithm"]: float(line["mean"]) for line in lines_of(folder) if line["scenario"] == scenario}
        found = re.findall(r"(Fake A|Fake B|Constant) (\d\.\d{3}) \(", alt)
        assert [(name, f"{means[name]:.3f}") for name in sorted(means, key=means.get)] == found
        assert "after 8 rounds" in alt
        assert "The Bayes cost is 0.100." in alt
    assert "Constant" in first
    assert "(without rounds)" in first
    assert re.search(r"1 is best: [\w ]+ 1\.\d\d, [\w ]+ \d\.\d\d, [\w ]+ \d\.\d\d\. Nemenyi", ranks)


def test_savings_sources_of_cost_and_seconds_are_said_in_numbers():
    text, folder = report("file").read_text(), report("file").parent
    savings, sources, seconds = alts_of(text)
    means = {line["algorithm"]: float(line["mean"]) for line in lines_of(folder)}
    saved = dict(re.findall(r"(?:: |, )([\w ]+) ([+-]\d\.\d{3}) \([+-]", savings))
    for name, mean in means.items():
        if name in ("Nearest", "Cheapest"):
            assert float(saved[name]) == pytest.approx(means["today"] - mean, abs=0.002)
            assert f"{name} {mean:.3f} in " in seconds
    parts = [float(part) for part in re.findall(r"(\d\.\d{3}) from a true", sources)]
    assert parts == sorted(parts, reverse=True)
    assert sum(parts) == pytest.approx(min(means["Nearest"], means["Cheapest"]), abs=0.005)
    assert re.search(r"from a true lost answered (good|late)", sources)


def test_ratios_of_the_suite_and_of_timings_are_said_in_numbers():
    ratios, seconds = alts_of(report("suite").read_text())[-2:]
    assert re.search(r"Log cost ratio to Nearest, the mean over 2 sets, .*: Cheapest \+\d\.\d{3} \(\+", ratios)
    assert re.search(r"Nearest 0\.\d{3} in [\d.e-]+ s, Cheapest", seconds)
    alts = alts_of(report("timing").read_text())
    assert len(alts) == 2
    assert re.search(r"Angle AdaBoost [\d.]+ ms at 1,000 to [\d,.]+ s at 10,000,000", alts[1])
    assert re.search(r"8\.00x \(at least \d", alts[0])


def luminance(colour):
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_every_text_colour_has_a_contrast_of_4_5_on_every_background_in_both_styles():
    assert contrast("#fff", "#000000") == pytest.approx(21)
    styles = [dict(re.findall(r"--(\w+): (#\w+);", block)) for block in re.findall(r":root \{(.*?)\}", CSS, re.S)]
    light, dark = styles
    assert light.keys() == dark.keys()
    texts = set(re.findall(r"[ {]color: var\(--(\w+)\)", CSS))
    papers = set(re.findall(r"background: var\(--(\w+)\)", CSS))
    assert (len(texts), len(papers)) == (4, 3)
    for style, text, paper in product(styles, texts, papers):
        assert contrast(style[text], style[paper]) >= 4.5, (text, paper)
    assert luminance(dark["paper"]) < 0.05 < 0.9 < luminance(light["paper"])


def test_colours_have_names_so_that_the_dark_style_reaches_all_of_them():
    rules = re.sub(r":root \{.*?\}", "", CSS, flags=re.S)
    assert not re.findall(r"#[0-9a-fA-F]{3,6}\b|rgba?\(", rules)
