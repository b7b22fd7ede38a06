"""Starts a server whose workers share a small rate limit: `python limited_server.py DATABASE WORKERS BURST`."""

from __future__ import annotations

import json
import sys
from tempfile import TemporaryDirectory

from celestial_engine.surfaces.rest.serving import address_of, listening
from celestial_engine.surfaces.rest.settings import ServerSettings
from celestial_engine.surfaces.rest.supervisor import supervise
from celestial_engine.surfaces.rest.worker import WorkerSetup

if __name__ == "__main__":
    path, workers, burst = sys.argv[1:]
    listener = listening("127.0.0.1", 0)
    url = address_of(listener)
    settings = ServerSettings(requests_per_second=1e-6, burst=int(burst))
    with TemporaryDirectory() as folder:
        setup = WorkerSetup(path, None, None, settings, False, "en", "secret", b"k" * 32, folder)
        supervise(int(workers), setup, listener, lambda: print(json.dumps({"url": url}, indent=1), flush=True))
