"""The competitors as ``bench.compare`` fits them: to tables with categories and missing values."""
