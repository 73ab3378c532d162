"""Bad parameters of the estimators: every message names the offender and says what is accepted."""

from __future__ import annotations

import numpy as np
import pytest
from cases import Hyperbola, easy, make
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import csboost
from csboost.weak import CostTree

X, Y = easy(60)


PARAMETERS = {
    "threads": (make("samme", n_jobs=0), "'n_jobs' .* Got 0"),
    "rounds": (make("mh", n_estimators=0), r"'n_estimators' .* must be an int in the range \[1, inf\). Got 0"),
    "learning rate": (make("samme", learning_rate=0), r"'learning_rate' .* in the range \(0.0, inf\). Got 0"),
    "loss": (make("angle-lum", loss="hinge"), "unknown loss 'hinge'.*'exponential', 'logistic', 'lum'"),
    "loss class": (make("angle-lum", loss=Hyperbola), r"Hyperbola; pass an instance of it: Hyperbola\(...\)"),
    "infinite lum_c": (make("angle-lum", lum_c=np.inf), "lum_c must be a finite number, not negative, got inf"),
    "negative lum_c": (make("angle-lum", lum_c=-1.0), "lum_c must be a finite number, not negative, got -1"),
    "lum_a": (make("angle-lum", lum_a=0.0), "lum_a must be a positive, finite number, got 0"),
    "votes": (make("mh", votes="maybe"), "'votes' .* must be a str among .*discrete"),
    "hypothesis": (make("m2", hypothesis="sets"), "'hypothesis' .* must be a str among .*label"),
    "step of M2": (make("m2", step=-1.0), r"'step' .* in the range \(0.0, inf\) or None. Got -1"),
    "step of p-norm": (make("pnorm", step=1.0), r"'step' .* in the range \(0.0, 1.0\) or None. Got 1"),
    "share": (make("pnorm", step=0.9, learning_rate=2.0), r"step \* learning_rate must be below 1, got 1.8"),
    "share forgets": (make("pnorm", step=0.9, n_estimators=5000), "forgets its first rounds.*lower one of them"),
    "p": (make("pnorm", p=1.0), r"'p' .* in the range \(1.0, inf\). Got 1"),
    "large p": (make("pnorm", p=2000.0), "p=2000 is too large: with 3 classes all weights would vanish"),
    "overflow": (make("samme", learning_rate=5000.0), "overflowed in round 1; lower learning_rate .learning_rate=5000"),
    "overflow, logit": (make("angle-logit", learning_rate=5000.0), "overflowed in round 1; lower learning_rate"),
    "overflow, MH": (make("mh", learning_rate=5000.0), "overflowed in round 1; lower learning_rate"),
    "votes around labels": (
        make("mh", weak_learner=DecisionTreeClassifier()),
        r"DecisionTreeClassifier answers labels, but this booster needs a vote per class; use weak_learner=CostTree",
    ),
    "no weights": (make("samme", weak_learner=KNeighborsClassifier()), "KNeighborsClassifier.fit takes no sample_weig"),
    "leaves": (make("samme", weak_learner=CostTree(1)), r"'max_leaf_nodes' .* in the range \[2, 65535\]. Got 1"),
    "stopping apart": (make("mh-apart", n_iter_no_change=3), "no common round to stop at; set n_iter_no_change=None"),
    "no validation": (
        make("samme", n_iter_no_change=3, validation_fraction=0.01),
        "validation_fraction=0.01 of 60 rows leaves no row to validate on; raise it, or set n_iter_no_change=None",
    ),
}


@pytest.mark.parametrize("case", PARAMETERS)
def test_parameters(case):
    estimator, message = PARAMETERS[case]
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, Y)


@pytest.mark.parametrize("learner", [CostTree, DecisionTreeClassifier])
def test_a_class_as_weak_learner(learner):
    message = rf"must be an instance, got the class {learner.__name__}; write weak_learner={learner.__name__}\(\)"
    with pytest.raises(TypeError, match=message):
        make("samme", weak_learner=learner).fit(X, Y)
    with pytest.raises(TypeError, match="must be None, a CostTree, a SklearnWeakLearner or a scikit-learn classifier"):
        make("samme", weak_learner=3).fit(X, Y)


class NotConvex:
    """Decreasing, but concave."""

    def value(self, z):
        return -np.exp(z / 20)

    def derivative(self, z):
        return -np.exp(z / 20) / 20

    def second_derivative(self, z):
        return -np.exp(z / 20) / 400


class Increasing(NotConvex):
    def value(self, z):
        return np.exp(z / 20)

    def derivative(self, z):
        return np.exp(z / 20) / 20

    def second_derivative(self, z):
        return np.exp(z / 20) / 400


@pytest.mark.parametrize(("loss", "message"), [(NotConvex(), "is not convex"), (Increasing(), "is not decreasing")])
def test_a_loss_that_breaks_the_contract_is_refused_before_fitting(loss, message):
    with pytest.raises(ValueError, match=f"loss {type(loss).__name__} {message}.*Theorem 1 needs"):
        csboost.AngleBoostClassifier(loss=loss).fit(X, Y)
