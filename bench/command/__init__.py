"""The command line of the benchmark: options and mishaps in words, and the course of every study."""
