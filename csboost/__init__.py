"""Multiclass boosting that minimises the cost of mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from csboost._lazy import lazily

__version__ = "0.1.0"

# Imported on first use, so that ``import csboost`` loads neither Numba nor scikit-learn.
_HOMES = {
    "CostSensitiveClassifier": "mixture.classifier",
    "AngleAdaBoostClassifier": "angle.adaboost",
    "AngleLogitBoostClassifier": "angle.logitboost",
    "AngleBoostClassifier": "angle.general",
    "AngleGradientBoostingClassifier": "angle.gradient",
    "SAMMEClassifier": "baselines.samme",
    "AdaBoostMHClassifier": "baselines.adaboost_mh",
    "AdaBoostM2Classifier": "baselines.adaboost_m2",
    "PNormBoostClassifier": "baselines.pnorm",
    "load_model": "models.loading",
    "save_model": "models.saving",
    "to_onnx": "exporting.export",
    "split_pipeline": "_inputs.pipelines",
    "warm_up": "warming",
}
_MODULES = ("costs", "dask", "data", "decisions", "explain", "metrics", "plots", "tables", "weak")

__all__ = [*_HOMES, *_MODULES, "__version__"]

if TYPE_CHECKING:
    from csboost import costs as costs
    from csboost import dask as dask
    from csboost import data as data
    from csboost import decisions as decisions
    from csboost import explain as explain
    from csboost import metrics as metrics
    from csboost import plots as plots
    from csboost import tables as tables
    from csboost import weak as weak
    from csboost._inputs.pipelines import split_pipeline as split_pipeline
    from csboost.angle.adaboost import AngleAdaBoostClassifier as AngleAdaBoostClassifier
    from csboost.angle.general import AngleBoostClassifier as AngleBoostClassifier
    from csboost.angle.gradient import AngleGradientBoostingClassifier as AngleGradientBoostingClassifier
    from csboost.angle.logitboost import AngleLogitBoostClassifier as AngleLogitBoostClassifier
    from csboost.baselines.adaboost_m2 import AdaBoostM2Classifier as AdaBoostM2Classifier
    from csboost.baselines.adaboost_mh import AdaBoostMHClassifier as AdaBoostMHClassifier
    from csboost.baselines.pnorm import PNormBoostClassifier as PNormBoostClassifier
    from csboost.baselines.samme import SAMMEClassifier as SAMMEClassifier
    from csboost.exporting.export import to_onnx as to_onnx
    from csboost.mixture.classifier import CostSensitiveClassifier as CostSensitiveClassifier
    from csboost.models.loading import load_model as load_model
    from csboost.models.saving import save_model as save_model
    from csboost.warming import warm_up as warm_up
else:  # hidden from type checkers, which would take every misspelt name for something of any type
    __getattr__, __dir__ = lazily(__name__, _HOMES, _MODULES)
