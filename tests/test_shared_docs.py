"""Blocks that class docstrings share."""

from __future__ import annotations

import subprocess
import sys

from csboost._docs import BLOCKS, REFERENCES, documented, filled


def test_a_named_block_stands_in_the_place_of_its_name():
    @documented
    class Booster:
        """A booster.

        Parameters
        ----------
        votes : {"discrete", "real"}
            How leaves vote.
        {shared_parameters}

        References
        ----------
        {zhu_2009}
        """

    lines = Booster.__doc__.splitlines()
    assert lines[5] == "    How leaves vote."
    assert lines[6].startswith("cost_matrix : None, str, array-like of shape (K, K)")
    assert lines[-1] == "doi:10.4310/SII.2009.v2.n3.a8."
    assert "verbose : int, default=0\n    Above 0, progress goes to stderr.\n\nReferences\n" in Booster.__doc__
    assert 'votes : {"discrete", "real"}' in Booster.__doc__


def test_what_a_class_describes_itself_is_left_out_of_the_block():
    text = filled(
        "p : float\n    The norm.\nlearning_rate : float, default=1.0\n    Its own words.\n{shared_parameters}\n"
    )
    assert text.count("learning_rate : ") == 1
    assert "full step" not in text
    assert text.count("n_estimators : ") == text.count("weak_learner : ") == 1


def test_other_words_in_braces_stay():
    assert filled("{nothing}\na {zhu_2009} inside\n") == "{nothing}\na {zhu_2009} inside\n"


def test_a_class_without_a_docstring_is_left_alone():
    class Bare:
        pass

    assert documented(Bare) is Bare
    assert Bare.__doc__ is None


def test_everything_imports_where_python_drops_docstrings():
    code = (
        "import csboost; print(csboost.SAMMEClassifier.__doc__ or '', [getattr(csboost, n) for n in csboost.__all__])"
    )
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_blocks_fit_the_width_of_the_code():
    assert max(len(line) for block in BLOCKS.values() for line in block.splitlines()) <= 120
    assert all("doi:10." in reference for reference in REFERENCES.values())
