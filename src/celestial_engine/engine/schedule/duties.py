"""The duties of a night: which stage plans each, which carries it out, and with what."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from celestial_engine.core.keeping.retention import RetentionPlan, RetentionPolicy, plan_retention
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.night.sleep import Duty, Planned, Rhythm, SleepSettings
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.importance import ImportanceEvaluator
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.perception import Perceiver
from celestial_engine.engine.schedule.night import Step, Work
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.base.understand import LanguageModelReader
from celestial_engine.flow.departures import retain as retaining
from celestial_engine.flow.ledger import anchor
from celestial_engine.flow.ledger.compress import compress_if_possible
from celestial_engine.flow.night import (
    appraise,
    consolidate,
    expire,
    fade,
    nominate,
    promote,
    regenerate,
    supersede,
    understand,
)
from celestial_engine.flow.night import rebalance as rebalancing
from celestial_engine.flow.self import link, reflect
from celestial_engine.flow.self.tend import self_of
from celestial_engine.flow.turn import feedback
from celestial_engine.flow.turn.evaluate import evaluate
from celestial_engine.ports import ItemStore, LanguageModel, Reader

_YEAR = 365 * 86_400.0
_AWAY = 7 * 86_400.0
_A_STEP = 2_000  # memories between two clock checks
_MOST_COUNTED = 10_000
_SWEEPS = 3


def build_duties(
    brake: SleepSettings,
    policy_for: Callable[[Owner], RetentionPolicy | None],
    evaluator: ImportanceEvaluator,
    perceiver: Perceiver,
    distilled: promote.Make,
    learning: LearningSettings,
    model: LanguageModel | None = None,
    reader: LanguageModelReader | None = None,
) -> dict[Duty, Work]:
    """Returns all duties by name. `reader` reads again what the classifiers were unsure of."""
    return {
        Duty.SUPERSEDE: Work(
            lambda session, law, owner, now, last_run: supersede.plan(session, owner, now, _since(last_run)),
            supersede.carry_out,
            lambda plan: [Planned(older, "superseded_by", newer) for older, newer in plan.successions],
        ),
        Duty.CONSOLIDATE: Work(
            lambda session, law, owner, now, last_run: consolidate.plan(session, owner, now, _since(last_run)),
            consolidate.carry_out,
            lambda plan: [Planned(gone, "merged_into", keeper) for keeper, gone in plan.merges],
        ),
        Duty.REGENERATE: _regenerate(perceiver, reader),
        Duty.APPRAISE: _appraise(evaluator),
        Duty.PROMOTE_M90: _promote(Tier.M30, distilled),
        Duty.PROMOTE_M365: _promote(Tier.M90, distilled),
        Duty.NOMINATE: _nominate(),
        Duty.REFLECT: _reflect(model),
        Duty.EXPIRE: Work(
            lambda session, law, owner, now, _: expire.plan(session, owner, owner_time(session, law, owner, now)),
            expire.carry_out,
            _expired,
        ),
        Duty.FADE: Work(
            lambda session, law, owner, now, _: fade.plan(session, owner, owner_time(session, law, owner, now)),
            fade.carry_out,
            _fading,
        ),
        Duty.RETAIN: _retain(policy_for),
        Duty.CHECKPOINT: _checkpoint(learning),
        Duty.REPORT: _report(),
        Duty.REBALANCE: _rebalance(brake),
        Duty.TIDY: _tidy(),
    }


def _nominate() -> Work:
    def plan(session: Reader, law: Law, owner: Owner, now: float, last_run: float | None) -> nominate.NominatePlan:
        at = owner_time(session, law, owner, now)
        if now - at > _AWAY:  # nobody is there to decide
            return nominate.NominatePlan()
        return nominate.plan(session, owner, at, self_of(session, owner).memories)

    return Work(
        plan,
        lambda store, law, owner, plan, now, step: nominate.carry_out(store, law, owner, plan, now),
        lambda plan: [Planned(item_id, "nominated") for item_id in plan.nominees],
    )


def _since(last_run: float | None) -> float | None:
    """Returns the moment just before the last run, which may have missed memories of that very moment."""
    return None if last_run is None else math.nextafter(last_run, -math.inf)


def _expired(plan: expire.ExpirePlan) -> Iterable[Planned]:
    yield from (Planned(item_id, "expires") for item_id in plan.expired)
    yield from (Planned(item_id, "unused") for item_id in plan.unused)


def _fading(plan: fade.FadePlan) -> Iterable[Planned]:
    yield from (Planned(item_id, "fades") for item_id in plan.fading)
    yield from (Planned(item_id, "rests") for item_id in plan.resting)


@dataclass(frozen=True)
class _ToRead:
    """The memories without a gist or triples of their own, and those whose reading is unsure."""

    missing: regenerate.RegeneratePlan
    unsure: understand.UnderstandPlan
    leaving: Sequence[str] = ()

    def planned(self) -> Iterable[Planned]:
        yield from (Planned(item_id, "is_read") for item_id in self.missing.item_ids)
        yield from (Planned(item_id, "is_understood") for item_id in self.unsure.item_ids)


def _regenerate(perceiver: Perceiver, reader: LanguageModelReader | None) -> Work:
    def plan(session: Reader, law: Law, owner: Owner, now: float, last_run: float | None) -> _ToRead:
        # Finding missing readings is cheap; reading every text for stale ones is monthly.
        monthly = last_run is not None and Rhythm.MONTHLY.period(last_run) != Rhythm.MONTHLY.period(now)
        missing = regenerate.plan(session, owner, now, thorough=monthly)
        unsure = understand.UnderstandPlan()
        return _ToRead(missing, unsure if reader is None else understand.plan(session, owner, now, reader))

    def carry_out(
        store: ItemStore, law: Law, owner: Owner, plan: _ToRead, now: float, step: Step
    ) -> Mapping[str, int]:
        counts = regenerate.carry_out(store, law, owner, plan.missing, now, perceiver.perceive, step)
        if reader is None:
            return counts
        return {**counts, **understand.carry_out(store, law, owner, plan.unsure, now, reader, step)}

    return Work(plan, carry_out, _ToRead.planned)


def _appraise(evaluator: ImportanceEvaluator) -> Work:
    def carry_out(
        store: ItemStore, law: Law, owner: Owner, plan: appraise.AppraisePlan, now: float, step: Step
    ) -> Mapping[str, int]:
        return appraise.carry_out(store, law, owner, plan, now, lambda item: evaluate(evaluator, item), step)

    return Work(
        lambda session, law, owner, now, _: appraise.plan(session, owner, now),
        carry_out,
        lambda plan: [Planned(item_id, "is_appraised") for item_id in plan.item_ids],
    )


def _promote(tier: Tier, distilled: promote.Make) -> Work:
    def carry_out(
        store: ItemStore, law: Law, owner: Owner, plan: promote.PromotePlan, now: float, step: Step
    ) -> Mapping[str, int]:
        return promote.carry_out(store, law, owner, plan, now, distilled, step)

    return Work(
        lambda session, law, owner, now, _: promote.plan(session, owner, now, (tier,)), carry_out, _planned_promotions
    )


def _reflect(model: LanguageModel | None) -> Work:
    def carry_out(
        store: ItemStore, law: Law, owner: Owner, plan: reflect.ReflectPlan, now: float, step: Step
    ) -> Mapping[str, int]:
        linked = link.link(store, law, owner, now)
        return +Counter({"linked": linked, **reflect.carry_out(store, owner, plan, now, model)})

    return Work(lambda session, law, owner, now, _: reflect.plan(session, owner, now), carry_out)


def _planned_promotions(plan: promote.PromotePlan) -> Iterable[Planned]:
    return [
        Planned(source, "promoted_to", promotion.tier.value)
        for promotion in plan.promotions
        for source in promotion.sources
    ]


# -- limits -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Limits:
    """The memories that a retention policy wants to leave."""

    plan: RetentionPlan | None

    @property
    def leaving(self) -> Sequence[str]:
        return () if self.plan is None else tuple(one.holding.item_id for one in self.plan.leaving)

    def planned(self) -> Iterable[Planned]:
        yield from (Planned(item_id, "leaves") for item_id in self.leaving)
        for one in () if self.plan is None else self.plan.archiving:
            yield from (Planned(holding.item_id, "is_archived") for holding in one.holdings)


def _retain(policy_for: Callable[[Owner], RetentionPolicy | None]) -> Work:
    def plan(session: Reader, law: Law, owner: Owner, now: float, last_run: float | None) -> _Limits:
        policy = policy_for(owner)
        if not policy:
            return _Limits(None)
        rows = session.archives.retention_rows(owner)
        return _Limits(plan_retention(rows, policy, owner_time(session, law, owner, now)))

    def carry_out(
        store: ItemStore, law: Law, owner: Owner, plan: _Limits, now: float, step: Step
    ) -> Mapping[str, int]:
        policy = policy_for(owner)
        if not policy:
            return {}
        result = retaining.retain(store, law, owner, policy, now)
        return +Counter({"forgotten": result.forgotten, "archived": result.archived})

    return Work(plan, carry_out, _Limits.planned)


# -- what was learned, and the store's own files --------------------------------------------------------


@dataclass(frozen=True)
class _News:
    """Whether there is anything to do."""

    some: bool
    leaving: Sequence[str] = ()


def _checkpoint(learning: LearningSettings) -> Work:
    def plan(session: Reader, law: Law, owner: Owner, now: float, last_run: float | None) -> _News:
        return _News(learning.enabled and feedback.has_new_lessons(session, owner, learning))

    def carry_out(store: ItemStore, law: Law, owner: Owner, plan: _News, now: float, step: Step) -> Mapping[str, int]:
        return {"versions": int(plan.some and feedback.close_version(store, owner, learning, now))}

    return Work(plan, carry_out)


def _purged_since(session: Reader, owner: Owner, last_run: float | None) -> bool:
    since = _since(last_run)
    first_number = 0 if since is None else session.ledger.number_at(owner, since)
    return EventType.PURGED in session.ledger.event_counts(owner, first_number)


def _tidy() -> Work:
    def plan(session: Reader, law: Law, owner: Owner, now: float, last_run: float | None) -> _News:
        """Plans to read texts that were never read, and to wipe purged words from the store's files."""
        return _News(
            session.search.statement_keys_outdated()
            or any(_purged_since(session, each_owner, last_run) for each_owner in session.night.owners())
        )

    def carry_out(store: ItemStore, law: Law, owner: Owner, plan: _News, now: float, step: Step) -> Mapping[str, int]:
        for attempt in range(1, _SWEEPS + 1) if plan.some else ():
            step(attempt, _SWEEPS)
            if store.sweep():  # otherwise a reader blocked it
                break
        anchor.anchor(store, now)
        store.index_large_owners()
        compress_if_possible(store, now)
        return {}

    return Work(plan, carry_out)


# -- places, and numbers ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Visits:
    """How many memories a rebalance would visit, up to a limit, and which would go stale or be purged."""

    due: int
    purged: Sequence[str] = ()
    leaving: Sequence[str] = ()

    def planned(self) -> Iterable[Planned]:
        yield from (Planned(item_id, "leaves") for item_id in self.leaving)
        yield from (Planned(item_id, "is_purged") for item_id in self.purged)


def _rebalance(brake: SleepSettings) -> Work:
    def plan(session: Reader, law: Law, owner: Owner, now: float, last_run: float | None) -> _Visits:
        due = session.orbits.due(now, _MOST_COUNTED)
        going = rebalancing.leaving(session, law, owner, now)
        return _Visits(
            len(due),
            [one.item_id for one in going if one.state is State.CLIFF],
            [one.item_id for one in going if one.state is not State.CLIFF],
        )

    def carry_out(
        store: ItemStore, law: Law, owner: Owner, plan: _Visits, now: float, step: Step, *, allow_large: bool = False
    ) -> Mapping[str, int]:
        counts, visited, total_visited = Counter[str](), _A_STEP, 0
        while visited == _A_STEP:
            result = rebalancing.rebalance(store, law, now, most=_A_STEP, brake=brake, allow_large=allow_large)
            counts.update({
                "moved": result.moved, "forgotten": result.forgotten, "purged": result.purged, "held": result.held,
            })  # fmt: skip
            visited, total_visited = result.visited, total_visited + result.visited
            step(total_visited, max(total_visited, plan.due))
        return +counts

    return Work(plan, carry_out, _Visits.planned, partial(carry_out, allow_large=True))


@dataclass(frozen=True)
class _Year:
    """The events of an owner's memories in the last year."""

    events: Mapping[EventType, int]
    leaving: Sequence[str] = ()


def _report() -> Work:
    def plan(session: Reader, law: Law, owner: Owner, now: float, last_run: float | None) -> _Year:
        return _Year(session.ledger.event_counts(owner, session.ledger.number_at(owner, now - _YEAR)))

    def carry_out(store: ItemStore, law: Law, owner: Owner, plan: _Year, now: float, step: Step) -> Mapping[str, int]:
        return {kind.value: count for kind, count in plan.events.items()}  # written to the ledger with the night

    return Work(plan, carry_out)
