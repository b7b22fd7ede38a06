"""Conversing: one call a turn. What would be done with it, and doing it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from celestial_engine.core.checks import check_budget, check_id
from celestial_engine.core.guard.guard import asked_safely
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.errors import CelestialError, InvalidInputError
from celestial_engine.facade.recalling import Recalling
from celestial_engine.facade.remembering import Remembering
from celestial_engine.flow.turn import decide, mention

if TYPE_CHECKING:
    from celestial_engine.core.turn.conversation import Past, Turn, Utterance
    from celestial_engine.core.turn.features import TurnFeatures
    from celestial_engine.core.turn.observation import Observed
    from celestial_engine.core.turn.policy import Chooser, Decision

logger = logging.getLogger(__name__)


class Conversing(Remembering, Recalling):
    """What a host calls for every turn of a conversation."""

    def perceive(self, turn: Turn) -> TurnFeatures:
        """What can be seen of a turn, in Korean and English, whatever is stored."""
        from celestial_engine.core.turn.conversation import read_utterance
        from celestial_engine.core.turn.features import features_of

        said = read_utterance(turn)
        return features_of(replace(said, text=asked_safely(said.text, self._guard_policy)))

    def decide(
        self,
        turn: Turn,
        history: Iterable[Past] = (),
        turn_id: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Decision:
        """What `observe` would do with this turn. Nothing is written.

        `history` holds earlier turns (texts, messages, `Observed.turn`) and memories that were recalled for them.
        """
        from celestial_engine.core.turn.conversation import read_utterance

        owner, said = self._owner.but(user_id, agent_id), read_utterance(turn)
        return decide.decide(
            self._store,
            owner,
            self._guard_policy,
            said,
            _readable(history, strict=True),
            self._chooser_for(owner, said),
            self._embedding.passage if self._embedding.in_use else None,
            uuid4().hex if turn_id is None else check_id(turn_id),
        )

    def observe(
        self,
        turn: Turn,
        history: Iterable[Past] = (),
        turn_id: str | None = None,
        *,
        budget: int = 1024,
        session_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Observed:
        """Decides about a turn and does it: saves it, counts it as said again, or fetches memories for it.

        Made for a host's loop: whatever goes wrong is told in `problem` and logged, never raised, and a turn that
        cannot be read is skipped. A turn that tells something and asks something is saved and fetched for.
        """
        from celestial_engine.core.turn.conversation import read_utterance
        from celestial_engine.core.turn.features import TurnFeatures
        from celestial_engine.core.turn.observation import Observed
        from celestial_engine.core.turn.policy import Action, Decision, DecisionReason, Phase

        given = turn_id if isinstance(turn_id, str) else uuid4().hex
        try:
            check_budget(budget)
            said = read_utterance(turn)
            past = _readable(history, strict=False)
            owner = self._owner.but(user_id, agent_id)
            unheard = self._listened(owner, said, past, session_id)
            decision = self.decide(said, past, given, user_id=user_id, agent_id=agent_id)
        except Exception as error:  # noqa: BLE001 - a conversation goes on without its memory
            unread = Decision(Action.SKIP, DecisionReason.UNREADABLE, Phase.SURE, TurnFeatures(), 0.0, None, given)
            return Observed(unread, problem=_told(error))
        observed, hits = Observed(decision, replace(said, action=decision.action), problem=unheard), list[Hit]()
        try:
            if decision.fetches:  # before it is saved: a turn is no answer to itself
                composed, hits = self._composed(owner, said.text, budget)
                observed = replace(observed, composed=composed)
        except Exception as error:  # noqa: BLE001 - what was said is kept all the same
            observed = replace(observed, problem=_told(error))
        try:
            item = self._kept(said, decision, session_id, user_id, agent_id)
            observed = replace(observed, item=item)
            self._decided(owner, said, decision, session_id, item, hits)
        except Exception as error:  # noqa: BLE001 - and so is the loop's turn
            observed = replace(observed, problem=_told(error))
        return observed

    def _kept(
        self, said: Utterance, decision: Decision, session_id: str | None, user_id: str | None, agent_id: str | None
    ) -> CelestialItem | None:
        from celestial_engine.core.turn.policy import Action

        if decision.action is Action.SAVE:
            tier = Tier.M90 if decision.features.remember else Tier.M30
            return self.store(
                said.text,
                source=Source.CONVERSATION,
                tier=tier,
                session_id=session_id,
                user_id=user_id,
                agent_id=agent_id,
            )
        if decision.duplicate_of is None:
            return None
        owner = self._owner.but(user_id, agent_id)
        return mention.mention(self._store, owner, decision.duplicate_of, self._now(), decision.turn_id)

    def _listened(
        self, owner: Owner, said: Utterance, past: Sequence[Utterance], session_id: str | None
    ) -> str | None:
        try:
            self._heard(owner, said, past, session_id)
        except Exception as error:  # noqa: BLE001 - learning is no reason to forget
            return _told(error)
        return None

    # For whoever learns from it.

    def _heard(self, owner: Owner, said: Utterance, past: Sequence[Utterance], session_id: str | None) -> None:
        """A turn that may say something about the one before it."""

    def _chooser_for(self, owner: Owner, said: Utterance) -> Chooser | None:
        return None

    def _decided(
        self,
        owner: Owner,
        said: Utterance,
        decision: Decision,
        session_id: str | None,
        saved: CelestialItem | None,
        hits: Sequence[Hit],
    ) -> None:
        """What was decided about a turn, what was saved, and which memories answered it."""


def _readable(history: Iterable[Past], *, strict: bool) -> list[Utterance]:
    """The turns before; without `strict` those that cannot be read are passed over."""
    from celestial_engine.core.turn.conversation import read_past

    if isinstance(history, (str, bytes)) or not isinstance(history, Iterable):
        if strict:
            raise InvalidInputError(field="history", reason=f"it is {type(history).__name__}, not a list of turns")
        return []
    if strict:
        return [read_past(turn) for turn in history]
    return [said for said in map(_read_if_possible, history) if said is not None]


def _read_if_possible(turn: object) -> Utterance | None:
    from celestial_engine.core.turn.conversation import read_past

    try:
        return read_past(turn)
    except InvalidInputError:
        return None


def _told(error: Exception) -> str:
    """What went wrong, in words; logged, because nobody else will hear of it."""
    told = str(error) if isinstance(error, CelestialError) else f"{type(error).__name__}: {error}"
    logger.warning("a turn was not fully observed: %s", told)
    return told
