"""Costs as formulas over columns of X: right values, and nothing but arithmetic is let through."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from csboost import AngleAdaBoostClassifier, costs, decisions, metrics
from csboost.costs import from_formulas

RNG = np.random.default_rng(0)
X = pd.DataFrame({"amount": RNG.lognormal(8, 1, 60), "loan rate": RNG.uniform(0.02, 0.2, 60), "months": 12})
Y = np.array(["lost", "paid", "late"])[np.arange(60) % 3]
TABLE = pd.DataFrame(
    [[0, "0.6 * amount", "25"], ["`loan rate` * amount", 0, 25.5], ["-5 + amount / 100", "(amount - 3) ** 0.5", 25]],
    index=["paid", "lost", "late"],
    columns=["paid", "lost", "human"],
)


def by_hand(truth, answer, i):
    amount, rate = X["amount"][i], X["loan rate"][i]
    return {
        ("paid", "paid"): 0,
        ("paid", "lost"): 0.6 * amount,
        ("lost", "paid"): rate * amount,
        ("lost", "lost"): 0,
        ("late", "paid"): -5 + amount / 100,
        ("late", "lost"): (amount - 3) ** 0.5,
        ("lost", "human"): 25.5,
    }.get((truth, answer), 25)


def test_costs_per_row_are_those_of_the_rows_truth():
    found = from_formulas(TABLE, X, Y)
    assert found.columns.tolist() == ["lost", "paid", "human"]  # classes in sorted order, then the others
    assert found.index.equals(X.index)
    expected = [[by_hand(truth, answer, i) for answer in found.columns] for i, truth in enumerate(Y)]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_without_the_truth_there_is_a_table_per_row():
    classes = ["late", "paid", "lost"]
    found = from_formulas(TABLE, X, classes=classes)
    answers = ["paid", "lost", "human"]
    assert found.shape == (60, 3, 3)
    expected = [[[by_hand(truth, answer, i) for answer in answers] for truth in classes] for i in range(60)]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    by_truth = from_formulas(TABLE, X, Y, classes=classes).to_numpy()
    np.testing.assert_array_equal(found[np.arange(60), [classes.index(truth) for truth in Y]], by_truth)
    assert from_formulas(TABLE, X).shape == (60, 3, 3)
    few = from_formulas(TABLE, X, classes=["paid", "late"])  # the class "lost" and its answer are cut
    np.testing.assert_array_equal(few, found[:, [1, 0]][:, :, [0, 2]])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4 - 6 / 4", lambda a, b: 12.5),
        ("-amount ** 2", lambda a, b: -(a**2)),
        ("2 ** 3 ** 2", lambda a, b: 512),
        ("amount - months - 1", lambda a, b: a - 12 - 1),
        ("amount / months / 2", lambda a, b: a / 12 / 2),
        ("+(1e-3 * `amount`)", lambda a, b: a * 1e-3),
        ("`loan rate`*`loan rate`", lambda a, b: b * b),
        ("1 / 3", lambda a, b: 1 / 3),  # numbers are no integers
        (" amount ", lambda a, b: a),
    ],
)
def test_formulas_mean_what_arithmetic_says(text, value):
    table = pd.DataFrame({"no": [text, 0], "yes": [0, 1]}, index=["no", "yes"])
    found = from_formulas(table, X)[:, 0, 0]
    np.testing.assert_allclose(found, [value(*pair) for pair in zip(X["amount"], X["loan rate"], strict=True)])


def test_columns_of_any_kind_of_number_will_do():
    frame = pd.DataFrame(
        {"n": pd.array([1, 2, 3], dtype="Int64"), "b": [True, False, True], "f": np.float32([1, 2, 3])}
    )
    table = pd.DataFrame({0: ["n + b", 0], 1: ["f", 0]}, index=[0, 1])
    assert from_formulas(table, frame)[:, 0].tolist() == [[2, 1], [2, 2], [4, 3]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "0.6 * amuont",
            r"'0.6 \* amuont', names the column 'amuont', but X has no such column; its columns are 'amou",
        ),
        ("abs(amount)", "holds a call. Only numbers, names of columns"),
        ("__import__('os').system('true')", "holds a call"),
        ("amount.mean", "holds an attribute"),
        ("amount[0]", "holds a subscript"),
        ("'text'", "holds 'text', which is no number"),
        ("amount > 5", "holds a comparison"),
        ("amount if months else 2", "holds a condition"),
        ("amount and 2", "holds a logical operator"),
        ("lambda: 2", "holds a function"),
        ("1, 2", "holds a comma"),
        ("True * 2", "holds True, which is no number"),
        ("2j", "holds 2j, which is no number"),
        ("amount % 2", "holds something else than arithmetic"),
        ("~months", "holds something else than arithmetic"),
        ("(x := 3)", "holds something else than arithmetic"),
        ("@amount", "neither a number nor a formula"),
        ("loan rate * 2", "neither a number nor a formula.*Put names of columns with blanks.*`loan amount`"),
        ("amount; import os", "neither a number nor a formula"),
        ("`loan rate * 2", "a backtick is not closed"),
        ("", "is empty: write 0"),
        ("2 * 1e999", "holds a number that is too large"),
        ("9 ** 9 ** 9 ** 9", "is nan in row 0 of X; mind divisions by 0"),
        ("1 / 0", "is (nan|inf) in row 0"),  # as pandas has it
        ("(-8) ** 0.5", "is nan in row 0"),
        ("(" * 240 + "1" + ")" * 240, "neither a number nor a formula"),
        ("-" * 400 + "1", "holds too many terms"),
        ("1" + "+1" * 200, "holds too many terms"),
        ("1 + " * 200 + "1", "is a formula of 801 characters, more than 500: compute it as a column of X"),
        ("1 / (months - 12)", r"is inf in row 0 of X; mind divisions by 0"),
    ],
)
def test_a_bad_formula_is_named_by_truth_and_answer(text, message):
    table = pd.DataFrame({"no": [0, text], "yes": [1, 0]}, index=["no", "yes"])
    with pytest.raises(ValueError, match=f"the cost of truth 'yes', answer 'no'.*{message}"):
        from_formulas(table, X)


def test_what_a_row_lacks_is_named_by_row_and_column():
    gaps = X.set_index(pd.RangeIndex(100, 160)).assign(amount=X["amount"].where(X.index != 7).to_numpy())
    with pytest.raises(ValueError, match=r"needs the column 'amount', which is nan in row 7 \(index 107\) of X; fill"):
        from_formulas(TABLE, gaps)
    right = np.array(["paid"] * 60)
    table = pd.DataFrame({"paid": [0, "amount"], "lost": [1, 0]}, index=["paid", "lost"])
    assert from_formulas(table, gaps, right)["lost"].tolist() == [1.0] * 60  # the gap is in a formula of other truths
    with pytest.raises(
        ValueError, match="computes with the column 'grade' of X, which holds other things than numbers"
    ):
        from_formulas(table.replace("amount", "grade"), X.assign(grade="A"))
    with pytest.raises(ValueError, match="names the column 'amount', but X has several such columns"):
        from_formulas(table, pd.concat([X, X], axis=1))


def test_what_does_not_fit_together_is_refused():
    with pytest.raises(ValueError, match="y holds 'sold', for which the table has no row"):
        from_formulas(TABLE, X, np.where(Y == "paid", "sold", Y))
    with pytest.raises(ValueError, match="y has 59 labels, but X has 60 rows"):
        from_formulas(TABLE, X, Y[1:])
    with pytest.raises(ValueError, match="y has another index than X"):
        from_formulas(TABLE, X, pd.Series(Y)[::-1])
    with pytest.raises(ValueError, match="X is a ndarray: give a pandas.DataFrame"):
        from_formulas(TABLE, X.to_numpy(), Y)
    with pytest.raises(ValueError, match="must be a pandas.DataFrame, got list"):
        from_formulas([[0, "amount"], [1, 0]], X)
    with pytest.raises(ValueError, match="no row for the classes 'sold'"):
        from_formulas(TABLE, X, classes=["paid", "sold"])
    with pytest.raises(ValueError, match="truth 'paid', answer 'paid' is empty"):
        from_formulas(TABLE.replace(0, np.nan), X)


def test_a_fit_learns_from_formulas_as_from_the_same_costs_per_row():
    square = pd.DataFrame({"lost": [0, "0.1 * amount"], "paid": ["0.6 * amount", 0]}, index=["lost", "paid"])
    y = np.where(X["amount"] + RNG.normal(0, 500, 60) > 3000, "lost", "paid")
    rows = from_formulas(square, X, y)
    expected = np.where((y == "lost")[:, None], [0, 0.6], [0.1, 0]) * X[["amount"]].to_numpy()
    np.testing.assert_allclose(rows, expected)
    fits = [AngleAdaBoostClassifier(n_estimators=5).fit(X, y, sample_cost=found) for found in (rows, rows.to_numpy())]
    np.testing.assert_array_equal(fits[0].decision_function(X), fits[1].decision_function(X))
    plain = pd.DataFrame({"lost": [0, "2"], "paid": [3, "0"]}, index=["lost", "paid"])
    np.testing.assert_array_equal(
        from_formulas(plain, X, y)["paid"],
        costs.resolve(plain.astype(float), ["lost", "paid"])[(y == "paid").astype(int), 1],
    )
    assert metrics.mean_cost(y, fits[0].predict(X), plain.astype(float)) < 2


def test_decisions_are_made_by_the_table_of_every_row():
    classes = ["late", "lost", "paid"]
    tables, answers = from_formulas(TABLE, X), ["lost", "paid", "human"]
    P = np.random.default_rng(1).dirichlet(np.ones(3), len(X))
    decision = decisions.decide(P, sample_cost=tables, classes=classes)
    assert decision.labels.tolist() == answers
    expected = [
        [sum(P[i, j] * by_hand(truth, answer, i) for j, truth in enumerate(classes)) for answer in answers]
        for i in range(len(X))
    ]
    np.testing.assert_allclose(decision.expected_costs, expected, rtol=1e-12)
    cheapest = np.argmin(expected, axis=1)
    assert list(decision.answers) == [answers[place] for place in cheapest]
    assert len(set(cheapest)) > 1


def test_tables_of_rows_are_aligned_by_label_and_named():
    rng = np.random.default_rng(2)
    values, P = rng.uniform(size=(5, 3, 4)), rng.dirichlet(np.ones(3), 5)
    tables = costs.CostTables(values, ["mid", "low", "high"], ["human", "high", "low", "mid"])
    decision = decisions.decide(P, sample_cost=tables, classes=["high", "low", "mid"])
    assert decision.labels.tolist() == ["high", "low", "mid", "human"]
    turned = values[:, [2, 1, 0]][:, :, [1, 2, 3, 0]]
    np.testing.assert_allclose(decision.expected_costs, np.einsum("nk,nka->na", P, turned), rtol=1e-14)
    assert repr(tables).startswith("CostTables of 5 rows, labels=['mid', 'low', 'high'], answers=['human', ")
    in_order = costs.CostTables(turned, ["high", "low", "mid"], ["high", "low", "mid", "human"])
    without_names = decisions.decide(P, sample_cost=in_order)  # the sorted labels, as columns of predict_proba are
    np.testing.assert_array_equal(without_names, decision)
    some = [3, 1]
    for part in (tables[some], tables[np.isin(np.arange(5), some)], tables[1:4]):
        assert (part.labels, part.answers) == (tables.labels, tables.answers)
    chosen = decisions.decide(P[some], sample_cost=tables[some], classes=["high", "low", "mid"])
    np.testing.assert_array_equal(chosen, decision[some])
    with pytest.raises(ValueError, match="sample_cost orders its rows 'mid', 'low', 'high', but proba has no labels"):
        decisions.decide(P, sample_cost=tables)
    with pytest.raises(ValueError, match=r"tables for 5 rows, expected 4"):
        decisions.decide(P[1:], sample_cost=tables, classes=["high", "low", "mid"])
    with pytest.raises(ValueError, match=r"tables per row replace it, so leave cost_matrix out"):
        decisions.decide(P, "equal", sample_cost=tables, classes=["high", "low", "mid"])
    with pytest.raises(ValueError, match=r"sample_cost has no row for the classes 'new'"):
        decisions.decide(P, sample_cost=tables, classes=["high", "low", "new"])


@pytest.mark.parametrize(
    ("values", "labels", "message"),
    [
        (np.zeros((2, 3, 3)), ["a", "b"], r"shape \(2, 3, 3\), expected \(n, 2, 2\)"),
        (np.zeros((2, 2)), ["a", "b"], r"shape \(2, 2\), expected \(n, 2, 2\)"),
        (np.zeros((2, 2, 2)), ["a", "a"], "repeats the row labels 'a'"),
        (np.full((1, 2, 2), np.inf), ["a", "b"], r"costs\[0, 0, 0\] is inf: costs must be finite"),
    ],
)
def test_tables_of_rows_that_do_not_fit_are_refused(values, labels, message):
    with pytest.raises(ValueError, match=message):
        costs.CostTables(values, labels)


def test_a_model_decides_by_formulas_under_its_own_names():
    loans = X.assign(flag=np.tile([0.0, 1.0, 2.0], 20))
    model = AngleAdaBoostClassifier(n_estimators=5).fit(loans, Y)
    decision = model.decide(loans, sample_cost=from_formulas(TABLE, loans))
    assert decision.labels.tolist() == ["lost", "paid", "human"]
    by_model = np.einsum("nk,nka->na", model.predict_proba(loans), from_formulas(TABLE, loans))
    np.testing.assert_allclose(decision.expected_costs, by_model, rtol=1e-12)


DAYS = pd.date_range("2020-01-31", periods=2)
NO_NUMBERS = {
    "dates": DAYS, "dates with a zone": DAYS.tz_localize("UTC"), "days": DAYS.date.astype(object),
    "periods": DAYS.to_period("D"), "times": DAYS - DAYS[0],
    "times of NumPy": pd.Series([np.timedelta64(5, "s"), np.timedelta64(6, "s")], dtype=object),
    "complex": np.array([1 + 2j, 3.0]), "complex objects": pd.Series([1 + 2j, 3.0], dtype=object),
    "text": ["1.5", "2"], "text objects": pd.Series(["1.5", 2.0], dtype=object),
    "categories": pd.Categorical(["1", "2"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_dates_times_complex_numbers_and_text_are_no_numbers(kind):
    X = pd.DataFrame({"amount": NO_NUMBERS[kind]})
    table = pd.DataFrame([[0, "amount"], ["2 * amount", 0]], index=["a", "b"], columns=["a", "b"])
    for y in (None, ["a", "b"]):
        with pytest.raises(ValueError, match="the column 'amount' of X, which holds other things than numbers"):
            costs.from_formulas(table, X, y)


@pytest.mark.parametrize(
    "column",
    [
        [1, 2], [True, False], np.array([1, 2], dtype="uint8"), pd.array([1, 2], dtype="Int64"), pd.Categorical([1, 2]),
        pd.Series([Decimal(1), 2.0], dtype=object), pd.array([True, False], dtype="boolean"),
    ],
)  # fmt: skip
def test_numbers_of_every_kind_are_numbers(column):
    table = pd.DataFrame([[0, "amount"], [1, 0]], index=["a", "b"], columns=["a", "b"])
    found = costs.from_formulas(table, pd.DataFrame({"amount": column}))
    assert found.costs[:, 0, 1].tolist() == [float(value) for value in pd.Series(column)]
