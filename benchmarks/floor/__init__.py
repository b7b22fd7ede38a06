"""The relevance floor: does recall know what it does not know? `make floor`. See docs/relevance.md."""
