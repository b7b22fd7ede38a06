"""Indexes and candidates: words, vectors, graph and statement keys."""
