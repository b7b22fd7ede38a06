"""The sentences of the command line."""
