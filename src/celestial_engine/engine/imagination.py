"""`memory.imagination`: ideas for what could be done now, from memories; off unless enabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from celestial_engine.core.checks import check_id, check_limit, check_text, check_time
from celestial_engine.core.guard.guard import redact_question
from celestial_engine.core.model.settings import ModelUse
from celestial_engine.core.record.coordinate import Coordinate, Document
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine import asking
from celestial_engine.engine.parts import Area
from celestial_engine.errors import Expected, InvalidInputError, Reason
from celestial_engine.flow.turn.record import NewMemory

if TYPE_CHECKING:
    from celestial_engine.core.imagination.ideas import Material
    from celestial_engine.core.imagination.rules import Imagination, Imagined, PatternStrength

_RECENT, _RELEVANT = 200, 20


class ImaginationArea(Area):
    """The engine's own ideas, at most three a day."""

    def imagine(
        self,
        context: str | None = None,
        *,
        idle_seconds: float | None = None,
        now: float | None = None,
    ) -> Imagined:
        """Returns an idea of what could be done now, from memories; or why there is none.

        `context` describes what is going on; `idle_seconds` says how long nothing happened, if the host knows better
        than the memory. At most three a day, and none in the quiet hours of the owner's time zone. Reading memories
        does not reinforce them; the idea itself is kept for a month.
        """
        from celestial_engine.core.imagination.ideas import Situation, telling  # slow to import, rarely needed
        from celestial_engine.core.imagination.rules import Imagination, Imagined, WhyNot, trigger_of, why_not
        from celestial_engine.flow.turn import imagine

        owner = self._parts.owner
        now = self._parts.now() if now is None else check_time(now)
        context_text = "" if context is None else redact_question(check_text(context, "context"), self._parts.guard)
        settings = self._parts.imagination
        with self._parts.store.read() as session:
            moments, strengths = imagine.imagined_times(session, owner), session.ideas.patterns(owner)
        forbidden = why_not(moments, now, settings)
        if forbidden is not None:
            return Imagined(why_not=forbidden)
        idle = self._idle(owner, now) if idle_seconds is None else max(0.0, check_time(idle_seconds))
        trigger = trigger_of(moments, now, settings, idle, telling=telling(context_text))
        if trigger is None:
            return Imagined(why_not=WhyNot.NO_TRIGGER)
        situation = Situation(context_text, settings.local(now), now, trigger)
        model = self._parts.models.for_use(ModelUse.IMAGINATION)
        thought = imagine.draft_idea(situation, self._material(owner, context_text, now), strengths, model)
        if thought.draft is None:
            return Imagined(why_not=WhyNot.NO_IDEA, refused=thought.refused)
        draft = thought.draft
        used = tuple(item.id for item in draft.memories)
        imagination = Imagination(
            str(uuid4()), now, trigger, draft.pattern, used, draft.scenario, draft.action, draft.emotion, thought.by
        )
        forbidden = imagine.store_idea(
            self._parts.store, self._parts.law(), self._as_memory(imagination, owner), imagination, settings
        )
        if forbidden is not None:
            return Imagined(why_not=forbidden, refused=thought.refused)
        return Imagined(imagination, refused=thought.refused)

    def recent(self, limit: int = 20) -> Sequence[Imagination]:
        """Returns stored ideas, newest first."""
        from celestial_engine.core.imagination.rules import TAG, imagination_in

        with self._parts.store.read() as session:
            owner = self._parts.owner
            items = session.items.newest(owner, ItemFilter(tags=(TAG,)), check_limit(limit))
        return [imagination for item in items if (imagination := imagination_in(item)) is not None]

    def feedback(self, imagination_id: str, liked: bool) -> Imagination:
        """Stores whether an idea was liked: its pattern comes up more often, or less."""
        if not isinstance(liked, bool):
            raise InvalidInputError("liked", Reason.WRONG_VALUE, expected=Expected.YES_OR_NO, got=liked)
        from celestial_engine.flow.turn import imagine

        owner = self._parts.owner
        return imagine.answer(
            self._parts.store, self._parts.law(), owner, check_id(imagination_id), self._parts.now(), liked=liked
        )

    def patterns(self) -> Sequence[PatternStrength]:
        """Returns how well each kind of idea was received, best first."""
        with self._parts.store.read() as session:
            strengths = session.ideas.patterns(self._parts.owner)
        return sorted(strengths.values(), key=lambda strength: (-strength.strength, strength.pattern))

    def _idle(self, owner: Owner, now: float) -> float:
        """Returns the seconds since the last memory or turn; 0 if there is none or the clock went back."""
        with self._parts.store.read() as session:
            newest, turn = session.items.newest(owner, ItemFilter(), 1), session.lessons.newest_turn(owner)
        last = [item.created_at for item in newest] + ([] if turn is None else [turn.at])
        return max(0.0, now - max(last)) if last else 0.0

    def _material(self, owner: Owner, context: str, now: float) -> list[Material]:
        """Returns recent memories and those related to the context, if ideas may use them."""
        from celestial_engine.core.imagination.ideas import Material
        from celestial_engine.core.imagination.rules import usable

        with self._parts.store.read() as session:
            materials = {item.id: Material(item) for item in session.items.newest(owner, ItemFilter(), _RECENT)}
        if context:
            hits = asking.find(self._parts, asking.query_of(self._parts, context), _RELEVANT).hits
            for rank, hit in enumerate(hits):
                materials[hit.item.id] = Material(hit.item, 1.0 - rank / len(hits))
        return [material for material in materials.values() if usable(material.item, now)]

    def _as_memory(self, imagination: Imagination, owner: Owner) -> CelestialItem:
        from celestial_engine.core.imagination.rules import TAG

        new = NewMemory(
            imagination.scenario,
            Source.IMAGINATION,
            Tier.M30,
            metadata=imagination.details(),
            tags=(TAG,),
            coordinate=Coordinate(document=Document(summary=imagination.action)),
        )
        record = self._parts.recorder.record(new, owner, imagination.at)
        # It never happened: mark it as untrusted, so that it is never distilled or made core.
        return replace(record.item, id=imagination.id, trust=Trust.LOW)
