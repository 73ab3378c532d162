"""Classifiers that learn probabilities and let costs enter the decision alone.

Inside, each file uses only those before it: ``rule`` (what they have in common), ``calibrating`` (probabilities by rows
that were held out), ``training_shares`` (the classes' shares that probabilities carry) and ``classifier`` (around any
classifier of scikit-learn), which has its public name in :mod:`csboost.costs`.
"""
