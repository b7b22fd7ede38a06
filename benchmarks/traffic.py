"""Four servers on one PostgreSQL under mixed traffic: `python -m benchmarks.traffic` (`make traffic`).

Six clients store, search and recall for three owners, with row-level security on and off, and one of the servers is
killed half way. At the end everything acknowledged must be there, counts must be exact, and no answer may hold a row
of another owner; otherwise it ends with an error.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from contextlib import ExitStack

from benchmarks.measure import say
from benchmarks.scale import running_postgres

SERVERS, SECONDS = 4, 60.0


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.traffic", description="Checks servers under traffic.")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="with row-level security, and without again")
    parser.add_argument("--servers", type=int, default=SERVERS)
    options = parser.parse_args(arguments)
    os.environ |= {"CELESTIAL_EMBEDDER": "none", "CELESTIAL_POOL_SIZE": "6"}
    for row_security in (True, False):
        with running_postgres() as (url, _):
            run(url, options.servers, options.seconds, row_security=row_security)


def run(url: str, count: int, seconds: float, *, row_security: bool) -> None:
    from tests.surfaces.server_process import started
    from tests.traffic import Traffic, tokens_of, turn_row_security_off

    tokens = tokens_of(url)
    if not row_security:
        turn_row_security_off(url)
    with ExitStack() as stack:
        servers = [stack.enter_context(started(url)) for _ in range(count)]
        traffic = Traffic([told["url"] for _, told in servers], tokens)
        traffic.run(seconds=seconds, half_way=servers[0][0].kill)
    traffic.check(url)
    stored, lost = sum(map(len, traffic.acknowledged.values())), traffic.unanswered_stores.total()
    say(
        f"row-level security {'on' if row_security else 'off'}: {traffic.sent:,} requests in {seconds:g} s, "
        f"{stored:,} stores acknowledged and all there, {lost} without an answer from the killed server, "
        f"{traffic.recalled.total():,} recalls counted, no row of another owner"
    )


if __name__ == "__main__":
    main()
