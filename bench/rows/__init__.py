"""The results folder: the schema of a stored row, the settings that rows were made with, and the files themselves."""
