"""A small language model in this process, behind OpenAI's protocol, for benchmarks that ask a real one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(gguf: str, threads: int = 2) -> Iterator[str]:
    """Yields the address of a server for this file, run by xllamacpp (PyPI)."""
    import xllamacpp  # only where it was asked for

    params = xllamacpp.CommonParams()
    params.model.path = gguf
    params.n_ctx = 4096
    params.n_parallel = 1
    params.sampling.temp = 0.0
    params.cpuparams.n_threads = threads
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server
