"""Bundles that say nonsense anywhere: refused as damaged, or harmless; the database stays whole."""

from __future__ import annotations

import json
import zlib
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.integration.sync.conftest import Clock, contents

from celestial_engine import CelestialMemory
from celestial_engine.core.sync.bundle import bundle_hash
from celestial_engine.errors import Reason

Path_ = tuple[Any, ...]
NONSENSE = (
    None, True, -1, 1e308, float("nan"), float("inf"), "x", "", [], {}, [1], {"a": 1}, 10**30, "\ud800", "\x00",
)  # fmt: skip


def open_memory() -> CelestialMemory:
    return CelestialMemory(":memory:", rebalance_interval=None, clock=Clock(), embedder="none")


@lru_cache(maxsize=1)
def honest_bundle() -> tuple[dict[str, Any], list[Any]]:
    """The first line of a bundle, and the lines of its payload."""
    with TemporaryDirectory() as folder, open_memory() as memory:
        item = memory.store("Mina lives in Busan", tags=["home"], session_id="s")
        memory.store("She moved there in May", related=[item.id])
        memory.forget(memory.store("gone soon").id)
        daughter = memory.store("My daughter is called Yuna")
        memory.self.approve_core(daughter.id, by="Mina")
        proposal = memory.self.propose.island("Family", description="close", founders=[daughter.id])
        memory.self.approve(proposal.id, memory.self.approval_token(proposal.id), by="Mina")
        memory.recall("Busan")
        memory.sync.with_folder(folder, plaintext=True)
        (path,) = Path(folder, "devices").rglob("*.celestial")
        header, _, payload = path.read_bytes().partition(b"\n")
    return json.loads(header), [json.loads(line) for line in zlib.decompress(payload).splitlines()]


def places(value: Any, path: Path_ = ()) -> list[Path_]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, entry in entries for place in places(entry, (*path, key)))]


def changed(value: Any, path: Path_, content: Any) -> Any:
    if not path:
        return content
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], content)
    return copy


def place_of(text: str) -> int:
    """The first place whose last name is this one."""
    return next(number for number, path in enumerate(places(honest_bundle()[1])) if path and path[-1] == text)


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(NONSENSE))
@example(place_of("at"), float("inf"))
@example(place_of("recalled_at"), float("nan"))
@example(place_of("id"), "\ud800")
@example(place_of("part"), {"a": 1})
def test_nonsense_is_refused_or_harmless(number: int, content: Any) -> None:
    header, lines = honest_bundle()
    every = places(lines)
    lines = changed(lines, every[number % len(every)], content)
    whole = lines if isinstance(lines, list) else [lines]
    payload = zlib.compress(b"".join(json.dumps(line).encode() + b"\n" for line in whole))
    data = json.dumps({**header, "size": len(payload)}).encode() + b"\n" + payload
    with TemporaryDirectory() as folder, open_memory() as memory:
        memory.store("what is here stays")
        memory.sync.with_folder(folder, plaintext=True)
        target = Path(folder, "devices", header["device"], f"00000001-{bundle_hash(data)[:16]}.celestial")
        target.parent.mkdir()
        target.write_bytes(data)
        report = memory.sync.with_folder(folder, plaintext=True)
        refused = [problem.reason for problem in report.problems]
        assert refused in ([], [Reason.SYNC_DAMAGED], [Reason.SYNC_OTHER_OWNER])
        assert len(contents(memory)) == 1 or not refused
        memory.recall("Busan")
        memory.sleep(force=True)
        assert all(other.clock_ahead is None for other in memory.sync.status().devices)
        assert not memory.self.islands() or not refused
        assert list(memory.maintenance.check()) == []
