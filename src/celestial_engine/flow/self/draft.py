"""Drafts of proposals about the self, checked against the current state. Not a stage itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import uuid4

from celestial_engine.core.guard.guard import is_merely_suspected
from celestial_engine.core.guard.instructions import looks_like_injection
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.beliefs import MOST_STATEMENT, STARTS_AT, plain, repeats, same_statement
from celestial_engine.core.self.islands import MOST_DESCRIPTION, MOST_EMOJI, MOST_NAME, Island, IslandStatus
from celestial_engine.core.self.proposals import (
    Change,
    Channel,
    Part,
    ProposalKind,
    ProposalStatus,
    digest_of_text,
)
from celestial_engine.core.self.reflection import IMAGINED, island_for
from celestial_engine.core.self.self_state import Self, changed_part, differences
from celestial_engine.errors import (
    Action,
    InvalidInputError,
    Reason,
    SelfVersionNotFoundError,
    Thing,
    WrongStateError,
)
from celestial_engine.flow.base.placement import get_in_orbit, get_item, state_name
from celestial_engine.flow.self.inbox import ProposalDraft
from celestial_engine.flow.self.tend import core_memories, is_core, self_of
from celestial_engine.ports import Reader

_SECONDS_A_DAY = 86_400.0
_LASTING = (Tier.M365, Tier.M0)


def core_promotion(
    session: Reader, owner: Owner, item_id: str, channel: Channel, reasons: dict[str, Any] | None = None
) -> ProposalDraft:
    """Draft a memory's promotion to core, with the island that it would join."""
    item = get_in_orbit(session, owner, item_id, Action.MAKE_CORE)
    if item.tier is Tier.M0:
        raise InvalidInputError("id", Reason.CORE_ALREADY)
    unproved = item.tier is not Tier.M365 or item.is_claim
    refused = item.trust is Trust.LOW and not is_merely_suspected(item)
    if refused or (unproved and not channel.is_the_users):
        raise InvalidInputError("id", Reason.NOT_FOR_CORE)
    island = _island_to_join(item, session.self.islands(owner))
    details: dict[str, Any] = {"recalled": item.recall_count, "tier": item.tier.value, **(reasons or {})}
    if island is not None:
        details |= {"island": island.id, "status": island.status.value}
    after = {"tier": Tier.M0.value, "island": None if island is None else island.id}
    change = Change(Part.MEMORY, item_id, _memory_state(item), after)
    return ProposalDraft(ProposalKind.CORE_PROMOTION, (change,), f"core:{item_id}", (item_id,), details)


def core_change(session: Reader, owner: Owner, item_id: str, content: str) -> ProposalDraft:
    item = _core_memory(session, owner, item_id)
    _no_instruction(content, "content")
    change = Change(Part.MEMORY, item_id, _memory_state(item), {"content": content})
    if content == item.content:
        raise InvalidInputError("content", Reason.SAME_ALREADY)
    reasons = _effects(shaken_by(session, owner, item_id))
    return ProposalDraft(ProposalKind.CORE_CHANGE, (change,), f"change:{item_id}", (item_id,), reasons)


def core_deletion(session: Reader, owner: Owner, item_id: str) -> ProposalDraft:
    item = _core_memory(session, owner, item_id)
    change = Change(Part.MEMORY, item_id, _memory_state(item), None)
    reasons = _effects(shaken_by(session, owner, item_id))
    return ProposalDraft(ProposalKind.CORE_DELETION, (change,), f"delete:{item_id}", (item_id,), reasons)


def shaken_by(session: Reader, owner: Owner, item_id: str) -> Self:
    """Return the islands that rest on this memory alone, and the beliefs that it supports."""
    present = self_of(session, owner)
    return Self(
        tuple(island for island in present.islands if island.founders == (item_id,)),
        tuple(belief for belief in present.beliefs if item_id in belief.supports),
    )


def _effects(shaken: Self) -> dict[str, Any]:
    affected = {
        "shakes_islands": [island.id for island in shaken.islands],
        "shakes_beliefs": [belief.id for belief in shaken.beliefs],
    }
    return {name: ids for name, ids in affected.items() if ids}


# -- islands ------------------------------------------------------------------------------------------


def island_founded(
    session: Reader, owner: Owner, part: dict[str, Any], reasons: dict[str, Any] | None = None,
    evidence: Iterable[str] = (),
) -> ProposalDraft:  # fmt: skip
    _check_island(session, owner, part, None)
    change = Change(Part.ISLAND, f"i-{uuid4().hex[:8]}", None, part)
    named = tuple(dict.fromkeys((*part["founders"], *evidence)))
    return ProposalDraft(
        ProposalKind.ISLAND_FOUNDED, (change,), f"island:{plain(part['name'])}", named, reasons or {}
    )


def island_changed(
    session: Reader, owner: Owner, island_id: str, changes: dict[str, Any], dissolve: bool = False
) -> ProposalDraft:
    island = self_of(session, owner).island(island_id)
    if island is None:
        raise InvalidInputError("island", Reason.NO_SUCH, thing=Thing.ISLAND, got=island_id)
    part = None if dissolve else changed_part(island.part, **changes)
    if part is not None:
        _check_island(session, owner, part, island)
    change = Change(Part.ISLAND, island_id, island.part, part)
    return ProposalDraft(ProposalKind.ISLAND_CHANGED, (change,), f"island:{island_id}", island.founders)


def _check_island(session: Reader, owner: Owner, part: dict[str, Any], island: Island | None) -> None:
    for field, most in (("name", MOST_NAME), ("emoji", MOST_EMOJI), ("description", MOST_DESCRIPTION)):
        if len(part[field]) > most:
            raise InvalidInputError(field, Reason.TOO_LONG, most=most)
        _no_instruction(part[field], field)
    others = [other for other in session.self.islands(owner) if island is None or other.id != island.id]
    if any(plain(other.name) == plain(part["name"]) for other in others):
        raise InvalidInputError("name", Reason.ALREADY_THERE, thing=Thing.ISLAND, got=part["name"])
    founders = () if island is None else island.founders
    if not part["founders"] and not (island is not None and not island.founders):
        raise InvalidInputError("founders", Reason.NEEDS_FOUNDER)
    for item_id in part["founders"]:
        if item_id not in founders:
            _core_memory(session, owner, item_id)


# -- beliefs ------------------------------------------------------------------------------------------


def belief_formed(
    session: Reader, owner: Owner, part: dict[str, Any], reasons: dict[str, Any] | None = None,
    *, by_hand: bool = False, confidence: float | None = None,
) -> ProposalDraft:  # fmt: skip
    """Draft a new belief. `by_hand`: one that the user wrote into SOUL.md needs no supporting memory.

    `confidence` is how sure its author says to be; who was rejected before is no surer than then.
    """
    if not part["supports"] and not by_hand:
        raise InvalidInputError("supports", Reason.NEEDS_SUPPORT)
    _check_belief(session, owner, part, None)
    about = f"belief:{plain(part['statement'])}"
    rejected = [one for one in session.self.proposals_about(owner, about) if one.status is ProposalStatus.REJECTED]
    start = STARTS_AT if confidence is None else confidence
    if rejected and rejected[0].confidence is not None:
        start = rejected[0].confidence if confidence is None else min(confidence, rejected[0].confidence)
    change = Change(Part.BELIEF, f"b-{uuid4().hex[:8]}", None, part)
    supports = tuple(part["supports"])
    return ProposalDraft(ProposalKind.BELIEF_FORMED, (change,), about, supports, reasons or {}, start)


def belief_changed(
    session: Reader, owner: Owner, belief_id: str, changes: dict[str, Any], drop: bool = False,
    reasons: dict[str, Any] | None = None,
) -> ProposalDraft:  # fmt: skip
    belief = self_of(session, owner).belief(belief_id)
    if belief is None:
        raise InvalidInputError("belief", Reason.NO_SUCH, thing=Thing.BELIEF, got=belief_id)
    part = None if drop else changed_part(belief.part, **changes)
    if part is not None:
        _check_belief(session, owner, part, belief_id)
    change = Change(Part.BELIEF, belief_id, belief.part, part)
    evidence = tuple(dict.fromkeys((*belief.supports, *(part["supports"] if part else ()))))
    return ProposalDraft(ProposalKind.BELIEF_CHANGED, (change,), f"belief:{belief_id}", evidence, reasons or {})


def _check_belief(session: Reader, owner: Owner, part: dict[str, Any], belief_id: str | None) -> None:
    statement = part["statement"]
    if len(statement) > MOST_STATEMENT:
        raise InvalidInputError("statement", Reason.TOO_LONG, most=MOST_STATEMENT)
    _no_instruction(statement, "statement")
    present = self_of(session, owner)
    same = same_statement(statement, present.beliefs)
    if same is not None and same.id != belief_id:
        raise InvalidInputError("statement", Reason.BELIEF_SAYS_SAME, got=same.id)
    if part["island"] is not None and present.island(part["island"]) is None:
        raise InvalidInputError("island", Reason.NO_SUCH, thing=Thing.ISLAND, got=part["island"])
    circular = next((one for one in part["supports"] if present.belief(one) or present.island(one)), None)
    if circular is not None:
        raise InvalidInputError("supports", Reason.CIRCULAR, got=circular)
    supports = [_support(session, owner, item_id, statement) for item_id in part["supports"]]
    essences = {source for item in supports for source in item.links.promoted_from}
    twice = next((item.id for item in supports if item.id in essences), None)
    if twice is not None:
        raise InvalidInputError("supports", Reason.COUNTED_ONCE, got=twice)


def _support(session: Reader, owner: Owner, item_id: str, statement: str) -> CelestialItem:
    item = get_item(session, owner, item_id)
    if item.state is State.CLIFF:
        raise WrongStateError(item_id=item_id, state=state_name(item), action=Action.SUPPORT)
    if not may_support(item, statement):
        raise InvalidInputError("supports", Reason.CANNOT_SUPPORT, got=item_id)
    return item


def may_support(item: CelestialItem, statement: str) -> bool:
    """Return whether a memory may support a belief: no instruction, nothing imagined, not the belief itself."""
    lasting = item.tier in _LASTING and item.state.in_orbit
    return lasting and not item.is_marked and IMAGINED not in item.tags and not repeats(item.content, statement)


# -- versions -----------------------------------------------------------------------------------------


def rollback(session: Reader, owner: Owner, version: int) -> ProposalDraft:
    """Draft a return to an earlier version; founders and supports that are gone since stay gone."""
    versions = {entry.version: entry for entry in session.self.versions(owner)}
    if version != 0 and version not in versions:
        raise SelfVersionNotFoundError(version=version)
    then = Self() if version == 0 else versions[version].self
    core = {item.id for item in core_memories(session, owner)}
    islands = [replace(entry, founders=tuple(item_id for item_id in entry.founders if item_id in core))
               for entry in then.islands]  # fmt: skip
    support_ids = [item_id for entry in then.beliefs for item_id in entry.supports]
    existing = {item.id for item in session.items.get_many(owner, support_ids) if item.state is not State.CLIFF}
    beliefs = [replace(entry, supports=tuple(item_id for item_id in entry.supports if item_id in existing))
               for entry in then.beliefs]  # fmt: skip
    remaining = tuple(entry for entry in islands if entry.founders)
    changes = differences(self_of(session, owner), Self(remaining, tuple(beliefs)))
    reasons: dict[str, Any] = {"version": version}
    if len(remaining) < len(islands):
        reasons["without_founders"] = len(islands) - len(remaining)
    return ProposalDraft(ProposalKind.SELF_ROLLBACK, changes, "rollback", (), reasons)


# -- shared -------------------------------------------------------------------------------------------


def _core_memory(session: Reader, owner: Owner, item_id: str) -> CelestialItem:
    item = get_item(session, owner, item_id)
    if not is_core(item):
        raise InvalidInputError("id", Reason.NOT_CORE, got=item_id)
    return item


def _memory_state(item: CelestialItem) -> dict[str, Any]:
    return {"tier": item.tier.value, "digest": digest_of_text(item.content)}


def _island_to_join(item: CelestialItem, islands: Iterable[Island]) -> Island | None:
    """Return the island it founded before, else the one it is closest to; an island in need comes first."""
    candidates = list(islands)
    former = next((island for island in candidates if item.id in island.lost), None)
    needy = (IslandStatus.SHAKING, IslandStatus.COLLAPSED, IslandStatus.REBUILDING)
    return former or island_for(item.keywords, sorted(candidates, key=lambda island: island.status not in needy))


def _no_instruction(text: str, field: str) -> None:
    if looks_like_injection(text):
        raise InvalidInputError(field, Reason.INSTRUCTS)
