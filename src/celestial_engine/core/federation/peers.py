"""Peers: what is known about each, and when one is ignored for a while."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from celestial_engine.core.federation.messages import Message, Rejection
from celestial_engine.core.federation.settings import GossipConfig
from celestial_engine.core.federation.vectors import Vector, as_stored, clipped

# Only what its own signature proves counts against a peer: anybody can send rubbish, or an old message, in its name.
_ITS_OWN_FAULT = frozenset({Rejection.WRONG_SHAPE, Rejection.NOT_FINITE, Rejection.OUTLIER})


class PeerState(str, Enum):
    """Whether a peer's updates are used."""

    NEW = "new"  # nothing has come from it yet
    ACTIVE = "active"
    OTHER_RULES = "other_rules"  # listed and ignored
    QUARANTINED = "quarantined"


@dataclass(frozen=True)
class Peer:
    """A node that the user has added. `key` is its public key in hexadecimal."""

    key: str
    url: str
    added_at: float
    seen_round: int = 0  # the highest round that came from it
    sent_round: int = 0  # the highest round that was sent to it
    last_seen: float | None = None
    accepted: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)  # by reason
    strikes: int = 0  # rejected in a row
    quarantined_until: float | None = None
    same_rules: bool = True
    update: Vector | None = None
    update_at: float = 0.0  # when the update arrived
    judged: bool = False  # whether this update was already found to be an outlier

    def is_quarantined(self, now: float) -> bool:
        return self.quarantined_until is not None and now < self.quarantined_until

    def state(self, now: float) -> PeerState:
        if self.is_quarantined(now):
            return PeerState.QUARANTINED
        if not self.same_rules:
            return PeerState.OTHER_RULES
        return PeerState.NEW if self.update is None else PeerState.ACTIVE

    def usable_update(self, now: float) -> Vector | None:
        return self.update if self.state(now) is PeerState.ACTIVE else None


def accept(peer: Peer, message: Message, now: float, settings: GossipConfig, *, same_rules: bool) -> Peer:
    """Returns the peer after an authentic message. An update under other rules is not kept."""
    updated = replace(peer, seen_round=message.round, last_seen=now, same_rules=same_rules)
    if not same_rules:
        return _counted(replace(updated, update=None), Rejection.RULES)
    if peer.is_quarantined(now):
        return _counted(updated, Rejection.QUARANTINED)
    update = as_stored(clipped(message.update, settings.max_norm))
    return replace(
        updated,
        accepted=peer.accepted + 1,
        update=update,
        update_at=now,
        judged=peer.judged and update == peer.update,
        quarantined_until=None,
    )


def reject(peer: Peer, rejection: Rejection, now: float, settings: GossipConfig) -> Peer:
    """Returns the peer after a rejection: counted, and in quarantine after several of its own in a row."""
    counted = _counted(peer, rejection)
    if rejection not in _ITS_OWN_FAULT:
        return counted
    strikes = peer.strikes + 1
    if strikes < settings.quarantine_after:
        return replace(counted, strikes=strikes)
    until = now + settings.quarantine_seconds
    return replace(counted, strikes=0, quarantined_until=until, update=None)


def forgive(peer: Peer) -> Peer:
    """Returns the peer after one of its updates was used: the row of rejections ends."""
    return replace(peer, strikes=0) if peer.strikes else peer


def _counted(peer: Peer, rejection: Rejection) -> Peer:
    return replace(peer, rejected={**peer.rejected, rejection.value: peer.rejected.get(rejection.value, 0) + 1})
