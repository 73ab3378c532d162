"""Files of invented loans, for tests and for trying scale.

``columns`` says what the values of a column look like, ``loans`` invents them, ``layouts`` spells them as the files in
circulation do, ``writer`` writes a whole file or none.
"""
