"""Learning together with peers: how it stands, who takes part, and the way out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.engine.federation import FederationStatus, PeerStatus
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import EmptyRequest, StrictRequest
from celestial_engine.surfaces.operations.views import moment_view, view_of


@dataclass(frozen=True)
class GossipPeer:
    key: Annotated[str, About("its public key, in hexadecimal")]
    url: str
    state: Annotated[str, About("new, active, other_rules (listed and ignored) or quarantined")]
    share: Annotated[float, About("how much its policy counts: how likely it is that it decides like the owner")]
    accepted: Annotated[int, About("messages that were accepted")]
    rejected: Annotated[dict[str, int], About("messages and updates that were rejected, by reason")]
    last_seen: str | None
    quarantined_until: str | None


@dataclass(frozen=True)
class GossipStatus:
    enabled: bool
    key: Annotated[str, About("the public key of this memory, which peers add; empty before it takes part")]
    rules: Annotated[str, About("SHA-256 of the rules; peers with another one are ignored")]
    peers: tuple[GossipPeer, ...]
    rounds: int
    last_round: str | None
    used_updates: Annotated[int, About("peers whose updates are in the candidate")]
    candidate_on: Annotated[bool, About("what others learned takes part in decisions")]
    reranker_on: Annotated[bool, About("what others learned takes part in ranking")]
    declined: Annotated[
        str | None, About("why it takes no part: too_few, too_few_turns, worse_on_own_turns or worse_in_exams")
    ]
    weight: Annotated[float, About("how much of what others learned counts, from 1 down to 0 with own experience")]
    trust: Annotated[float, About("how likely it is that one of the peers decides like the owner")]
    exams: int
    gain: Annotated[float | None, About("mean reward above the own policy, in exams; null before there are any")]
    releases: Annotated[int, About("different parameters that were sent")]
    noise: bool
    epsilon: Annotated[float | None, About("privacy spent so far; null: no bound, something was sent without noise")]
    delta: float
    epsilon_limit: float
    message_bytes: int
    rejected: Annotated[dict[str, int], About("messages that no peer had signed, by reason")]


@dataclass(frozen=True)
class AddPeerRequest(StrictRequest):
    url: Annotated[str, About("its address: https://..., or http://127.0.0.1:PORT")]
    key: Annotated[str, About("its public key, as `celestial gossip status` shows it there")]


@dataclass(frozen=True)
class PeerKeyRequest(StrictRequest):
    key: Annotated[str, About("the public key of the peer")]


def status(caller: Caller, request: EmptyRequest) -> GossipStatus:
    return _status(caller.memory.federation.status())


def join(caller: Caller, request: EmptyRequest) -> GossipStatus:
    return _status(caller.memory.federation.join())


def pause(caller: Caller, request: EmptyRequest) -> GossipStatus:
    return _status(caller.memory.federation.pause())


def leave(caller: Caller, request: EmptyRequest) -> GossipStatus:
    return _status(caller.memory.federation.leave())


def add_peer(caller: Caller, request: AddPeerRequest) -> GossipPeer:
    return _peer(caller.memory.federation.add_peer(request.url, request.key))


def remove_peer(caller: Caller, request: PeerKeyRequest) -> GossipStatus:
    caller.memory.federation.remove_peer(request.key)
    return _status(caller.memory.federation.status())


def _status(status: FederationStatus) -> GossipStatus:
    return view_of(
        GossipStatus, status, peers=tuple(map(_peer, status.peers)), last_round=moment_view(status.last_round),
        rejected=dict(status.rejected),
    )  # fmt: skip


def _peer(peer: PeerStatus) -> GossipPeer:
    return view_of(
        GossipPeer, peer, state=peer.state.value, rejected=dict(peer.rejected), last_seen=moment_view(peer.last_seen),
        quarantined_until=moment_view(peer.quarantined_until),
    )  # fmt: skip


OPERATIONS = (
    Operation(
        "gossip_status", "Whether this memory learns together with others, its peers, privacy spent and gain.",
        EmptyRequest, GossipStatus, status, Route("GET", "/gossip"), tool=False,
        commands=(Command("gossip", by_hand=True),),
    ),
    Operation(
        "gossip_on", "Take part in learning together: parameters are exchanged with the peers, never texts.",
        EmptyRequest, GossipStatus, join, Route("POST", "/gossip/on"), Scope.ADMIN, Effect.ADDS, tool=False,
        commands=(Command("gossip on", by_hand=True),),
    ),
    Operation(
        "gossip_off", "Take no part for now: nothing is sent or accepted, and the own policy decides alone.",
        EmptyRequest, GossipStatus, pause, Route("POST", "/gossip/off"), Scope.ADMIN, Effect.ADDS, tool=False,
        commands=(Command("gossip off", by_hand=True),),
    ),
    Operation(
        "gossip_leave", "Leave: the peers and everything that came from them are deleted.",
        EmptyRequest, GossipStatus, leave, Route("POST", "/gossip/leave"), Scope.ADMIN, Effect.REMOVES, tool=False,
        commands=(Command("gossip leave", by_hand=True),),
    ),
    Operation(
        "gossip_peer_add", "Add a peer by its address and public key, or change its address.",
        AddPeerRequest, GossipPeer, add_peer, Route("POST", "/gossip/peers", status=201), Scope.ADMIN, Effect.ADDS,
        tool=False, commands=(Command("gossip peer", by_hand=True),),
    ),
    Operation(
        "gossip_peer_remove", "Delete a peer; what it sent is in no later aggregate.",
        PeerKeyRequest, GossipStatus, remove_peer, Route("DELETE", "/gossip/peers/{key}"), Scope.ADMIN,
        Effect.REMOVES, tool=False, commands=(Command("gossip peer", by_hand=True),),
    ),
)  # fmt: skip
