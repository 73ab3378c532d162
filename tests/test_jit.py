"""What the declaration of kernels promises, also where Numba's insides are not as expected."""

from __future__ import annotations

import numpy as np
import pytest
from cases import COMPILES
from kernels import count, double, eightfold, ratio
from processes import run

from csboost import _jit


def test_inner_kernels_work_at_any_depth():
    values = np.array([1.0, 3.0])
    eightfold(values)
    np.testing.assert_array_equal(values, [8.0, 24.0])
    assert count(5) == 5.0


def test_division_by_zero_is_silent():
    assert ratio(np.ones(1), np.zeros(1)) == np.inf
    assert np.isnan(ratio(np.zeros(1), np.zeros(1)))


@pytest.mark.skipif(_jit.linking is None, reason="inner kernels are whole functions where none are linked")
def test_inner_kernels_are_linked_with_this_numba_and_refuse_python():
    assert _jit.linking.works()
    with pytest.raises(TypeError, match="bad argument type"):
        double(np.ones(2))


# Prints what kernels do, and whether they were linked, after a part of Numba is gone.
AFTER = """
{damage}
import numpy as np
from csboost import _jit
import kernels
values = np.array([1.0, 3.0])
kernels.eightfold(values)
linked = _jit.linking is not None and _jit.linking.works()
kept = kernels.eightfold.stats.cache_path is not None
print(*values, kernels.count(5), "linked" if linked else "plain", "kept" if kept else "not kept")
"""
DAMAGE = {
    "nothing": ("", "linked kept"),
    "a class to inherit from": ("import numba.core.codegen; del numba.core.codegen.JITCodeLibrary", "plain kept"),
    "an entry for Python": ("from csboost import _linking; _linking._dynfunc = None", "plain kept"),
    "a method that is overridden": (
        "from csboost import _linking; _linking._LinkedLibrary._finalize_dynamic_globals = None", "plain kept",
    ),
    "a method that has changed": (
        "from csboost import _linking; _linking._LinkedLibrary._optimize_functions = lambda self: None", "plain kept",
    ),
    "an option": (
        "from numba.core.registry import cpu_target\n"
        "for base in cpu_target.options.__mro__:\n    if '_nrt' in vars(base): del base._nrt",
        "linked kept",
    ),
    "a class of the cache": (
        "import numba.core.caching; del numba.core.caching.CompileResultCacheImpl",
        "linked not kept",
    ),
    "an attribute of the cache": (
        "from numba.core.caching import CacheImpl\n"
        "CacheImpl.locator = property(lambda self: vars(self)['_locator']._locator)",
        "linked not kept",
    ),
}  # fmt: skip


@pytest.mark.parametrize("missing", DAMAGE)
def test_kernels_work_without_a_part_of_numba(missing, tmp_path):
    damage, outcome = DAMAGE[missing]
    printed = run(AFTER.format(damage=damage), NUMBA_CACHE_DIR=tmp_path)
    assert printed == f"8.0 24.0 5.0 {outcome}"


# Bits of small fits on each grid, of all kinds of leaves.
FITS = """
import hashlib
import numpy as np
from cases import make, random_problem
from csboost.weak import CostTree
for name in {names}:
    for seed in {seeds}:
        problem = random_problem(seed, K=3 + seed % 3)
        model = make(name, cost_matrix=problem.C, weak_learner=CostTree(max_leaf_nodes=5))
        model.fit(problem.X, problem.y, sample_weight=problem.s)
        found = [model.decision_function(problem.X), model.estimator_weights_, model.staged_cost(problem.X, problem.y)]
        found += [model.predict_proba(problem.X)] if hasattr(model, "predict_proba") else []
        print(name, seed, hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in found)).hexdigest())
"""


def fit(names, seeds, **settings):
    """What :data:`FITS` prints under the settings, which must end in models: (names * seeds) lines."""
    lines = run(FITS.format(names=names, seeds=seeds), **settings).splitlines()
    assert len(lines) == len(names) * len(seeds)
    return lines


@pytest.mark.slow
def test_a_fit_without_linking_gives_the_same_bits(tmp_path):
    few = ["angle-ada", "mh"], [2, 5]
    plain = fit(*few, CSBOOST_LINKING="0", NUMBA_CACHE_DIR=tmp_path)
    assert plain == fit(*few, NUMBA_CACHE_DIR=tmp_path)


@pytest.mark.slow
def test_fits_without_compiling_give_the_same_bits(tmp_path):
    names = ["angle-ada", "angle-logit", "angle-lum", "samme", "mh", "mh-real", "mh-apart", "m2", "m2-label", "pnorm"]
    many = names, [1, 2, 7]
    assert fit(*many, NUMBA_DISABLE_JIT="1") == fit(*many, NUMBA_CACHE_DIR=tmp_path)


def test_it_is_known_whether_kernels_are_compiled():
    assert hasattr(eightfold, "signatures") == COMPILES
