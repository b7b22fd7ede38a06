"""The memory function compared with cache policies on question traces: `python -m benchmarks.cache`."""
