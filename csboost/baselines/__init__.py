"""The boosters that the paper compares with."""
