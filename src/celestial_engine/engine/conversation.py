"""One call a turn: what would be done with it, doing it, and what it was worth. Methods of CelestialMemory."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from celestial_engine.core.checks import check_budget, check_id, check_text
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.engine.asking import composed
from celestial_engine.errors import CelestialError, Expected, InvalidInputError, Problem, Reason, problem
from celestial_engine.flow.turn import decide as deciding
from celestial_engine.flow.turn import feedback as learning
from celestial_engine.flow.turn import mention
from celestial_engine.ports import Reader

if TYPE_CHECKING:
    from celestial_engine.core.learning.credit import PendingTurn
    from celestial_engine.core.turn.conversation import Past, Turn, Utterance
    from celestial_engine.core.turn.observation import Observed
    from celestial_engine.core.turn.policy import Decision
    from celestial_engine.engine.memory import CelestialMemory
    from celestial_engine.flow.turn.feedback import Credit

logger = logging.getLogger(__name__)


def decide(self: CelestialMemory, turn: Turn, history: Iterable[Past] = (), turn_id: str | None = None) -> Decision:
    """What `observe` would do with this turn. Nothing is written.

    `history` holds earlier turns (texts, messages, `Observed.turn`) and memories that were recalled for them.
    """
    from celestial_engine.core.turn.conversation import read_utterance

    parts, said = self.parts, read_utterance(turn)
    return deciding.decide(
        parts.store,
        parts.owner,
        parts.guard,
        said,
        _readable(history, strict=True),
        parts.lessons.chooser_for(parts.owner, said, parts.now()),
        parts.embedding.passage if parts.embedding.in_use else None,
        uuid4().hex if turn_id is None else check_id(turn_id),
    )


def observe(
    self: CelestialMemory,
    turn: Turn,
    history: Iterable[Past] = (),
    turn_id: str | None = None,
    *,
    budget: int = 1024,
    session_id: str | None = None,
) -> Observed:
    """Decides about a turn and does it: saves it, counts it as said again, or fetches memories for it.

    Made for a host's loop: whatever goes wrong is reported in `problem` and logged, never raised, and a turn that
    cannot be read is skipped. A turn that tells something and asks something is saved and fetched for.
    """
    from celestial_engine.core.turn.conversation import read_utterance
    from celestial_engine.core.turn.features import TurnFeatures
    from celestial_engine.core.turn.observation import Observed
    from celestial_engine.core.turn.policy import Action, Decision, DecisionReason, Phase

    parts = self.parts
    session = session_id or parts.session_id
    given = turn_id if isinstance(turn_id, str) else uuid4().hex
    try:
        check_budget(budget)
        said = read_utterance(turn)
        past = _readable(history, strict=False)
        unheard = _learned_from(self, said, past, session)
        decision = decide(self, said, past, given)
    except Exception as error:  # noqa: BLE001 - a conversation goes on without its memory
        unread = Decision(Action.SKIP, DecisionReason.UNREADABLE, Phase.SURE, TurnFeatures(), 0.0, None, given)
        return Observed(unread, problem=_problem(error))
    observed, hits = Observed(decision, replace(said, action=decision.action), problem=unheard), list[Hit]()
    try:
        if decision.fetches:  # before it is saved: a turn is no answer to itself
            context, hits = composed(parts, said.text, budget)
            observed = replace(observed, composed=context)
    except Exception as error:  # noqa: BLE001 - what was said is kept all the same
        observed = replace(observed, problem=_problem(error))
    try:
        item = _kept(self, said, decision, session_id)
        observed = replace(observed, item=item)
        parts.lessons.note_decision(parts.owner, said, decision, session, item, hits, parts.now())
    except Exception as error:  # noqa: BLE001 - and so is the loop's turn
        observed = replace(observed, problem=_problem(error))
    return observed


def feedback(
    self: CelestialMemory,
    turn_id: str | None = None,
    reward: float | None = None,
    text: str | None = None,
    *,
    session_id: str | None = None,
) -> Credit:
    """What a turn was worth: a number from -1 to 1, or what the user said to it. Without an id: the last turn.

    The decision and the memories that were found are credited, once a turn.
    """
    parts, owner, now = self.parts, self.parts.owner, self.parts.now()
    if (reward is None) == (text is None):
        raise InvalidInputError("reward", Reason.NOT_BOTH, names=("reward", "text"))
    judge = (
        learning.heard(check_text(text, "text"), owner, now)
        if reward is None
        else learning.given(_checked_reward(reward))
    )
    known = None if turn_id is None else check_id(turn_id)

    def find(session: Reader) -> PendingTurn | None:
        if known is not None:
            return session.lessons.turn(owner, known)
        return (
            session.lessons.newest_turn(owner) if session_id is None else session.lessons.last_turn(owner, session_id)
        )

    return parts.lessons.credit(owner, find, judge, now, known)


def _kept(self: CelestialMemory, said: Utterance, decision: Decision, session_id: str | None) -> CelestialItem | None:
    from celestial_engine.core.turn.policy import Action

    if decision.action is Action.SAVE:
        tier = Tier.M90 if decision.features.remember else Tier.M30
        return self.store(said.text, source=Source.CONVERSATION, tier=tier, session_id=session_id)
    if decision.duplicate_of is None:
        return None
    parts = self.parts
    return mention.mention(parts.store, parts.owner, decision.duplicate_of, parts.now(), decision.turn_id)


def _learned_from(
    self: CelestialMemory, said: Utterance, past: Sequence[Utterance], session_id: str | None
) -> Problem | None:
    try:
        self.parts.lessons.learn_from(self.parts.owner, said, past, session_id, self.parts.now())
    except Exception as error:  # noqa: BLE001 - learning is no reason to forget
        return _problem(error)
    return None


def _readable(history: Iterable[Past], *, strict: bool) -> list[Utterance]:
    """The turns before; without `strict` those that cannot be read are passed over."""
    from celestial_engine.core.turn.conversation import read_past

    if isinstance(history, (str, bytes)) or not isinstance(history, Iterable):
        if strict:
            raise InvalidInputError(
                "history", Reason.WRONG_TYPE, expected=Expected.LIST_OF_TURNS, got=type(history).__name__
            )
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


def _problem(error: Exception) -> Problem:
    """What went wrong; logged, because nobody else will hear of it."""
    if isinstance(error, CelestialError):
        found = problem(None, Reason.OTHER_ERROR, cause=error)
    else:
        found = problem(None, Reason.UNEXPECTED, cause=f"{type(error).__name__}: {error}")
    logger.warning("a turn was not fully observed: %s", found)
    return found


def _checked_reward(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1.0 <= value <= 1.0:
        raise InvalidInputError("reward", Reason.OUT_OF_RANGE, low=-1, high=1, got=value)
    return float(value)
