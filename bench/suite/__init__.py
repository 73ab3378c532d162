"""The comparison suite: real data sets that arrive with packages, their cost structures and their splits."""
