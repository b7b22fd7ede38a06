"""appraise: update importance from ratings, links and emotion since. An importance that a caller gave stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from celestial_engine.core.night.lifetime_rows import LifetimeRow
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.importance import BY_EVIDENCE, GIVEN, Evaluation, evidence
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import place_again
from celestial_engine.ports import ItemStore, Progress, Reader

ImportanceJudge = Callable[[CelestialItem], Evaluation]


@dataclass(frozen=True)
class AppraisePlan:
    """The memories whose importance no longer matches their evidence."""

    item_ids: tuple[str, ...] = ()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float) -> AppraisePlan:
    return AppraisePlan(tuple(life.item_id for life in session.night.lifetime_rows(owner) if _is_out_of_date(life)))


def _is_out_of_date(life: LifetimeRow) -> bool:
    """Return whether the evidence now exceeds the importance, or fell below one that came from evidence."""
    if life.importance_source == GIVEN or not life.state.in_orbit:
        return False
    from_evidence = evidence(life.user_rating, life.links, life.sentiment)
    return from_evidence > life.importance or (
        from_evidence < life.importance and life.importance_source in BY_EVIDENCE
    )


def carry_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    plan: AppraisePlan,
    now: float,
    judge: ImportanceJudge,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Update the importance. `judge` may be slow, so it is called outside any transaction."""
    changed = 0
    for part in in_batches(plan.item_ids, progress):
        with store.read() as reader:
            items = reader.items.get_many(owner, part)
        judged = {item.id: (item.content, judge(item)) for item in items}
        with store.write(owner, durable=False) as session:
            count = 0
            for item in session.items.get_many(owner, part):
                content, word = judged.get(item.id, (None, None))
                if word is None or item.importance_source == GIVEN or item.content != content:
                    continue
                if not item.state.in_orbit or item.arbitrary_importance == word.score:
                    continue
                judged_item = replace(item, arbitrary_importance=word.score, importance_source=word.source)
                place_again(session, law, judged_item, now)
                count += 1
            if count:  # one entry with the count: the scores can be recomputed
                session.ledger.record(Event(EventType.APPRAISED, owner, now, None, {"memories": count}))
        changed += count
    return {"appraised": changed}
