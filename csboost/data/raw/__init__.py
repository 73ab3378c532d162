"""The reader of raw Lending Club files.

The way of the bytes: ``files`` opens, ``header`` finds the columns, ``blocks`` cuts and indexes records, ``parsing``
selects and converts, ``reader`` runs these in threads, ``assembly`` removes duplicates and builds the data frame,
``report`` says what happened.
"""
