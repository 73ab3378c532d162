"""What a comparison over the suite shows: scores of each arm and part, tables, figures, report."""
