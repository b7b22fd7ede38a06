"""What a node keeps between rounds, as bytes: its state and its peers."""

from __future__ import annotations

import json
import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

from celestial_engine.core.federation.parameters import WEIGHTS
from celestial_engine.core.federation.peers import Peer
from celestial_engine.core.federation.shared import Shared
from celestial_engine.core.federation.vectors import Vector, is_finite
from celestial_engine.core.learning.learned_policy import EXAMS_KEPT, Exam, HitExam


@dataclass(frozen=True)
class GossipState:
    """One node: whether it takes part, what it has sent, and what it has got."""

    enabled: bool = True
    rounds: int = 0
    last_round: float | None = None
    releases: int = 0  # different vectors that were sent
    noisy_releases: int = 0  # of these, with noise
    release: Vector | None = None
    release_lessons: int = -1  # own lessons when it was made
    noise: float = 0.0  # the smallest noise multiplier of all noisy releases
    shared: Shared | None = None
    declined: str | None = None  # why the newest aggregate is not used
    rejected: Mapping[str, int] = field(default_factory=dict)  # messages that no peer has signed, by reason


def packed_state(state: GossipState) -> bytes:
    values = {name: getattr(state, name) for name in _STATE_NAMES}
    values["rejected"] = dict(state.rejected)
    shared = state.shared
    values["release"] = _text(state.release)
    values["shared"] = None if shared is None else {
        **{name: getattr(shared, name) for name in _SHARED_NAMES}, "update": _text(shared.update),
    }  # fmt: skip
    return json.dumps(values, separators=(",", ":"), allow_nan=False).encode()


@lru_cache(maxsize=8)
def unpacked_state(raw: bytes) -> GossipState | None:
    """The inverse; None for bytes that are damaged: the node then starts again."""
    try:
        values = json.loads(raw)
        shared = values["shared"]
        if shared is not None:
            exams = tuple(Exam(bool(acted), float(reward)) for acted, reward in shared["exams"][-EXAMS_KEPT:])
            hit_exams = tuple(HitExam(float(added), float(worth)) for added, worth in shared["hit_exams"])
            shared = Shared(
                _vector(shared["update"]) or (), float(shared["at"]), int(shared["peers"]),
                float(shared.get("trust", 0.0)), shared["on"] is True, shared["reranker_on"] is True,
                shared["fits"] is True, exams, hit_exams[-EXAMS_KEPT:],
                tuple((str(key), float(share)) for key, share in shared.get("shares", ())),
                str(shared.get("inputs", "")),
            )  # fmt: skip
        return GossipState(**{**values, "shared": shared, "release": _vector(values["release"])})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def packed_peer(peer: Peer) -> bytes:
    values = {name: getattr(peer, name) for name in _PEER_NAMES}
    values["rejected"], values["update"] = dict(peer.rejected), _text(peer.update)
    return json.dumps(values, separators=(",", ":"), allow_nan=False).encode()


def unpacked_peer(raw: bytes) -> Peer | None:
    """The inverse; None for bytes that are damaged."""
    try:
        values = json.loads(raw)
        return Peer(**{**values, "update": _vector(values["update"])})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


_STATE_NAMES = [one.name for one in fields(GossipState)]
_SHARED_NAMES = [one.name for one in fields(Shared)]
_PEER_NAMES = [one.name for one in fields(Peer)]


def _text(vector: Vector | None) -> str | None:
    if vector is None:
        return None
    values = array("f", vector)
    if sys.byteorder == "big":
        values.byteswap()
    return b64encode(values.tobytes()).decode()


def _vector(text: Any) -> Vector | None:
    if text is None:
        return None
    values = array("f")
    values.frombytes(b64decode(text, validate=True))
    if sys.byteorder == "big":
        values.byteswap()
    if len(values) != WEIGHTS or not is_finite(values):
        raise ValueError("not a vector of parameters")
    return tuple(values)
