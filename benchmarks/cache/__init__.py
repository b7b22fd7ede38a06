"""The memory function judged as a cache, beside others, on question traces: `python -m benchmarks.cache`."""
