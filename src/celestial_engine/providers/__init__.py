"""Embedders and language models: packaged models, plain functions and HTTP endpoints."""
