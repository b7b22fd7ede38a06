"""CPU time that the server spends on each request of the dashboard. `python -m benchmarks.dashboard_requests`.

Each is the first request of a fresh server ("cold", nothing was read before), then the same once more ("again").
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from benchmarks import report
from benchmarks.browser import Served, serving
from benchmarks.dashboard import fill
from benchmarks.measure import Figure, Limit, Timing, say
from celestial_engine.surfaces.operations.catalogue import OPERATIONS

SIZE, RUNS, DAYS = 10_000, 3, 30
LIMIT = Limit(300.0, "cpu_p50")  # milliseconds
_ROUTES = {operation.name: operation.route for operation in OPERATIONS}
_QUESTION = "Where did I go last summer?"


class Asked(NamedTuple):
    """An operation with the parameters that a view sends; `{id}` is a memory's."""

    view: str
    operation: str
    parameters: dict[str, Any]


ASKED = (
    Asked("Today", "memory_stats", {}),
    Asked("Today", "memory_list", {"limit": 50}),
    Asked("Today", "memory_table", {"sort": "leaving", "descending": False, "limit": 20, "counts": False}),
    Asked("Today", "inbox_list", {"status": "pending"}),
    Asked("Memories", "memory_table", {"limit": 50, "counts": False}),
    Asked("Memories", "memory_table", {"limit": 50, "sort": "importance", "text": "summer", "counts": False}),
    Asked("People", "subject_list", {"limit": 2000}),
    Asked("People", "subject_show", {"name": "user", "limit": 60}),
    Asked("People", "relation_graph", {"limit": 2000}),
    Asked("People", "relation_graph", {"limit": 2000, "name": "user", "hops": 2}),
    Asked("Conversations", "turn_list", {"limit": 100}),
    Asked("Ask", "memory_search", {"query": _QUESTION, "limit": 20, "reinforce": False, "explain": True}),
    Asked("Ask", "auto_search", {"query": _QUESTION, "budget": 1000}),
    Asked("Orbits", "orbits", {"limit": 10_000}),
    Asked("Orbits", "memory_groups", {"by": "person"}),
    Asked("Orbits", "orbits_past", {"frames": 60, "limit": 2000}),
    Asked("Cliff", "cliff_list", {}),
    Asked("Insight", "insight", {"days": 90}),
    Asked("Insight", "memory_history", {"limit": 50}),
    Asked("Insight", "ledger_head", {}),
    Asked("Insight", "sleep_status", {}),
    Asked("Insight", "policy_status", {}),
    Asked("Insight", "server_status", {}),
    Asked("Self", "self_show", {}),
    Asked("Memory", "memory_get_related", {"id": "{id}", "depth": 2, "limit": 50}),
    Asked("Memory", "memory_outlook", {"id": "{id}", "days": 30}),
)  # fmt: skip


def cpu_ms(process: int) -> float:
    """The CPU time that a process has used, in milliseconds, as Linux counts it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(http: httpx.Client, asked: Asked, item_id: str) -> httpx.Response:
    route = _ROUTES[asked.operation]
    assert route is not None
    parameters = {name: item_id if value == "{id}" else value for name, value in asked.parameters.items()}
    if asked.operation == "orbits_past":
        parameters["start"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - DAYS * 86_400))
    named = {name: value for name, value in parameters.items() if f"{{{name}}}" in route.path}
    rest = {name: value for name, value in parameters.items() if name not in named}
    body = {"params": rest} if route.method == "GET" else {"json": rest}
    return http.request(route.method, "/v1" + route.path.format(**named), **body).raise_for_status()


def measured(path: Path, asked: Asked, runs: int, size: int) -> list[Figure]:
    times: dict[str, tuple[list[float], list[float]]] = {"cold": ([], []), "again": ([], [])}
    for _ in range(runs):
        with serving(path) as served, _client(served) as http:
            item_id = ask(http, Asked("", "memory_list", {"limit": 1}), "").json()["memories"][0]["id"]
            for walls, cpus in times.values():
                wall, cpu = time.perf_counter(), cpu_ms(served.process.pid)
                ask(http, asked, item_id)
                cpus.append(cpu_ms(served.process.pid) - cpu)
                walls.append(1000 * (time.perf_counter() - wall))
    say(f"  {asked.operation} of {asked.view}: {times['cold'][1]} ms CPU")
    name = f"{asked.view}: {asked.operation}"
    return [Timing(f"{name}, {when}", size, *each, LIMIT) for when, each in times.items()]


def _client(served: Served) -> httpx.Client:
    with served.memory() as memory:
        token, _ = memory.access.grant("benchmark", ("read", "write", "approve", "admin"))  # type: ignore[arg-type]
    return httpx.Client(base_url=served.url, headers={"authorization": f"Bearer {token}"}, timeout=120)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dashboard_requests", description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, metavar="MEMORIES")
    parser.add_argument("--runs", type=int, default=RUNS, help="how many fresh servers are asked")
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="OPERATION", help="operations to ask, instead of all"
    )
    parser.add_argument("--databases", type=Path, help="where the database is kept for the next run")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    options = parser.parse_args(arguments)
    wanted = [asked for asked in ASKED if not options.only or asked.operation in options.only]
    with tempfile.TemporaryDirectory() as folder:
        path = (options.databases or Path(folder)) / f"{options.size}.db"
        if not path.exists():
            fill(path, options.size)
        figures = [figure for asked in wanted for figure in measured(path, asked, options.runs, options.size)]
    print(report.table(figures))
    options.output.mkdir(parents=True, exist_ok=True)
    report.write_json(options.output / "dashboard_requests.json", {"figures": report.as_json(figures)})


if __name__ == "__main__":
    main()
