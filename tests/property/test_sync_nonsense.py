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
REMOVED = object()
NONSENSE = (
    REMOVED, None, True, -1, 1e308, float("nan"), float("inf"), "x", "", [], {}, [1], {"a": 1}, 10**30, "\ud800", "\x00",
)  # fmt: skip


def open_memory() -> CelestialMemory:
    return CelestialMemory(":memory:", rebalance_interval=None, clock=Clock(), embedder="none")


@lru_cache(maxsize=1)
def honest_bundles() -> tuple[dict[str, Any], list[Any], bytes]:
    """The first line of a bundle, the lines of its payload, and the bundle of another device that knows the same."""
    with TemporaryDirectory() as folder, TemporaryDirectory() as elsewhere, open_memory() as memory:
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
        with open_memory() as other:
            other.sync.with_folder(folder, plaintext=True)
            other.sync.with_folder(elsewhere, plaintext=True)
        (path,) = Path(elsewhere, "devices").rglob("*.celestial")
        lines = [json.loads(line) for line in zlib.decompress(payload).splitlines()]
        return json.loads(header), lines, path.read_bytes()


def places(value: Any, path: Path_ = ()) -> list[Path_]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, entry in entries for place in places(entry, (*path, key)))]


def changed(value: Any, path: Path_, content: Any) -> Any:
    if not path:
        return None if content is REMOVED else content
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1 and content is REMOVED:
        del copy[path[0]]
        return copy
    copy[path[0]] = changed(value[path[0]], path[1:], content)
    return copy


def place_of(text: str) -> int:
    """The first place whose last name is this one."""
    return next(number for number, path in enumerate(places(honest_bundles()[1])) if path and path[-1] == text)


def put(folder: str, data: bytes) -> None:
    device = json.loads(data.partition(b"\n")[0])["device"]
    target = Path(folder, "devices", device, f"00000001-{bundle_hash(data)[:16]}.celestial")
    target.parent.mkdir()
    target.write_bytes(data)


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(NONSENSE)), min_size=1, max_size=3))
@example([(place_of("at"), float("inf"))])
@example([(place_of("recalled_at"), float("nan"))])
@example([(place_of("id"), "\ud800")])
@example([(place_of("part"), {"a": 1})])
@example([(place_of("texts"), None)])
@example([(place_of("content"), REMOVED)])
@example([(place_of("left_at"), None)])
def test_nonsense_is_refused_or_harmless(changes: list[tuple[int, Any]]) -> None:
    header, lines, honest = honest_bundles()
    for number, content in changes:
        every = places(lines)
        lines = changed(lines, every[number % len(every)], content)
    whole = lines if isinstance(lines, list) else [lines]
    payload = zlib.compress(b"".join(json.dumps(line).encode() + b"\n" for line in whole))
    data = json.dumps({**header, "size": len(payload)}).encode() + b"\n" + payload
    with TemporaryDirectory() as folder, open_memory() as memory:
        memory.store("what is here stays")
        memory.sync.with_folder(folder, plaintext=True)
        put(folder, data)
        report = memory.sync.with_folder(folder, plaintext=True)
        refused = [problem.reason for problem in report.problems]
        assert refused in ([], [Reason.SYNC_DAMAGED], [Reason.SYNC_OTHER_OWNER])
        assert len(contents(memory)) == 1 or not refused
        assert not memory.self.islands() or not refused
        memory.recall("Busan")
        memory.sleep(force=True)
        assert all(other.clock_ahead is None for other in memory.sync.status().devices)
        put(folder, honest)
        report = memory.sync.with_folder(folder, plaintext=True)
        assert [problem.reason for problem in report.problems] == refused, "an honest device is kept out"
        assert len(contents(memory)) == 5 or not refused
        assert list(memory.maintenance.check()) == []
