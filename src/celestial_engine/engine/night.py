"""`memory.night`: nightly work of all owners, its reports, and distillation by the host's own model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from celestial_engine.core.checks import MOST_RESULTS, check_limit, check_text
from celestial_engine.core.guard.guard import trust_in
from celestial_engine.core.model.settings import ModelUse
from celestial_engine.core.record.coordinate import Coordinate, Links
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.importance import GIVEN, Evaluation
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.engine.parts import Area, Parts
from celestial_engine.errors import InvalidInputError, Reason, SecretError, StaleTokenError
from celestial_engine.flow.night import distill, promote
from celestial_engine.flow.turn.record import NewMemory

if TYPE_CHECKING:
    from celestial_engine.core.night.sleep import Duty, SleepReport, SleepStatus
    from celestial_engine.engine.schedule.night import NightRunner, Progress

DISTILLED_BY = "distilled_by"
_MOST_PENDING = 20


@dataclass(frozen=True)
class ToDistil:
    """Memories whose essence the host's own model may write, and the prompt for it.

    `current` is what the rules made of them meanwhile, if they did.
    """

    token: str
    tier: Tier
    sources: tuple[CelestialItem, ...]
    prompt: str
    current: str | None = None


class NightArea(Area):
    """What happens to memories while nobody asks them anything; `memory.sleep` does it for this owner now."""

    def __init__(self, parts: Parts, stopping: Callable[[], bool], update: Callable[..., CelestialItem]) -> None:
        """`update` is the engine's: a distilled text that is replaced is a memory that is changed."""
        super().__init__(parts)
        self._stopping = stopping
        self._update = update

    def sleep_everybody(
        self,
        *,
        duties: Iterable[Duty | str] | None = None,
        dry_run: bool = False,
        force: bool = False,
        allow_large: bool = False,
        progress: Progress | None = None,
    ) -> Sequence[SleepReport]:
        """The nightly work of every owner in the store, one after the other."""
        from celestial_engine.engine.schedule.night import Wish

        return self.runner.sleep_everybody(Wish(checked_duties(duties), dry_run, force, allow_large, progress))

    def sleep_if_due(self) -> Sequence[SleepReport]:
        """Everybody's nightly work, if no process has done it today (in UTC); returns what was done."""
        return self.runner.sleep_if_due()

    def status(self) -> SleepStatus:
        """Each duty's last and next run, and which process is at it."""
        return self.runner.status(self._parts.owner)

    def reports(self, limit: int = 10) -> Sequence[SleepReport]:
        """The last nights, newest first, as the ledger has them: in numbers."""
        from celestial_engine.core.night.sleep import SleepReport

        with self._parts.store.read() as session:
            nights = session.ledger.latest(self._parts.owner, (EventType.SLEPT,), check_limit(limit))
        return [SleepReport.from_event(night) for night in nights]

    def distill_pending(self, limit: int = _MOST_PENDING) -> Sequence[ToDistil]:
        """What could be distilled by the host's own model: ask it each prompt, and commit what it writes."""
        return [self._to_distil(one) for one in self._pending(check_limit(limit))]

    def distill_commit(self, token: str, text: str) -> CelestialItem:
        """The essence of exactly the sources that the token stands for. What no source says is refused."""
        from celestial_engine.core.night.distillation import BY_HOST, objection, written

        parts, text = self._parts, written(check_text(text))
        found = next((one for one in self._pending(MOST_RESULTS) if one.token == token), None)
        if found is None:
            raise StaleTokenError(item_id=str(token)[:40])
        refused = objection(text, [source.content for source in found.sources])
        if refused is not None:
            raise InvalidInputError(refused.at("text"))
        if found.promotion is None:
            return self._reworded(found, text)

        def make(sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem:
            return distilled_item(parts, text, BY_HOST, sources, tier)

        made = promote.promote(parts.store, parts.law(), parts.owner, found.promotion, parts.now(), make)
        if made is None:
            raise StaleTokenError(item_id=token)
        return made

    @cached_property
    def runner(self) -> NightRunner:
        from celestial_engine.core.night.sleep import SleepSettings
        from celestial_engine.engine.schedule.duties import works
        from celestial_engine.engine.schedule.night import NightRunner

        parts = self._parts
        duties = works(
            parts.retention.policy_for,
            parts.recorder.evaluator,
            parts.recorder.perceiver,
            lambda sources, tier: distilled(parts, sources, tier),
            parts.lessons.settings,
            parts.models.for_use(ModelUse.DISTILLATION),
        )
        return NightRunner(parts.store, parts.law, duties, parts.sleep or SleepSettings(), parts.now, self._stopping)

    def _reworded(self, found: promote.Pending, text: str) -> CelestialItem:
        from celestial_engine.core.night.distillation import BY_HOST

        if found.item is None:
            raise StaleTokenError(item_id=found.token)
        metadata = {**found.item.metadata, DISTILLED_BY: BY_HOST}
        return self._update(found.item.id, text, metadata=metadata)

    def _pending(self, limit: int) -> Sequence[promote.Pending]:
        from celestial_engine.core.night.distillation import BY_RULES

        def by_rules(item: CelestialItem) -> bool:
            return item.metadata.get(DISTILLED_BY) == BY_RULES

        with self._parts.store.read() as session:
            return promote.pending(session, self._parts.owner, self._parts.now(), by_rules, limit)

    def _to_distil(self, one: promote.Pending) -> ToDistil:
        from celestial_engine.core.night.distillation import listed, prompt_for
        from celestial_engine.core.retrieval.framing import as_data
        from celestial_engine.flow.base.ask_model import MOST_READ

        texts = [source.content for source in one.sources]
        prompt = prompt_for(texts).format(text=as_data(listed(texts), MOST_READ))
        current = None if one.item is None else one.item.content
        return ToDistil(one.token, one.tier, one.sources, prompt, current)


def distilled(parts: Parts, sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem | None:
    """What a promotion makes of its sources; None where nothing may be made of them."""
    trusted = [source for source in sources if source.trust is not Trust.LOW]
    made = distill.distil([source.content for source in trusted], parts.models.for_use(ModelUse.DISTILLATION))
    # What reads like an instruction once it is alone must not live longer than where it comes from.
    if not made.text or trust_in(made.text) is Trust.LOW:
        return None
    try:
        return distilled_item(parts, made.text, made.by, trusted, tier)
    except SecretError:  # a policy that blocks may be newer than the sources
        return None


def distilled_item(parts: Parts, text: str, by: str, sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem:
    """A distilled memory with what its sources have in common. An importance given to a source is given to it."""
    from celestial_engine.core.night.inherited_fields import common_agent, common_island, common_space, felt_together

    given = [source.arbitrary_importance for source in sources if source.importance_source == GIVEN]
    coordinate = Coordinate(
        space=common_space(sources),
        agent=common_agent(sources),
        emotion=felt_together(sources),
        links=Links(promoted_from=tuple(source.id for source in sources), island=common_island(sources)),
    )
    new = NewMemory(
        text,
        Source.DISTILLATION,
        tier,
        importance=Evaluation(max(given), GIVEN) if given else None,
        metadata={DISTILLED_BY: by},
        tags=tuple(dict.fromkeys(tag for source in sources for tag in source.tags)),
        coordinate=coordinate,
    )
    return parts.recorder.record(new, sources[0].owner, parts.now()).item


def checked_duties(duties: Iterable[Duty | str] | None) -> tuple[Duty, ...] | None:
    from celestial_engine.core.night.sleep import Duty, in_order

    wanted = None if duties is None else tuple(duties)
    try:
        return None if wanted is None else in_order(wanted)
    except ValueError:
        raise InvalidInputError(
            "duties", Reason.UNKNOWN_CHOICE, got=wanted, choices=tuple(duty.value for duty in Duty)
        ) from None
