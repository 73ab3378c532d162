"""The public function: a fitted model as an ONNX model."""

from __future__ import annotations

import json
from typing import Any, Literal

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

import csboost
from csboost._inputs.encoders import holds_text, text_columns
from csboost.bayes.classifier import BayesDecisionClassifier
from csboost.exporting.columns import Columns
from csboost.exporting.graph import Graph
from csboost.exporting.models import last_of, outcome_of

__all__ = ["to_onnx"]

INPUTS = {"double": np.float64, "float": np.float32}


def to_onnx(model: Any, *, input_type: Literal["double", "float"] = "double") -> Any:
    """A fitted model as an ONNX model that answers, with its costs, where there is no Python.

    Parameters
    ----------
    model : estimator
        Fitted: a classifier of this package, or a scikit-learn ``Pipeline`` that ends in one. Steps before may be
        ``StandardScaler``, ``MinMaxScaler``, ``SimpleImputer`` of numbers, ``OneHotEncoder``, ``OrdinalEncoder`` and
        ``ColumnTransformer`` or ``Pipeline`` of these. ``costs.BayesDecisionClassifier`` may hold a
        ``LogisticRegression`` or a classifier of this package.
    input_type : {"double", "float"}, default="double"
        The type of the numbers that are handed in. Inside, all is double: the answers to "float" are those that
        the model gives to float32.

    Returns
    -------
    onnx.ModelProto
        Write it with ``onnx.save(found, path)``. Its one input is ``X`` (n, d), numbers of which NaN is missing. But
        where some columns hold text or categories, or a pipeline knows them by name, there is an input (n, 1) for each
        column, by its name; text is handed in as strings, and "" is missing. Its outputs are

        - ``answer`` (n,): what ``predict`` answers. Text, whole numbers, booleans or floats; of other labels the text.
        - ``scores``: what ``decision_function`` returns, or ``predict_proba`` where there is no such method.
        - ``expected_cost`` (n, A): what ``predict_expected_cost`` returns, where probabilities are a formula of the
          scores: the mixture, gradient boosting by likelihood, SAMME and the Bayes rule around such a model. For the
          others they are found by iteration, which is not written, and there is no such output.

        ``metadata_props`` names the classes and the answers, the columns of ``expected_cost``.

    Raises
    ------
    ImportError
        Without the package onnx.
    NotFittedError
        Before ``fit``.
    ValueError
        For what cannot be written, such as weak learners of scikit-learn or categories that are dates.

    Notes
    -----
    Thresholds, rows and sums are in double precision, which takes the operator ``TreeEnsemble`` of ai.onnx.ml 5:
    onnxruntime 1.21 or newer has it. Rows go to the same leaves as here, and sums are formed in the same order, so that
    scores are the same bits, unless the runtime shares the trees among threads: the last bits may differ then, and with
    them answers whose scores tie but for rounding. ``SessionOptions().intra_op_num_threads = 1`` avoids that.
    Probabilities and expected costs agree up to rounding.

    An encoder that refuses unknown categories takes them for none in ONNX, which has no errors.

    References
    ----------
    Bai, J., Lu, F., Zhang, K. et al. (2019), "ONNX: Open Neural Network Exchange", https://github.com/onnx/onnx.

    Examples
    --------
    >>> from csboost import SAMMEClassifier, to_onnx
    >>> model = SAMMEClassifier(n_estimators=3).fit([[0.0], [1.0], [2.0], [3.0]], ["A", "A", "B", "B"])
    >>> try:
    ...     found = [output.name for output in to_onnx(model).graph.output]
    ... except ImportError:  # the extra is not installed
    ...     found = ["answer", "scores", "expected_cost"]
    >>> found
    ['answer', 'scores', 'expected_cost']
    """
    _require()
    if input_type not in INPUTS:
        raise ValueError(f"input_type must be 'double' or 'float', got {input_type!r}")
    check_is_fitted(model)
    graph, last = Graph(), last_of(model)
    names = _names(model)
    is_text, apart = _kinds(model, names)
    outcome = outcome_of(model, Columns.handed_in(graph, names, is_text, apart, INPUTS[input_type]))
    labels = _labels(last.answers_)
    answer = graph.node("Gather", graph.constant(labels, labels.dtype), outcome.answer)
    graph.output("answer", answer, labels.dtype, None)
    graph.output("scores", outcome.scores, np.float64, outcome.n_scores)
    if outcome.expected_cost is not None:
        graph.output("expected_cost", outcome.expected_cost, np.float64, len(labels))
    facts = {"classes": _labels(last.classes_).tolist(), "answers": labels.tolist()}
    return graph.model(
        type(last).__name__, csboost.__version__, {key: json.dumps(value) for key, value in facts.items()}
    )


def _require() -> None:
    try:
        import onnx  # noqa: F401
    except ImportError as error:
        raise ImportError(f"to_onnx needs the package onnx ({error}): pip install onnx onnxruntime") from error


def _names(model: Any) -> list[str]:
    """The names of the columns, made up where there are none."""
    names = getattr(model, "feature_names_in_", None)
    return [f"x{place}" for place in range(model.n_features_in_)] if names is None else [str(name) for name in names]


def _kinds(model: Any, names: list[str]) -> tuple[list[bool | None], bool]:
    """Which columns are text (None: not used), and whether each column is an input of its own."""
    if isinstance(model, Pipeline) and len(model.steps) > 1:
        is_text = text_columns(model.steps[0][1], names)
        return is_text, any(is_text) or hasattr(model, "feature_names_in_")
    if isinstance(model, Pipeline):
        return _kinds(model.steps[-1][1], names)
    if isinstance(model, BayesDecisionClassifier):
        return _kinds(model.estimator_, names)
    categories = getattr(model, "_categories", None)
    tables = {} if categories is None else categories.tables
    return [place in tables and holds_text(tables[place], name) for place, name in enumerate(names)], bool(tables)


def _labels(labels: np.ndarray) -> np.ndarray:
    """Labels in a type of ONNX: text where it has none for them."""
    kinds = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64}
    kind = labels.dtype.kind
    if kind in kinds:
        return labels.astype(kinds[kind])
    return np.array([str(label) for label in labels.tolist()], object)
