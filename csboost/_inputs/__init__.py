"""What users hand in, told apart by what it offers: numbers, labels, weights, features, rows that belong together."""
