"""``csboost`` on the command line: fit a model to a file, decide the cases of another one, show what a model is.

``parser`` says what may be asked and imports nothing heavy, ``main`` answers it, ``mishaps`` ends in words what went
wrong. ``fit``, ``decide`` and ``show`` do what they are asked, with ``opening`` (of model files), ``models`` (their
names), ``trial`` (the held-out cost), ``card`` (what a file says of its model), ``features`` and ``categories`` (the
columns that a model reads), ``deciding`` (blocks of cases), ``limits`` and ``limited`` (answers under limits),
``answers`` (their file), ``files`` and ``printing``.
"""
