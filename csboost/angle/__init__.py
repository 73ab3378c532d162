"""Boosters after the paper: angle-based, for any margin loss."""
