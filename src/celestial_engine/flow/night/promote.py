"""promote: distil memories that earned a longer life into the next tier; the sources live out theirs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from celestial_engine.core.night.distillation import token_of
from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.night.promotion import Promotion, promotable, promotions
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.compare import key_of
from celestial_engine.core.sameness.merge import mergeable, merged, preference
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import add, place_again
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

_BATCH = 7  # a promotion takes 5 ms to write, more than twice as long as other changes

Make = Callable[[Sequence[CelestialItem], Tier], CelestialItem | None]


@dataclass(frozen=True)
class PromotePlan:
    """Which memories are distilled into which tier. None of them leaves."""

    promotions: tuple[Promotion, ...] = ()
    distilled: tuple[str, ...] = ()  # distilled earlier: a repetition adds to these
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float, tiers: Collection[Tier] = (Tier.M30, Tier.M90)) -> PromotePlan:
    """Plan for these tiers.

    The ledger knows which memories were promoted before, even if the result is gone.
    """
    lives = list(session.night.lifetime_rows(owner))
    before = {source for life in lives for source in life.promoted_from}
    distilled = tuple(life.item_id for life in lives if life.promoted_from and life.state.in_orbit)
    waiting = candidates = [life for life in lives if life.tier in tiers and promotable(life, now)]
    while True:  # query the ledger only for the ids that matter; usually one pass
        waiting = [life for life in waiting if life.item_id not in before]
        planned = promotions(waiting, candidates)
        before = _promoted_before(session, owner, _sources_of(planned))
        if not before:
            return PromotePlan(tuple(planned), distilled)


def _promoted_before(session: Reader, owner: Owner, item_ids: Sequence[str]) -> set[str]:
    """Return the ids that were distilled into another memory before."""
    return session.ledger.ids_with_event(owner, item_ids, EventType.PROMOTED, "into")


def carry_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    plan: PromotePlan,
    now: float,
    make: Make,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Promote. `make` distils and may be slow, so it runs outside transactions.

    A memory that changed meanwhile waits for the next night.
    """
    promoted, twins = 0, _Twins()
    if plan.promotions:
        with store.read() as reader:
            twins.add(reader.items.get_many(owner, plan.distilled))
    done = 0
    for part in in_batches(plan.promotions, size=_BATCH):
        drafts = []
        for draft in _drafts(store, owner, part, make):
            drafts.append(draft)
            done += 1
            if progress is not None:  # after each one: a language model is slow
                progress(done, len(plan.promotions))
        with store.write(owner, durable=False) as session:
            promoted += sum(
                _write_draft(session, law, owner, draft, now, twins) is not None for draft in drafts if draft
            )
    return {"promoted": promoted}


class _Twins:
    """Memories that were distilled before, by what they say."""

    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {}

    def add(self, items: Sequence[CelestialItem]) -> None:
        for item in items:
            ids = self._ids.setdefault(key_of(item.content), [])
            if item.id not in ids:
                ids.append(item.id)

    def of(self, session: Reader, item: CelestialItem, sources: Sequence[CelestialItem]) -> CelestialItem | None:
        """Return an equal memory among them, or among what the sources were once distilled from."""
        ancestors = [other for source in sources for other in source.links.promoted_from]
        same = session.items.get_many(item.owner, [*self._ids.get(key_of(item.content), ()), *ancestors])
        return min((other for other in same if mergeable(other, item)), key=preference, default=None)


@dataclass(frozen=True)
class _Draft:
    """A distilled memory before its sources are checked for changes."""

    promotion: Promotion
    sources: Sequence[CelestialItem]
    item: CelestialItem


def promote(
    store: ItemStore, law: Law, owner: Owner, promotion: Promotion, now: float, make: Make
) -> CelestialItem | None:
    """Write one distilled memory and its events; the same sources are never promoted twice."""
    (draft,) = _drafts(store, owner, [promotion], make)
    if draft is None:
        return None
    with store.write(owner, durable=False) as session:
        return _write_draft(session, law, owner, draft, now)


def _drafts(store: ItemStore, owner: Owner, promotions: Sequence[Promotion], make: Make) -> Iterator[_Draft | None]:
    """Yield the drafts one by one, since each may be slow; None where nothing is left to distil."""
    with store.read() as reader:
        items = {item.id: item for item in reader.items.get_many(owner, _sources_of(promotions))}
    for promotion in promotions:
        sources = [items[source] for source in promotion.sources if source in items]
        item = make(sources, promotion.tier) if sources else None
        yield None if item is None else _Draft(promotion, sources, item)


def _sources_of(promotions: Sequence[Promotion]) -> list[str]:
    return [source for promotion in promotions for source in promotion.sources]


def _write_draft(
    session: Writer, law: Law, owner: Owner, draft: _Draft, now: float, twins: _Twins | None = None
) -> CelestialItem | None:
    """Write the draft if its sources are unchanged."""
    sources = draft.sources
    if not _are_unchanged(session, owner, sources, now):
        return None
    twin = None if twins is None else twins.of(session, draft.item, sources)
    item = (
        add(session, law, draft.item, now)
        if twin is None
        else place_again(session, law, merged(twin, draft.item), now)  # distilled from other sources before
    )
    _write_events(session, item, sources, draft.promotion, now, new=twin is None)
    if twins is not None:
        twins.add([item])
    return item


def _are_unchanged(session: Reader, owner: Owner, sources: Sequence[CelestialItem], now: float) -> bool:
    current = session.items.get_many(owner, [source.id for source in sources])
    return (
        [item.content for item in current] == [source.content for source in sources]
        and all(promotable(lifetime_row_of(item), now) for item in current)
        and not _promoted_before(session, owner, [source.id for source in sources])
    )


def _write_events(
    session: Writer,
    item: CelestialItem,
    sources: Sequence[CelestialItem],
    promotion: Promotion,
    now: float,
    *,
    new: bool,
) -> None:
    promoted = {"tier": item.tier.value, "sources" if new else "again": len(sources), "why": promotion.why.value}
    ids = tuple(source.id for source in sources)
    session.ledger.record(Event(EventType.PROMOTED, item.owner, now, item.id, promoted, memory_refs=ids))
    for source in sources:
        into = {"tier": item.tier.value, "into": item.id}
        session.ledger.record(Event(EventType.PROMOTED, item.owner, now, source.id, into))


@dataclass(frozen=True)
class Pending:
    """Sources that wait for a distilled sentence; the token identifies exactly these sources."""

    token: str
    tier: Tier
    sources: tuple[CelestialItem, ...]
    promotion: Promotion | None = None  # None: already distilled by rules, and could be improved
    item: CelestialItem | None = None


def pending(
    session: Reader, owner: Owner, now: float, could_be_better: Callable[[CelestialItem], bool], limit: int
) -> list[Pending]:
    """Return what would be promoted now, then what was distilled by rules and still has all its sources."""
    results: list[Pending] = []
    for promotion in plan(session, owner, now).promotions[:limit]:
        sources = session.items.get_many(owner, promotion.sources)
        results.append(_pending(owner, promotion.tier, sources, promotion))
    distilled_ids = [
        life.item_id for life in session.night.lifetime_rows(owner) if life.promoted_from and not life.protected
    ]
    for item in session.items.get_many(owner, distilled_ids):
        if len(results) >= limit:
            break
        sources = session.items.get_many(owner, item.links.promoted_from)
        if could_be_better(item) and sources and len(sources) == len(item.links.promoted_from):
            results.append(_pending(owner, item.tier, sources, None, item))
    return results


def _pending(
    owner: Owner,
    tier: Tier,
    sources: Sequence[CelestialItem],
    promotion: Promotion | None = None,
    item: CelestialItem | None = None,
) -> Pending:
    token = token_of(owner, tier.value, [(source.id, source.content) for source in sources])
    return Pending(token, tier, tuple(sources), promotion, item)
