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
from celestial_engine.flow.turn.record import NewMemory, Rewording

if TYPE_CHECKING:
    from celestial_engine.core.night.sleep import Duty, SleepReport, SleepStatus
    from celestial_engine.engine.schedule.night import DutyProgress, NightRunner
    from celestial_engine.engine.schedule.night_tasks import NightEngine, OwnersProgress

DISTILLED_BY = "distilled_by"
_MOST_PENDING = 20


@dataclass(frozen=True)
class ToDistil:
    """Memories that the host's own model may distil, and the prompt for it.

    `current` is the text that the rules distilled meanwhile, if any.
    """

    token: str
    tier: Tier
    sources: tuple[CelestialItem, ...]
    prompt: str
    current: str | None = None


class NightArea(Area):
    """Nightly work of all owners; `memory.sleep` runs it for this owner now."""

    def __init__(self, parts: Parts, stopping: Callable[[], bool], update: Callable[..., CelestialItem]) -> None:
        """`update` is the engine's method: replacing a distilled text is an update of that memory."""
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
        progress: DutyProgress | None = None,
    ) -> Sequence[SleepReport]:
        """Runs the nightly work of every owner in the store, one after the other."""
        from celestial_engine.engine.schedule.night import SleepRequest

        return self.runner.sleep_everybody(
            SleepRequest(checked_duties(duties), dry_run, force, allow_large, progress)
        )

    def sleep_everybody_on(
        self,
        engine: NightEngine | None = None,
        *,
        duties: Iterable[Duty | str] | None = None,
        dry_run: bool = False,
        force: bool = False,
        allow_large: bool = False,
        progress: OwnersProgress | None = None,
    ) -> Sequence[SleepReport]:
        """Runs the nightly work of every owner in several processes or on a cluster; without an `engine`, here.

        `progress` is called with the done and total number of owners.
        """
        from celestial_engine.engine.schedule.night import SleepRequest
        from celestial_engine.engine.schedule.night_tasks import InThisProcess, NightDriver

        request = SleepRequest(checked_duties(duties), dry_run, force, allow_large)
        where = InThisProcess(self.runner) if engine is None else engine
        return NightDriver(self.runner, where, progress).sleep_everybody(request)

    def sleep_if_due(self) -> Sequence[SleepReport]:
        """Runs every owner's nightly work if no process has done it today (UTC); returns the reports."""
        return self.runner.sleep_if_due()

    def status(self) -> SleepStatus:
        """Returns each duty's last and next run, and which process is running them."""
        return self.runner.status(self._parts.owner)

    def reports(self, limit: int = 10) -> Sequence[SleepReport]:
        """Returns the reports of the last nights, newest first, as counts from the ledger."""
        from celestial_engine.core.night.sleep import SleepReport

        with self._parts.store.read() as session:
            nights = session.ledger.latest(self._parts.owner, (EventType.SLEPT,), check_limit(limit))
        return [SleepReport.from_event(night) for night in nights]

    def distill_pending(self, limit: int = _MOST_PENDING) -> Sequence[ToDistil]:
        """Returns what the host's own model could distil: send it each prompt, and commit its answers."""
        return [self._to_distil(pending) for pending in self._pending(check_limit(limit))]

    def distill_commit(self, token: str, text: str) -> CelestialItem:
        """Stores the distilled text of exactly the sources that the token identifies. Invented content is refused."""
        from celestial_engine.core.night.distillation import BY_HOST, objection, sentence_in_answer

        parts, text = self._parts, sentence_in_answer(check_text(text))
        pending = next((candidate for candidate in self._pending(MOST_RESULTS) if candidate.token == token), None)
        if pending is None:
            raise StaleTokenError(item_id=str(token)[:40])
        refused = objection(text, [source.content for source in pending.sources])
        if refused is not None:
            raise InvalidInputError(refused.at("text"))
        if pending.promotion is None:
            return self._update_distilled(pending, text)

        def make(sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem:
            return distilled_item(parts, text, BY_HOST, sources, tier)

        item = promote.promote(parts.store, parts.law(), parts.owner, pending.promotion, parts.now(), make)
        if item is None:
            raise StaleTokenError(item_id=token)
        return item

    @cached_property
    def runner(self) -> NightRunner:
        from celestial_engine.core.night.sleep import SleepSettings
        from celestial_engine.engine.schedule.duties import build_duties
        from celestial_engine.engine.schedule.night import NightRunner
        from celestial_engine.flow.base.understand import LanguageModelReader

        parts = self._parts
        understanding = parts.models.for_use(ModelUse.UNDERSTANDING)
        duties = build_duties(
            parts.sleep or SleepSettings(),
            parts.retention.policy_for,
            parts.recorder.evaluator,
            parts.recorder.perceiver,
            lambda sources, tier: distil_sources(parts, sources, tier),
            parts.lessons.settings,
            parts.models.for_use(ModelUse.DISTILLATION),
            None if understanding is None else LanguageModelReader(understanding),
        )
        return NightRunner(parts.store, parts.law, duties, parts.sleep or SleepSettings(), parts.now, self._stopping)

    def _update_distilled(self, pending: promote.Pending, text: str) -> CelestialItem:
        from celestial_engine.core.night.distillation import BY_HOST

        if pending.item is None:
            raise StaleTokenError(item_id=pending.token)
        metadata = {**pending.item.metadata, DISTILLED_BY: BY_HOST}
        return self._update(pending.item.id, text, metadata=metadata)

    def _pending(self, limit: int) -> Sequence[promote.Pending]:
        from celestial_engine.core.night.distillation import BY_RULES

        def by_rules(item: CelestialItem) -> bool:
            return item.metadata.get(DISTILLED_BY) == BY_RULES

        with self._parts.store.read() as session:
            return promote.pending(session, self._parts.owner, self._parts.now(), by_rules, limit)

    def _to_distil(self, pending: promote.Pending) -> ToDistil:
        from celestial_engine.core.night.distillation import listed, prompt_for
        from celestial_engine.core.retrieval.framing import quote_as_data
        from celestial_engine.flow.base.ask_model import MOST_READ

        texts = [source.content for source in pending.sources]
        prompt = prompt_for(texts).format(text=quote_as_data(listed(texts), MOST_READ))
        current = None if pending.item is None else pending.item.content
        return ToDistil(pending.token, pending.tier, pending.sources, prompt, current)


def distil_sources(parts: Parts, sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem | Rewording | None:
    """Distils the sources of a promotion into a new memory; of a single one, words the text shorter.

    None if nothing may be made of them, or if the text of a single one stays as it is.
    """
    if len(sources) == 1:
        return _shorter_for(parts, sources[0], tier)
    trusted = [source for source in sources if source.trust is not Trust.LOW]
    result = distill.distil([source.content for source in trusted], parts.models.for_use(ModelUse.DISTILLATION), tier)
    # A text that reads like an instruction on its own must not outlive its sources.
    if not result.text or trust_in(result.text) is Trust.LOW:
        return None
    try:
        return distilled_item(parts, result.text, result.by, trusted, tier)
    except SecretError:  # the guard policy may be newer than the sources
        return None


def _shorter_for(parts: Parts, item: CelestialItem, tier: Tier) -> Rewording | None:
    """Words a text of the rules shorter for the one-year tier. What anybody said stays word for word."""
    from celestial_engine.core.night.distillation import BY_RULES, by_rules

    if tier is not Tier.M365 or item.metadata.get(DISTILLED_BY) != BY_RULES:
        return None
    text = by_rules([item.content], tier).text
    return None if not text or text == item.content else parts.recorder.reword(text, item)


def distilled_item(parts: Parts, text: str, by: str, sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem:
    """Builds a distilled memory with the fields that its sources share, and their highest given importance."""
    from celestial_engine.core.emotion.mixes import felt_together
    from celestial_engine.core.night.inherited_fields import common_agent, common_island, common_space

    importances = [source.arbitrary_importance for source in sources if source.importance_source == GIVEN]
    coordinate = Coordinate(
        space=common_space(sources),
        agent=common_agent(sources),
        emotion=felt_together([source.emotion for source in sources]),
        links=Links(promoted_from=tuple(source.id for source in sources), island=common_island(sources)),
    )
    new = NewMemory(
        text,
        Source.DISTILLATION,
        tier,
        importance=Evaluation(max(importances), GIVEN) if importances else None,
        metadata={DISTILLED_BY: by},
        tags=tuple(dict.fromkeys(tag for source in sources for tag in source.tags)),
        coordinate=coordinate,
    )
    return parts.recorder.record(new, sources[0].owner, parts.now()).item


def checked_duties(duties: Iterable[Duty | str] | None) -> tuple[Duty, ...] | None:
    from celestial_engine.core.night.sleep import Duty, in_order

    requested = None if duties is None else tuple(duties)
    try:
        return None if requested is None else in_order(requested)
    except ValueError:
        raise InvalidInputError(
            "duties", Reason.UNKNOWN_CHOICE, got=requested, choices=tuple(duty.value for duty in Duty)
        ) from None
