"""Boosters and a linear member on the same folds, mixed by what the folds say: the model to fit first."""
