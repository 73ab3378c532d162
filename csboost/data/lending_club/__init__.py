"""Lending Club's loans, the data of the paper's credit example.

``loading`` gives the embedded ``table`` or what ``raw`` reads of the user's files; ``splits`` chooses the loans that
train and test; ``features`` (of the table) and ``preprocessing`` (of raw loans, with ``dummies``) make numbers of them;
``draws`` does both for one replication. ``leakage`` looks for columns that give the grade away, ``kept`` says which
columns the models got, and ``synthetic`` writes files of invented loans.
"""
