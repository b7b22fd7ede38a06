"""promote: raise memories that earned a longer life to the next tier.

Several that share a topic are distilled into a new memory there, and live out their own lives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from celestial_engine.core.checks import MOST_RESULTS
from celestial_engine.core.night.distillation import token_of
from celestial_engine.core.night.lifetime_rows import LifetimeRow, lifetime_row_of
from celestial_engine.core.night.promotion import Promotion, promotable, promotions
from celestial_engine.core.night.repetition import with_count, without_count
from celestial_engine.core.night.topics import topic_words, with_parts
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier, TierReason, expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.compare import key_of
from celestial_engine.core.sameness.merge import mergeable, merged, preference
from celestial_engine.core.text.gist import gist_of
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import add, place_again
from celestial_engine.flow.turn.record import Rewording
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

_BATCH = 7  # a promotion takes 5 ms to write, more than twice as long as other changes

# Distils several memories into a new one, or words one memory shorter for its next tier; None: there is no such text.
Make = Callable[[Sequence[CelestialItem], Tier], CelestialItem | Rewording | None]


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
    words = _topic_words(session, owner, candidates)
    while True:  # query the ledger only for the ids that matter; usually one pass
        waiting = [life for life in waiting if life.item_id not in before]
        planned = promotions(waiting, candidates, words)
        before = _promoted_before(session, owner, planned)
        if not before:
            return PromotePlan(tuple(planned), distilled)


def _topic_words(session: Reader, owner: Owner, lives: Sequence[LifetimeRow]) -> Mapping[str, Sequence[str]]:
    """Read the texts that may share a topic: those of the first tier, and those that were distilled."""
    ids = [life.item_id for life in lives if life.tier is Tier.M30 or life.promoted_from]
    words = dict[str, Sequence[str]]()
    for part in in_batches(ids):
        for item in session.items.get_many(owner, part):
            words[item.id] = topic_words(item.content, item.keywords)
    return with_parts(words)


def _promoted_before(session: Reader, owner: Owner, planned: Sequence[Promotion]) -> set[str]:
    """Return the ids that were distilled into another memory before, or raised to this tier and put back since."""
    ids = _sources_of(planned)
    raised = session.ledger.ids_with_event(owner, ids, EventType.PROMOTED, "raised")
    raised_before = {
        source
        for promotion in planned
        for source in raised.intersection(promotion.sources)
        if any(
            event.type is EventType.PROMOTED and "raised" in event.detail and event.detail["tier"] == promotion.tier
            for event in session.ledger.events(owner, source, MOST_RESULTS)
        )
    }
    return session.ledger.ids_with_event(owner, ids, EventType.PROMOTED, "into") | raised_before


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
    count = 0
    for part in in_batches(plan.promotions, size=_BATCH):
        drafts = list[_Draft]()
        for some in _drafts(store, owner, part, make):
            drafts += some
            count += 1
            if progress is not None:  # after each one: a language model is slow
                progress(count, len(plan.promotions))
        with store.write(owner, durable=False) as session:
            promoted += sum(_write_draft(session, law, owner, draft, now, twins) is not None for draft in drafts)
    return {"promoted": promoted}


class _Twins:
    """Memories that were distilled before, by what they say; how often does not matter."""

    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {}

    def add(self, items: Sequence[CelestialItem]) -> None:
        for item in items:
            ids = self._ids.setdefault(_key(item), [])
            if item.id not in ids:
                ids.append(item.id)

    def of(self, session: Reader, item: CelestialItem, sources: Sequence[CelestialItem]) -> CelestialItem | None:
        """Return an equal memory among them, or among what the sources were once distilled from."""
        ancestors = [other for source in sources for other in source.links.promoted_from]
        same = session.items.get_many(item.owner, [*self._ids.get(_key(item), ()), *ancestors])
        equal = (other for other in same if mergeable(_uncounted(other), _uncounted(item)))
        return min(equal, key=preference, default=None)


def _key(item: CelestialItem) -> str:
    return key_of(without_count(item.content)[0])


def _uncounted(item: CelestialItem) -> CelestialItem:
    return replace(item, content=without_count(item.content)[0])


def _merged_counts(twin: CelestialItem, item: CelestialItem) -> CelestialItem:
    """Return the earlier memory with the sources of both, and the sum of their counts."""
    both = merged(twin, item)
    (sentence, times), (_, more) = without_count(twin.content), without_count(item.content)
    if times < 2 or more < 2:
        return both
    content = with_count(sentence, times + more)
    resolution = replace(both.resolution, gist=gist_of(content))
    return replace(both, content=content, resolution=resolution, document=replace(both.document, token_count=None))


@dataclass(frozen=True)
class _Draft:
    """A distilled memory, or a raised one with its shorter text, before its sources are checked for changes."""

    promotion: Promotion
    sources: Sequence[CelestialItem]
    made: CelestialItem | Rewording | None


def promote(
    store: ItemStore, law: Law, owner: Owner, promotion: Promotion, now: float, make: Make
) -> CelestialItem | None:
    """Write one distilled memory and its events; the same sources are never promoted twice."""
    drafts = next(_drafts(store, owner, [promotion], make))
    if len(drafts) != 1:
        return None
    with store.write(owner, durable=False) as session:
        return _write_draft(session, law, owner, drafts[0], now)


def _drafts(store: ItemStore, owner: Owner, promotions: Sequence[Promotion], make: Make) -> Iterator[list[_Draft]]:
    """Yield the drafts of each promotion, since each may be slow; none where nothing is left to distil."""
    with store.read() as reader:
        items = {item.id: item for item in reader.items.get_many(owner, _sources_of(promotions))}
    for promotion in promotions:
        yield _drafts_of(promotion, items, make)


def _drafts_of(promotion: Promotion, items: Mapping[str, CelestialItem], make: Make) -> list[_Draft]:
    sources = [items[source] for source in promotion.sources if source in items]
    result = make(sources, promotion.tier) if sources else None
    if sources and (result is not None or promotion.raises):
        return [_Draft(promotion, sources, result)]
    if promotion.raises or promotion.tier is not Tier.M365:
        return []
    # Each of them earned it: if no text stands for all, each is raised by itself.
    return [draft for each in promotion.apart for draft in _drafts_of(each, items, make)]


def _sources_of(promotions: Sequence[Promotion]) -> list[str]:
    return [source for promotion in promotions for source in promotion.sources]


def _write_draft(
    session: Writer, law: Law, owner: Owner, draft: _Draft, now: float, twins: _Twins | None = None
) -> CelestialItem | None:
    """Write the draft if its sources are unchanged."""
    sources, result = draft.sources, draft.made
    reason = TierReason(f"promoted_{draft.promotion.why.value}")
    if isinstance(result, CelestialItem):
        result = replace(result, tier_reason=reason)
    if not _are_unchanged(session, owner, draft, now):
        return None
    if result is None or isinstance(result, Rewording):
        (source,) = session.items.get_many(owner, [source.id for source in sources])
        return _raise(session, law, replace(source, tier_reason=reason), draft.promotion, result, now)
    twin = None if twins is None else twins.of(session, result, sources)
    item = (
        add(session, law, result, now)
        if twin is None
        else place_again(session, law, _merged_counts(twin, result), now)  # distilled from other sources before
    )
    _write_events(session, item, sources, draft.promotion, now, new=twin is None)
    if twins is not None:
        twins.add([item])
    return item


def _raise(
    session: Writer, law: Law, item: CelestialItem, promotion: Promotion, reworded: Rewording | None, now: float
) -> CelestialItem:
    """Give a memory the next tier and a new lifetime."""
    was = item.tier
    item = item if reworded is None else reworded.applied_to(item)
    tier = promotion.tier
    raised = replace(item, tier=tier, expires_at=expiry(tier, now), state=State.ACTIVE, state_since=None)
    detail = {"tier": tier.value, "raised": was.value, "why": promotion.why.value}
    item = place_again(session, law, raised, now)
    session.ledger.record(Event(EventType.PROMOTED, item.owner, now, item.id, detail))
    return item


def _are_unchanged(session: Reader, owner: Owner, draft: _Draft, now: float) -> bool:
    current = session.items.get_many(owner, [source.id for source in draft.sources])
    return (
        [item.content for item in current] == [source.content for source in draft.sources]
        and all(promotable(lifetime_row_of(item), now) for item in current)
        and all(item.tier.next is draft.promotion.tier for item in current)
        and not _promoted_before(session, owner, [draft.promotion])
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
    planned = [promotion for promotion in plan(session, owner, now).promotions if not promotion.raises]
    for promotion in planned[:limit]:
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
