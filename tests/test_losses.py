"""The simplex, the margin losses and the contract that a user's loss must keep."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.special import expit

from csboost.angle.losses import ExponentialLoss, LargeMarginUnifiedLoss, LogisticLoss, check_loss, get_loss
from csboost.angle.simplex import vertices

LUMS = [LargeMarginUnifiedLoss(a, c) for a in (0.5, 1.0, 10.0) for c in (0.0, 1.0, 20.0)]
BUILT_IN = [ExponentialLoss(), LogisticLoss(), *LUMS]


@pytest.mark.parametrize("K", range(2, 11))
def test_simplex(K):
    W = vertices(K)
    assert W.shape == (K, K - 1)
    assert np.allclose(W.sum(axis=0), 0, atol=1e-14)
    assert np.allclose(W @ W.T, np.where(np.eye(K) == 1, 1.0, -1 / (K - 1)), atol=1e-14)


def test_simplex_of_two_and_three_classes_as_printed():
    assert np.allclose(vertices(2), [[1], [-1]])
    half, long, short = 2**-0.5, (1 + 3**0.5) / 2**1.5, 1.5**0.5 - (1 + 3**0.5) / 2**1.5
    assert np.allclose(vertices(3), [[half, half], [short, -long], [-long, short]])
    for K in (1, 0, 2.5):
        with pytest.raises(ValueError, match="at least two classes"):
            vertices(K)


@pytest.mark.parametrize("loss", BUILT_IN, ids=repr)
def test_built_in_losses_keep_the_contract(loss):
    check_loss(loss)
    z = np.random.default_rng(0).normal(0, 3, (50, 4))
    h = 1e-5
    assert np.allclose((loss.value(z + h) - loss.value(z - h)) / (2 * h), loss.derivative(z), rtol=1e-4, atol=1e-8)
    off_knot = np.abs(z - getattr(loss, "c", 1) / (1 + getattr(loss, "c", 1))) > 2 * h
    differences = (loss.derivative(z + h) - loss.derivative(z - h)) / (2 * h)
    assert np.allclose(differences[off_knot], loss.second_derivative(z)[off_knot], rtol=1e-4, atol=1e-8)
    assert np.allclose(loss.log_slope(z), np.log(-loss.derivative(z)), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("loss", BUILT_IN, ids=repr)
def test_built_in_losses_survive_large_margins(loss):
    z = np.array([-1000.0, -700, 700, 1000])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for method in (loss.value, loss.derivative, loss.second_derivative, loss.log_slope):
            assert np.isfinite(method(z)).all()
    assert (np.diff(loss.log_slope(z)) <= 0).all()


def test_known_values():
    z = np.array([-2.0, 0.0, 3.0])
    assert np.allclose(ExponentialLoss().value(z), np.exp(-z))
    assert np.allclose(LogisticLoss().value(z), np.log(1 + np.exp(-z)))
    assert np.allclose(LogisticLoss().derivative(z), -expit(-z))
    # a = 2, c = 1: knot at 1/2; at z = 3, u = 5, so l = (2/7)^2 / 2 and l' = -(2/7)^3.
    lum = LargeMarginUnifiedLoss(2.0, 1.0)
    assert np.allclose(lum.value(z), [3, 1, (2 / 7) ** 2 / 2])
    assert np.allclose(lum.derivative(z), [-1, -1, -((2 / 7) ** 3)])
    assert np.allclose(lum.second_derivative(z), [0, 0, 3 * (2 / 7) ** 4])


@pytest.mark.parametrize("a", [1e-3, 0.5, 1.0, 50.0, 1e6])
@pytest.mark.parametrize("c", [0.0, 0.3, 1.0, 100.0, 1e6])
def test_lum_is_continuously_differentiable_at_its_knot(a, c):
    loss, knot = LargeMarginUnifiedLoss(a, c), c / (1 + c)
    below, above = np.nextafter(knot, -1), np.nextafter(knot, 2)
    z = np.array([below, knot, above])
    # One step of floating point moves u by about (1 + c) eps, and l' by (1 + c) (a + 1) / a eps.
    tolerance = 1e-15 + 4 * (1 + c) * (a + 1) / a * np.finfo(float).eps
    assert np.allclose(loss.value(z), 1 / (1 + c), rtol=0, atol=tolerance)
    assert np.allclose(loss.derivative(z), -1, rtol=0, atol=tolerance)


def test_lum_limits():
    z = np.linspace(-3, 5, 200)
    soft = LargeMarginUnifiedLoss(a=1e7, c=0.0)
    assert np.allclose(soft.value(z), np.where(z < 0, 1 - z, np.exp(-np.maximum(z, 0))), atol=1e-6)
    assert np.allclose(soft.derivative(z), np.where(z < 0, -1, -np.exp(-np.maximum(z, 0))), atol=1e-6)
    hard = LargeMarginUnifiedLoss(a=1.0, c=1e7)
    assert np.allclose(hard.value(z), np.maximum(1 - z, 0), atol=1e-6)
    away = np.abs(z - 1) > 0.01
    assert np.allclose(hard.derivative(z)[away], np.where(z < 1, -1, 0)[away], atol=1e-6)


def test_get_loss():
    assert get_loss("exponential") == ExponentialLoss()
    assert get_loss("logistic") == LogisticLoss()
    assert get_loss("lum", 2.0, 0.0) == LargeMarginUnifiedLoss(2.0, 0.0)
    lum = LargeMarginUnifiedLoss(3.0, 2.0)
    assert get_loss(lum) is lum
    assert pickle.loads(pickle.dumps(lum)) == lum
    custom = Probit()
    assert get_loss(custom) is custom


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("logistc",), "unknown loss 'logistc'; did you mean 'logistic'"),
        (("lum", 0.0, 1.0), "lum_a must be a positive, finite number, got 0.0"),
        (("lum", np.inf, 1.0), "lum_a must be"),
        (("lum", "1", 1.0), "lum_a must be"),
        (("lum", 1.0, -0.5), "lum_c must be a finite number, not negative, got -0.5"),
        (("lum", 1.0, np.inf), "lum_c must be .* hinge loss"),
        (("lum", 1.0, np.nan), "lum_c must be"),
        ((None,), "loss NoneType has no method value, derivative, second_derivative"),
    ],
)
def test_bad_loss_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        get_loss(*arguments)


def test_lum_constructor_checks_too():
    with pytest.raises(ValueError, match="a must be a positive"):
        LargeMarginUnifiedLoss(a=-1.0)
    with pytest.raises(ValueError, match="c must be a finite"):
        LargeMarginUnifiedLoss(c=np.inf)


class Probit:
    """-log Phi(z): a legal loss that is not built in."""

    def value(self, z):
        from scipy.stats import norm

        return -norm.logcdf(z)

    def derivative(self, z):
        from scipy.stats import norm

        return -np.exp(norm.logpdf(z) - norm.logcdf(z))

    def second_derivative(self, z):
        slope = self.derivative(z)
        return -slope * (z - slope)


def broken(**methods):
    """The logistic loss with some methods replaced."""
    good = LogisticLoss()
    table = {name: getattr(good, name) for name in ("value", "derivative", "second_derivative")} | methods
    table = {name: method for name, method in table.items() if method is not None}
    return type("Broken", (), {name: staticmethod(method) for name, method in table.items()})()


def test_a_legal_custom_loss_passes():
    check_loss(Probit())
    check_loss(broken())


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (LogisticLoss, r"loss is the class LogisticLoss; pass an instance of it: LogisticLoss\("),
        (broken(second_derivative=None), "Broken has no method second_derivative"),
        (broken(value=lambda z: 1.0), r"value\(z\) returned shape \(\) for z of shape \(802, 2\)"),
        (broken(value=lambda z: 1 / 0), r"value\(z\) failed for an array .*division by zero"),
        (broken(derivative=lambda z: np.subtract(z, 1, out=z)), r"derivative\(z\) failed .*read-only"),
        (broken(value=lambda z: np.where(z > 19, np.nan, 1 - z)), r"not finite: value\(19\) = nan"),
        (
            broken(derivative=lambda z: np.where(z > 40, np.inf, LogisticLoss().derivative(z))),
            r"not finite: derivative\(50\) = inf",
        ),
        (broken(derivative=lambda z: -LogisticLoss().derivative(z)), r"is not decreasing: derivative\(-20\) = 1"),
        (broken(derivative=lambda z: np.minimum(z - 1, 0)), r"is not decreasing: derivative\(1\.\d+\) = 0.*Theorem 1"),
        (broken(derivative=lambda z: -np.exp(-(z**2) / 50)), r"is not convex: the slope falls after this point: der"),
        (broken(second_derivative=lambda z: -LogisticLoss().second_derivative(z)), r"not convex: second_derivative"),
        (broken(derivative=lambda z: 2 * LogisticLoss().derivative(z)), r"derivative\(-20\) = -2, but .* give -1"),
        (
            broken(second_derivative=lambda z: 2 * LogisticLoss().second_derivative(z)),
            r"second_derivative\(-1\d\.\d+\) = .*, but finite differences of derivative",
        ),
    ],
)
def test_a_broken_loss_is_refused_in_words(loss, message):
    with pytest.raises(ValueError, match=message):
        check_loss(loss)
