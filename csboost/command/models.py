"""The models that ``csboost fit`` knows by name. Nothing heavy is imported before one is made."""

from __future__ import annotations

from typing import Any

DEFAULT = "cost-sensitive"
#: Name on the command line -> public name, and its parameters beside the costs.
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "cost-sensitive": ("CostSensitiveClassifier", {}),
    "angle-gradient": ("AngleGradientBoostingClassifier", {}),
    "angle-adaboost": ("AngleAdaBoostClassifier", {}),
    "angle-logitboost": ("AngleLogitBoostClassifier", {}),
    "angle-lum": ("AngleBoostClassifier", {"loss": "lum"}),
    "samme": ("SAMMEClassifier", {}),
    "adaboost-mh": ("AdaBoostMHClassifier", {}),
    "adaboost-m2": ("AdaBoostM2Classifier", {}),
    "p-norm": ("PNormBoostClassifier", {}),
}
EFFORTS = ("fast", "default", "high")


def make_model(name: str, costs: Any, seed: int, effort: str | None = None) -> Any:
    """A model that is not fitted yet; ``effort`` is that of the default one."""
    import csboost

    public, parameters = MODELS[name]
    given = {"effort": effort} if effort is not None else {}
    return getattr(csboost, public)(cost_matrix=costs, random_state=seed, **parameters, **given)
