"""The benchmark: studies that compare boosters, from the command line to a report."""
