"""The reader of raw Lending Club files.

The way of the bytes: ``request`` checks what is asked for, ``files`` opens, ``header`` finds the columns, ``blocks``
cuts and indexes records, ``selection`` chooses those of the window, ``parsing`` and ``conversion`` make columns of them
(with ``spellings`` and ``dates``), ``reader`` runs these in threads, ``findings`` holds what is amiss in a file,
``assembly`` removes duplicates and builds the data frame, ``report`` says what happened.
"""
