"""Proofs that memories were purged: written for somebody else, and checked without the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Id, StrictRequest

if TYPE_CHECKING:
    from celestial_engine.core.ledger.proof import ProofCheck


@dataclass(frozen=True)
class PurgeProofRequest(StrictRequest):
    ids: Annotated[tuple[Id, ...], About("the memories that were purged, by their whole ids")]


@dataclass(frozen=True)
class PurgeProof:
    """The document, as it is handed on."""

    format: str
    version: int
    owner: dict[str, str]
    memories: Annotated[tuple[dict[str, Any], ...], About("id, event, time and hash of each purge")]
    before: Annotated[str, About("NUMBER:HASH of the entry before the first one")]
    entries: Annotated[
        tuple[tuple[Any, ...], ...], About("the ledger's entries from the first purge to the head that is anchored")
    ]
    anchor: Annotated[dict[str, Any], About("the anchor over that head, and the one before it")]


@dataclass(frozen=True)
class ProofCheckRequest(StrictRequest):
    document: Annotated[dict[str, Any], About("the document")]
    anchor: Annotated[str | None, About("the anchor that you were given another way, NUMBER:HASH")] = None


@dataclass(frozen=True)
class CheckedPurge:
    id: str
    event: int
    at: str


@dataclass(frozen=True)
class ProofResult:
    ok: bool
    fault: Annotated[
        str | None,
        About("unreadable, edited, not_purged, back (stored again), anchor_edited or other_anchor; null: it holds"),
    ]
    memories: tuple[CheckedPurge, ...]
    owner: Annotated[str | None, About("whose memories, USER / AGENT")]
    anchor: Annotated[str | None, About("NUMBER:HASH of the anchor: compare it with one that you were given")]
    event: Annotated[int | None, About("the entry that is wrong")] = None


def write(caller: Caller, request: PurgeProofRequest) -> PurgeProof:
    document = caller.memory.ledger.prove_purged(request.ids)
    lists = {name: tuple(document[name]) for name in ("memories", "entries")}
    return PurgeProof(**{**document, **lists})


def check(caller: Caller, request: ProofCheckRequest) -> ProofResult:
    return result_of(caller.memory.ledger.check_proof(request.document, request.anchor))


def result_of(check: ProofCheck) -> ProofResult:
    """What a check found; it needs no memory."""
    owner = None if check.owner is None else f"{check.owner.user_id} / {check.owner.agent_id}"
    memories = tuple(CheckedPurge(one.id, one.event, one.at) for one in check.memories)
    fault = None if check.fault is None else check.fault.value
    anchor = None if check.anchor is None else str(check.anchor)
    return ProofResult(check.ok, fault, memories, owner, anchor, check.number)


OPERATIONS = (
    Operation(
        "purge_proof",
        "A document that shows to somebody else that memories were purged: ledger entries up to an anchor, no text.",
        PurgeProofRequest, PurgeProof, write, Route("POST", "/ledger/proofs"), Scope.WRITE, Effect.ADDS,
        commands=(Command("proof", by_hand=True),),
    ),
    Operation(
        "proof_check", "Check such a document; nothing of this database is needed for it.",
        ProofCheckRequest, ProofResult, check, Route("POST", "/ledger/proofs/check"),
        commands=(Command("proof check", by_hand=True),),
    ),
)  # fmt: skip
