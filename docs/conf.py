"""How ``make docs`` builds these pages, and the reference from the docstrings, without a network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger
from sphinx.writers.html5 import HTML5Translator

import csboost

project = "csboost"
author = "csboost contributors"
project_copyright = "csboost contributors, MIT licence"
release = version = csboost.__version__

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
templates_path = ["templates"]
exclude_patterns = ["figures", "templates"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"csboost {release}"
html_static_path = ["static"]
html_css_files = ["pages.css"]
html_copy_source = False
html_show_sourcelink = False
pygments_style = "default"
pygments_dark_style = "monokai"
highlight_language = "none"  # indented blocks are commands and formulas; Python says that it is Python

autodoc_typehints = "none"  # docstrings say what goes in, in words and shapes
autodoc_member_order = "groupwise"
autosummary_generate = True
# Two names that are one file where capitals do not count.
autosummary_filename_map = {"csboost.explain.contributions": "csboost.explain.contributions-function"}
numpydoc_show_class_members = False  # the template of a class lists them, with their docstrings
numpydoc_class_members_toctree = False
html_math_renderer = "mathml"

LOGGER = getLogger(__name__)

ROUTING = re.compile(r"set_\w+_request$")  # scikit-learn writes these into each class
# A bare name that ends in an underscore, as in "of shape (n_iter_,)", but for the name that is described itself. To
# reStructuredText it would be a link.
BARE = re.compile(r"(?<=[\s(])(\w*[a-z])_(?=[\s,.;:)]|$)(?!(?:, \w+)* : )")


def visit_math(self: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML: browsers set it themselves, with no script and no font from elsewhere."""
    try:
        self.body.append(latex2mathml.tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))
    except MathError as error:
        LOGGER.warning("%s in the formula %s", error, node.astext(), location=node)
    raise nodes.SkipNode


def leave_out(app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Whether a member is left out of the reference; None leaves it to Sphinx.

    Those of scikit-learn are, and the fields of named tuples, which are among the attributes already.
    """
    home = getattr(thing, "__module__", None) or "csboost"
    is_field = type(thing).__name__ == "_tuplegetter"
    return True if is_field or ROUTING.match(name) or not home.startswith("csboost") else None


def escape(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Keep names of fitted attributes from being read as links."""
    lines[:] = [line if ">>>" in line else BARE.sub(r"\1\\_", line) for line in lines]


def setup(app: Sphinx) -> None:
    """Tell Sphinx of all that."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math, None))
    app.connect("autodoc-skip-member", leave_out)
    app.connect("autodoc-process-docstring", escape, priority=400)  # before numpydoc
